package workbench

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
)

// matched are the rules of two runs, those that are alike together.
type matched struct {
	Pairs []pair `json:"pairs"`
	Note  string `json:"note"` // how they were matched
}

// pair are two rules that are alike, or one that only one run has.
type pair struct {
	A     *one         `json:"a"`
	B     *one         `json:"b"`
	Both  int          `json:"both"`  // rows that both decide
	Moved []difference `json:"moved"` // none: they are the same, as printed
}

// one is a rule of one run.
type one struct {
	Name string `json:"name"`
	Text string `json:"text"` // IF ... THEN ...
	Rows int    `json:"rows"` // that it decides; -1: the rows are not known

	said words.RuleWording
}

// decide finds the rules that decide the rows, and counts these; none of a committee.
func (r *sharedRows) decide(s [2]side) (err error) {
	r.rows, r.both = [2]map[int]int{{}, {}}, map[[2]int]int{}
	if s[0].model.Committee() || s[1].model.Committee() {
		return nil
	}
	for i, of := range s {
		if r.decided[i], err = of.model.Decides(of.model.Fill(r.read[i]).X); err != nil {
			return err
		}
		before := 0
		for p, rules := range r.decided[i] {
			for n, k := range rules {
				if k >= 0 {
					k += before
				}
				rules[n] = k
				r.rows[i][k]++
				if i == 1 && p < len(r.decided[0]) {
					r.both[[2]int{r.decided[0][p][n], k}]++
				}
			}
			if of.model.Pages != nil {
				before += len(of.model.Pages[p].Rules)
			}
		}
	}
	return nil
}

// ruleOf returns the name of the rule of run i that decides row n, of several pages that of the value shown; empty if none does.
func (r *sharedRows) ruleOf(s [2]side, i, n int) string {
	m := s[i].model
	if page := max(0, m.Words().Start-len(m.Values())+len(m.Pages)); r.decided[i] != nil && r.decided[i][page][n] >= 0 {
		return s[i].described.Rules[r.decided[i][page][n]].Name()
	}
	return ""
}

// leastAlike is the least share of the rows of two rules that both decide.
const leastAlike = 0.5

// match matches the rules of two runs: those of the same page with the same conditions, and those that decide much the same rows, which
// may be nil; the most alike first.
func match(s [2]side, r *sharedRows) *matched {
	m := &matched{Pairs: []pair{}}
	if s[0].model.Committee() || s[1].model.Committee() {
		m.Note = "Rules of committees are not matched."
		return m
	}
	m.Note = "Without rows that both runs read, only rules with the same conditions are matched."
	if r != nil {
		m.Note = fmt.Sprintf("Rules are matched by their conditions or, where these differ, by the rows they decide: of those that either "+
			"decides, both decide %.0f%% at least.", 100*leastAlike)
	}
	m.Note += " Curves, terms and tables that all rules share are not part of this."
	known := r != nil
	if !known {
		r = &sharedRows{}
	}
	var all [2][]*one
	for i := range s {
		for k, rule := range s[i].described.Rules {
			w := s[i].described.Say(rule)
			of := &one{Name: w.Name, Text: w.Sentence(), Rows: -1, said: w}
			if known {
				of.Rows = r.rows[i][k]
			}
			all[i] = append(all[i], of)
		}
	}
	alike := map[[2]int]float64{}
	for i, a := range all[0] {
		for j, b := range all[1] {
			at := [2]int{i, j}
			if n := r.both[at]; n > 0 {
				alike[at] = float64(n) / float64(a.Rows+b.Rows-n)
			}
			if a.alike(b) {
				alike[at]++
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(alike), func(p, q [2]int) int {
		return cmp.Or(cmp.Compare(alike[q], alike[p]), slices.Compare(p[:], q[:]))
	})
	for _, at := range order {
		if a, b := &all[0][at[0]], &all[1][at[1]]; *a != nil && *b != nil && alike[at] >= leastAlike {
			m.Pairs = append(m.Pairs, pair{*a, *b, r.both[at], moved((*a).said, (*b).said)})
			*a, *b = nil, nil
		}
	}
	for i := range all {
		for _, of := range all[i] {
			if of != nil {
				m.Pairs = append(m.Pairs, []pair{{A: of}, {B: of}}[i])
			}
		}
	}
	slices.SortStableFunc(m.Pairs, func(p, q pair) int { return cmp.Compare(cmp.Or(q.A, q.B).Rows, cmp.Or(p.A, p.B).Rows) })
	return m
}

// alike reports whether two rules, of several pages those of the same one, have the same conditions.
func (a *one) alike(b *one) bool {
	_, page, _ := strings.Cut(a.Name, " of ") // Rule 3 of z
	_, other, _ := strings.Cut(b.Name, " of ")
	return page == other && slices.Equal(slices.Sorted(slices.Values(a.said.If)), slices.Sorted(slices.Values(b.said.If)))
}

// moved lists in what two rules differ, as printed.
func moved(a, b words.RuleWording) []difference {
	before, keys := partsOf(a)
	after, more := partsOf(b)
	for _, key := range more {
		if _, has := before[key]; !has {
			keys = append(keys, key)
		}
	}
	return slices.DeleteFunc(differences(keys, before, after), func(d difference) bool {
		return d.What == "THEN" && (d.A == "" || d.B == "") // without its training rows a rule says nothing
	})
}

// partsOf returns the parts of a rule as printed, by what they are of, and these in order: its conditions, what it says, and the terms of
// its formulas.
func partsOf(w words.RuleWording) (text map[string]string, keys []string) {
	text = map[string]string{}
	add := func(key, v string) {
		switch before, met := text[key]; {
		case met && v != "":
			text[key] = before + " and " + v
		case v != "":
			text[key], keys = v, append(keys, key)
		}
	}
	for _, condition := range w.If {
		subject, is, _ := strings.Cut(condition, " is ")
		add("IF "+subject, cmp.Or(is, condition))
	}
	add("THEN", w.Then.Says)
	said := w.Rule.Outputs
	if said == nil {
		said = []words.Said{{Then: w.Rule.Then, Terms: w.Rule.Terms}}
	}
	for _, f := range w.Formulas() {
		of := ""
		if len(said) > 1 {
			of = ", " + f.Label
		}
		for i, t := range f.Formula {
			product := strings.SplitN(t.Product, " ", 3) // its sign, its number and what it is of
			switch {
			case w.Rule.Fires != nil && len(f.Formula) == len(said[0].Terms): // the terms of a page say where they hold
				add(strings.TrimSpace("term of "+said[0].Terms[i].Column+" "+said[0].Terms[i].Level)+of, t.Product)
			case len(f.Formula) == 1 && len(product) > 1:
				add("formula"+of, t.Product)
			case len(product) < 3:
				add("constant"+of, t.Product)
			case product[1] != "its" && product[1] != "the": // curves: those of its own follow
				add("term of "+strings.TrimPrefix(product[2], "if ")+of, product[0]+" "+product[1])
			}
		}
		add("small terms"+of, f.Small)
	}
	for _, s := range said {
		for _, c := range s.Then.Curves {
			add(strings.TrimSuffix("curve of "+c.Feature+", "+s.Output, ", "), fmt.Sprintf("%.3g at %.3g", c.Y, c.X))
		}
	}
	return text, keys
}
