package workbench

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/page"
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
}

// decided has the index of the rule, in the description of each run, that decides each row: [page][row], -1 for none.
type decided [2][][]int

// decide finds the rules that decide the rows.
func (r *sharedRows) decide(s [2]side) error {
	for i, of := range s {
		firing, err := of.model.Firing(of.model.Fill(r.read[i]).X)
		if err != nil {
			return err
		}
		before := 0
		for _, levels := range firing {
			rows := make([]int, len(levels))
			for n := range levels {
				if rows[n] = strongest(levels[n]); rows[n] >= 0 {
					rows[n] += before
				}
			}
			if r.decided[i] = append(r.decided[i], rows); len(levels) > 0 {
				before += len(levels[0])
			}
		}
	}
	return nil
}

// ruleOf returns the name of the rule of run i that decides row n; empty if none does.
func (r *sharedRows) ruleOf(s side, i, n int) string {
	if r.decided[i] == nil {
		return ""
	}
	page := 0
	if pages := len(s.model.Pages); pages > 0 {
		page = max(0, s.model.Words().Start-(len(s.model.Values())-pages))
	}
	at := r.decided[i][page][n]
	if at < 0 {
		return ""
	}
	return s.described.Rules[at].Name()
}

// leastAlike is the least share of the rows of two rules that both decide.
const leastAlike = 0.5

// match matches the rules of two runs: those with the same IF part, and those that decide much the same rows, which may be nil.
func match(s [2]side, r *sharedRows) *matched {
	m := &matched{Pairs: []pair{}}
	if s[0].model.Committee() || s[1].model.Committee() {
		m.Note = "Rules of committees are not matched."
		return m
	}
	var said [2][]words.RuleWording
	for i := range s {
		for _, rule := range s[i].described.Rules {
			said[i] = append(said[i], s[i].described.Say(rule))
		}
	}
	m.Note = "Without rows that both runs read, only rules with the same conditions are matched."
	if r != nil {
		m.Note = fmt.Sprintf("Rules are matched by their conditions or, where these differ, by the rows they decide: of those that either "+
			"decides, both decide %.0f%% at least.", 100*leastAlike)
	}
	if slices.ContainsFunc(s[:], func(of side) bool { return shares(of.described) }) {
		m.Note += " Curves, terms and tables that all rules share are not part of this."
	}
	rows, both := counts(r)
	var all [2][]*one // those that are not in a pair
	for i := range all {
		for k, w := range said[i] {
			of := &one{Name: w.Name, Text: w.Sentence(), Rows: -1}
			if r != nil {
				of.Rows = rows[i][k]
			}
			all[i] = append(all[i], of)
		}
	}
	for _, c := range candidates(said, rows, both, s) {
		if a, b := &all[0][c[0]], &all[1][c[1]]; *a != nil && *b != nil {
			m.Pairs = append(m.Pairs, pair{*a, *b, both[c], moved(said[0][c[0]], said[1][c[1]])})
			*a, *b = nil, nil
		}
	}
	for i := range all {
		for _, of := range all[i] {
			if of != nil && i == 0 {
				m.Pairs = append(m.Pairs, pair{A: of})
			} else if of != nil {
				m.Pairs = append(m.Pairs, pair{B: of})
			}
		}
	}
	most := func(p pair) int { return cmp.Or(p.A, p.B).Rows }
	slices.SortStableFunc(m.Pairs, func(p, q pair) int { return cmp.Compare(most(q), most(p)) })
	return m
}

// counts returns how many rows each rule decides, and how many two rules of the same page both do.
func counts(r *sharedRows) (rows [2]map[int]int, both map[[2]int]int) {
	rows[0], rows[1], both = map[int]int{}, map[int]int{}, map[[2]int]int{}
	if r == nil {
		return rows, both
	}
	for i := range rows {
		for _, page := range r.decided[i] {
			for _, k := range page {
				rows[i][k]++
			}
		}
	}
	for p := range min(len(r.decided[0]), len(r.decided[1])) {
		for n, k := range r.decided[0][p] {
			both[[2]int{k, r.decided[1][p][n]}]++
		}
	}
	return rows, both
}

