package workbench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// comparison is the result of compare.
type comparison struct {
	Rows     []difference `json:"rows"` // figures
	Settings []difference `json:"settings"`
	Rules    [2][]string  `json:"rules"`
	SameRows bool         `json:"same_rows"` // the errors are of the same test rows
	Note     string       `json:"note"`
	Matched  *matched     `json:"matched"`  // null for different targets
	Compared *compared    `json:"compared"` // null without rows that both runs read
	Without  string       `json:"without"`  // why there are none
}

// difference is a row of a table of two runs: a figure, or something that they have otherwise, such as a key of the configuration.
type difference struct {
	What   string `json:"what"`
	A      any    `json:"a"` // a number or a text; nil or empty: the run has none
	B      any    `json:"b"`
	Better string `json:"better,omitempty"` // a, b, or empty: alike, unknown, or no figure to compare by
	Rows   int    `json:"rows,omitempty"`   // that errors are of
}

// side is one of two runs.
type side struct {
	path      string
	model     *model.Model
	summary   *report.Summary
	values    map[string]string
	described words.Description
}

// name returns the name of the run.
func (s side) name() string { return filepath.Base(s.path) }

// answerCompare compares two runs.
func answerCompare(c call) (any, error) {
	var args struct {
		Runs  []string `json:"runs"`
		Table string   `json:"table"` // whose rows both predict; empty: a test part
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	if len(args.Runs) != 2 {
		return nil, message.Usagef("runs: want two names")
	}
	var s [2]side
	for i, run := range args.Runs {
		var err error
		if s[i], err = sideOf(c, run); err != nil {
			return nil, err
		}
	}
	a, b := s[0], s[1]
	same, err := runs.SameTest(a.path, b.path)
	if err != nil {
		return nil, err
	}
	targets := slices.Equal(a.model.Schema.Targets(), b.model.Schema.Targets())
	comparable := targets && a.summary.Metric == b.summary.Metric
	made := comparison{Rows: figures(a.summary, b.summary, comparable), Settings: settingsApart(a.values, b.values),
		Rules: [2][]string{sentences(a.described), sentences(b.described)}, SameRows: same && comparable}
	switch {
	case !targets:
		made.Note = "The runs predict different targets: their errors cannot be compared."
	case !comparable:
		made.Note = "The runs minimise different losses: of errors with different names, none is the lower one."
	case !same:
		made.Note = "The errors are of different test rows, and differ by chance, too. Runs on the same table with the same data.split and " +
			"data.split_seed have the same test rows."
	default:
		made.Note = "The errors are of the same test rows." + price(a, b) + price(b, a)
	}
	if !targets || !slices.Equal(a.model.Schema.Classes, b.model.Schema.Classes) {
		made.Without = "The runs predict different things: neither their rules nor their predictions are compared."
		return made, nil
	}
	r, without, err := commonRows(c, s, same, args.Table)
	if err != nil {
		return nil, err
	}
	if made.Matched = match(s, r); r == nil {
		made.Without = without
		return made, nil
	}
	made.Compared, err = r.compare(c, s, comparable)
	return made, err
}

// price says what the page of a run errs beside the rules of another one, which has no page; empty for other runs.
func price(page, other side) string {
	a, b := page.summary.Readability, other.summary.Readability
	_, of := errorsOf(page.summary)
	_, beside := errorsOf(other.summary)
	if a == nil || a.Page == nil || b == nil || b.Page != nil || of == nil || beside == nil || *beside <= 0 {
		return ""
	}
	return fmt.Sprintf(" The page of %s errs %s %s.", numeric.Counted(a.Page.Numbers, "number"), words.Than(*of / *beside),
		runs.RulesOf(other.summary, other.name()))
}

// sideOf reads a run.
func sideOf(c call, run string) (s side, err error) {
	if s.path, s.model, err = load(c, run); err != nil {
		return s, err
	}
	saved := prediction.Saved{Path: s.path, Most: prediction.ExportedRows}
	if s.described, err = prediction.Describe(c.ctx, io.Discard, s.model, saved); err != nil {
		return s, err
	}
	if s.summary, err = runs.ReadSummary(s.path); err != nil {
		return s, err
	}
	if s.summary == nil {
		return s, message.Usagef("runs: %q has no %s", run, runs.SummaryFile)
	}
	of, err := configOf(c.Bench, s.path)
	if err == nil {
		s.values = of.Values()
	}
	return s, err
}

// settingsApart returns the keys whose values differ, those of what is written aside.
func settingsApart(a, b map[string]string) []difference {
	both := maps.Clone(a)
	maps.Copy(both, b)
	maps.DeleteFunc(both, func(key, _ string) bool { return strings.HasPrefix(key, "output.") })
	return differences(slices.Sorted(maps.Keys(both)), a, b)
}

// differences returns the keys whose texts differ.
func differences(keys []string, a, b map[string]string) []difference {
	all := []difference{}
	for _, key := range keys {
		if a[key] != b[key] {
			all = append(all, difference{What: key, A: a[key], B: b[key]})
		}
	}
	return all
}

// figures returns the figures of two runs, of which at least one has each; comparable says whether their errors can be compared.
func figures(a, b *report.Summary, comparable bool) (all []difference) {
	add := func(what string, x, y *float64, sign float64) {
		if x != nil || y != nil {
			all = append(all, newFigure(what, x, y, sign))
		}
	}
	for _, part := range []struct{ key, name string }{{"_test", ", test"}, {"_train", ", training"}} {
		for _, m := range model.Measures {
			sign := 1.0
			switch {
			case !comparable:
				sign = 0
			case m.Higher:
				sign = -1
			}
			add(m.Name+part.name, a.Figures[m.Key+part.key], b.Figures[m.Key+part.key], sign)
		}
	}
	add("rules", new(float64(a.Rules)), new(float64(b.Rules)), 1)
	add("conditions per rule", &a.RuleLength, &b.RuleLength, 1)
	unknown := &words.Readability{}
	add("error of the strongest rule alone, over that of the model", cmp.Or(a.Readability, unknown).Fidelity,
		cmp.Or(b.Readability, unknown).Fidelity, 1)
	add("seconds", &a.Seconds, &b.Seconds, 0)
	return all
}

// newFigure returns a figure of two runs, without numbers that JSON cannot express; sign: 1 if lower is better, -1 if higher, 0 if neither.
func newFigure(what string, a, b *float64, sign float64) difference {
	f := difference{What: what}
	if a != nil && numeric.OrNil(*a) != nil {
		f.A = *a
	}
	if b != nil && numeric.OrNil(*b) != nil {
		f.B = *b
	}
	if f.A != nil && f.B != nil {
		switch d := sign * (*a - *b); {
		case d < 0:
			f.Better = "a"
		case d > 0:
			f.Better = "b"
		}
	}
	return f
}

// errorsOf returns the figure that models of the task are compared by, Summary.Metric, on the training part and on the test part;
// nil where the summary does not have it.
func errorsOf(s *report.Summary) (train, test *float64) {
	m, _ := model.MeasureOf(s.Metric)
	return s.Figures[m.Key+"_train"], s.Figures[m.Key+"_test"]
}
