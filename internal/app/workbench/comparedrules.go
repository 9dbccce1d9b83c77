package workbench

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
	Moved []difference `json:"moved"` // none: they are the same, to the digits printed
}

// one is a rule of one run.
type one struct {
	Name string `json:"name"`
	Text string `json:"text"` // IF ... THEN ...
	Rows int    `json:"rows"` // that it decides; -1: the rows are not known
	at   int    // in the description
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
	m.Note = "The rows are not here: only rules with the same conditions are matched."
	if r != nil {
		m.Note = fmt.Sprintf("Rules are matched by their conditions or, where these differ, by the rows they decide, of which %.0f%% at least "+
			"are the same.", 100*leastAlike)
	}
	if slices.ContainsFunc(s[:], func(of side) bool { return shares(of.described) }) {
		m.Note += " Curves, terms and tables that all rules share are not part of this."
	}
	rows, both := counts(r)
	ruled := func(i, k int) *one {
		of := &one{Name: said[i][k].Name, Text: said[i][k].Sentence(), Rows: -1, at: k}
		if r != nil {
			of.Rows = rows[i][k]
		}
		return of
	}
	var used [2]map[int]bool
	used[0], used[1] = map[int]bool{}, map[int]bool{}
	for _, c := range candidates(said, rows, both, s) {
		if i, j := c[0], c[1]; !used[0][i] && !used[1][j] {
			used[0][i], used[1][j] = true, true
			m.Pairs = append(m.Pairs, pair{ruled(0, i), ruled(1, j), both[c], moved(said[0][i], said[1][j])})
		}
	}
	for k := range said[0] {
		if !used[0][k] {
			m.Pairs = append(m.Pairs, pair{A: ruled(0, k)})
		}
	}
	slices.SortStableFunc(m.Pairs, func(p, q pair) int { return cmp.Or(cmp.Compare(q.A.Rows, p.A.Rows), cmp.Compare(p.A.at, q.A.at)) })
	for k := range said[1] {
		if !used[1][k] {
			m.Pairs = append(m.Pairs, pair{B: ruled(1, k)})
		}
	}
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

// mostMoved is the number of changes of a THEN part that are listed.
const mostMoved = 6

// moved lists in what two rules differ, to the digits printed: conditions, what they say, and slopes, those with the largest changes first.
func moved(a, b words.RuleWording) []difference {
	all := differences(conditions(a), conditions(b))
	if a.Then.Says != b.Then.Says {
		all = append(all, difference{"THEN", a.Then.Says, b.Then.Says})
	}
	before, x := consequents(a)
	after, y := consequents(b)
	then := differences(before, after)
	change := func(d difference) float64 { return math.Abs(x[d.Key] - y[d.Key]) }
	slices.SortStableFunc(then, func(p, q difference) int { return cmp.Compare(change(q), change(p)) })
	all = append(all, then[:min(len(then), mostMoved)]...)
	if more := len(then) - mostMoved; more > 0 {
		all = append(all, difference{Key: numeric.Counted(more, "smaller change") + " of the THEN part"})
	}
	return all
}

// consequents returns the numbers of a THEN part by what they are, as printed, and the effect of each.
func consequents(w words.RuleWording) (text map[string]string, effect map[string]float64) {
	text, effect = map[string]string{}, map[string]float64{}
	outputs, paged := w.Rule.Outputs, w.Rule.Fires != nil
	if outputs == nil {
		outputs = []words.Said{{Then: w.Rule.Then, Terms: w.Rule.Terms}}
	}
	for _, o := range outputs {
		of := ""
		if len(outputs) > 1 {
			of = " for " + o.Output
		}
		add := func(what string, v, by float64) {
			if v != 0 {
				text[what+of], effect[what+of] = numeric.Show(v, 3), by
			}
		}
		if !paged { // the page says it
			add("constant", o.Then.Intercept, o.Then.Intercept)
		}
		for i, t := range o.Terms {
			what := "slope of " + t.Column
			if t.Level != "" {
				what = "addition for " + t.Column + " " + t.Level
			}
			if add(what, t.Slope, t.Effect); paged && len(w.Then.Formula) == len(o.Terms) {
				text[what] = w.Then.Formula[i].Product // with the range where it holds
			}
		}
		for _, p := range o.Then.Coefficients {
			if o.Terms == nil {
				add("slope of "+p.Name, p.Value, p.Value)
			}
		}
		for _, c := range o.Then.Curves {
			var points []string
			for i, x := range c.X {
				points = append(points, numeric.Show(x, 3)+": "+numeric.Show(c.Y[i], 3))
			}
			text["curve of "+c.Feature+of] = strings.Join(points, ", ")
		}
	}
	return text, effect
}