// candidates returns the pairs of rules that may be alike, the most alike first.
func candidates(said [2][]words.RuleWording, rows [2]map[int]int, both map[[2]int]int, s [2]side) (all [][2]int) {
	score := map[[2]int]float64{}
	for i, a := range said[0] {
		for j, b := range said[1] {
			c, alike := [2]int{i, j}, 0.0
			if n := both[c]; n > 0 {
				alike = float64(n) / float64(rows[0][i]+rows[1][j]-n)
			}
			if s[0].pageOf(i) == s[1].pageOf(j) && reflect.DeepEqual(conditions(a), conditions(b)) {
				alike++
			}
			if alike >= leastAlike {
				score[c], all = alike, append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(p, q [2]int) int { return cmp.Compare(score[q], score[p]) })
	return all
}

// pageOf returns the index of the page of a rule; 0 without pages.
func (s side) pageOf(rule int) int {
	for c, p := range s.model.Pages {
		if rule -= len(p.Rules); rule < 0 {
			return c
		}
	}
	return 0
}

// shares reports whether the rules share something that is not said with them.
func shares(d words.Description) bool {
	common := func(c *words.Curves) bool { return c != nil && !c.Own }
	return common(d.Curves) || slices.ContainsFunc(d.Pages, func(p *page.Page) bool { return len(p.Terms)+len(p.Tables) > 0 }) ||
		d.Response != nil && slices.ContainsFunc(d.Response.Outputs, func(o words.Output) bool { return common(o.Curves) })
}

// conditions returns the conditions of a rule by column.
func conditions(w words.RuleWording) map[string]string {
	all := map[string]string{}
	for i, text := range w.If {
		column := ""
		if len(w.Rule.Words) == len(w.If) {
			column = w.Rule.Words[i].Column
		} else {
			column = w.Rule.If[i].Feature
		}
		text = strings.TrimPrefix(text, column+" is ")
		if before := all["IF "+column]; before != "" {
			text = before + " and " + text
		}
		all["IF "+column] = text
	}
	return all
}

// moved lists in what two rules differ, as printed: conditions, what they say, and the terms of their formulas.
func moved(a, b words.RuleWording) []difference {
	all := differences(conditions(a), conditions(b))
	if x, y := a.Then.Says, b.Then.Says; x != y && x != "" && y != "" { // without its training rows a rule says nothing
		all = append(all, difference{"THEN", x, y})
	}
	before, order := terms(a)
	after, more := terms(b)
	for _, key := range append(order, more...) {
		if before[key] != after[key] {
			all = append(all, difference{key, before[key], after[key]})
			delete(before, key)
			delete(after, key)
		}
	}
	return all
}

// terms returns the terms of the formulas of a rule as printed, by what they are of, and these in order.
func terms(w words.RuleWording) (text map[string]string, order []string) {
	text = map[string]string{}
	said := w.Rule.Outputs
	if said == nil {
		said = []words.Said{{Then: w.Rule.Then, Terms: w.Rule.Terms}}
	}
	of := ""
	add := func(key, v string) {
		if v != "" {
			text[key+of], order = v, append(order, key+of)
		}
	}
	for _, f := range w.Formulas() {
		if len(said) > 1 {
			of = ", " + f.Label
		}
		for i, t := range f.Formula {
			number, rest, found := strings.Cut(strings.TrimLeft(t.Product, "+- "), " ")
			switch {
			case w.Rule.Fires != nil && len(f.Formula) == len(said[0].Terms): // the terms of a page say where they hold
				add(strings.TrimSpace("term of "+said[0].Terms[i].Column+" "+said[0].Terms[i].Level), t.Product)
			case strings.HasSuffix(rest, "curves") || strings.HasSuffix(rest, "curve"): // those of its own follow
			case len(f.Formula) == 1 && found:
				add("formula", t.Product)
			case !found:
				add("constant", t.Product)
			default:
				add("term of "+strings.TrimPrefix(rest, "if "), t.Product[:strings.Index(t.Product, number)+len(number)])
			}
		}
		add("small terms", f.Small)
	}
	for _, s := range said {
		for _, c := range s.Then.Curves {
			if of = ""; s.Output != "" {
				of = ", " + s.Output
			}
			add("curve of "+c.Feature, fmt.Sprintf("%.3g at %.3g", c.Y, c.X))
		}
	}
	return text, order
}
