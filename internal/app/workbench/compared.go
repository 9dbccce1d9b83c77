package workbench

import (
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
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// comparison is the result of compare.
type comparison struct {
	Rows     []figure     `json:"rows"`
	Settings []difference `json:"settings"`
	Rules    struct {
		A []said `json:"a"`
		B []said `json:"b"`
	} `json:"rules"`
	SameRows bool      `json:"same_rows"` // the errors are of the same test rows
	Note     string    `json:"note"`
	Matched  *matched  `json:"matched"`  // null for different targets
	Compared *compared `json:"compared"` // null without rows that both runs read
	Without  string    `json:"without"`  // why there are none
}

// figure is a figure of two runs; null where a run has none.
type figure struct {
	What   string   `json:"what"`
	A      *float64 `json:"a"`
	B      *float64 `json:"b"`
	Better string   `json:"better"` // a, b, or empty: alike, unknown, or no figure to compare by
}

// difference is a key of the configuration in which two runs differ.
type difference struct {
	Key string `json:"key"`
	A   string `json:"a"` // YAML; empty: without effect
	B   string `json:"b"`
}

// side is one of two runs.
type side struct {
	path      string
	model     *model.Model
	summary   *report.Summary
	values    map[string]string
	described words.Description
	target    string
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
	var sides [2]side
	for i, run := range args.Runs {
		var err error
		if sides[i], err = sideOf(c, run); err != nil {
			return nil, err
		}
	}
	a, b := sides[0], sides[1]
	made := comparison{Settings: differences(a.values, b.values)}
	made.Rules.A, made.Rules.B = sentences(a.described), sentences(b.described)
	same, err := runs.SameTest(a.path, b.path)
	if err != nil {
		return nil, err
	}
	comparable := a.target == b.target && a.summary.Metric == b.summary.Metric
	made.SameRows = same && comparable
	switch {
	case a.target != b.target:
		made.Note = "The runs predict different targets: their errors cannot be compared."
	case !comparable:
		made.Note = "The runs minimise different losses: of errors with different names, none is the lower one."
	case !same:
		made.Note = "The errors are of different test rows, and differ by chance, too. Runs on the same table with the same data.split and " +
			"data.split_seed have the same test rows."
	default:
		made.Note = "The errors are of the same test rows."
	}
	if made.SameRows {
		made.Note += price(a, b) + price(b, a)
	}
	made.Rows = figures(a.summary, b.summary, comparable)
	if a.target == b.target && slices.Equal(a.model.Schema.Classes, b.model.Schema.Classes) {
		return made, made.meet(c, sides, same, args.Table, comparable)
	}
	made.Without = "The runs predict different things: neither their rules nor their predictions are compared."
	return made, nil
}

// meet compares the rules of two runs with the same target, and what they do on the same rows.
func (made *comparison) meet(c call, sides [2]side, same bool, table string, comparable bool) error {
	r, why, err := commonRows(c, sides, same, table)
	if err != nil {
		return err
	}
	if r == nil {
		made.Without, made.Matched = why, match(sides, nil)
		return nil
	}
	if !sides[0].model.Committee() && !sides[1].model.Committee() {
		if err := r.decide(sides); err != nil {
			return err
		}
	}
	made.Matched = match(sides, r)
	made.Compared, err = compareRows(c, sides, r, comparable)
	return err
}

// price says what the page of a run errs beside the rules of another one, which has no page; empty for other runs.
func price(page, other side) string {
	a, b := page.summary.Readability, other.summary.Readability
	if a == nil || a.Page == nil || b == nil || b.Page != nil {
		return ""
	}
	_, of := errorsOf(page.summary)
	_, beside := errorsOf(other.summary)
	if of == nil || beside == nil || *beside <= 0 {
		return ""
	}
	return fmt.Sprintf(" The page of %s errs %s %s.", numeric.Counted(a.Page.Numbers, "number"), words.Than(*of / *beside),
		runs.RulesOf(other.summary, other.name()))
}

// sideOf reads a run.
func sideOf(c call, run string) (s side, err error) {
	path, m, err := load(c, run)
	if err != nil {
		return s, err
	}
	d, err := prediction.Describe(c.ctx, io.Discard, m, prediction.Saved{Path: path, Most: prediction.ExportedRows})
	if err != nil {
		return s, err
	}
	s = side{path: path, model: m, described: d, target: strings.Join(m.Schema.Targets(), ", ")}
	if s.summary, err = runs.ReadSummary(path); err != nil {
		return s, err
	}
	if s.summary == nil {
		return s, message.Usagef("runs: %q has no %s", run, runs.SummaryFile)
	}
	var of *config.Config
	if of, err = configOf(c.Bench, path); err == nil {
		s.values = of.Values()
		maps.DeleteFunc(s.values, func(key, _ string) bool { return strings.HasPrefix(key, "output.") })
	}
	return s, err
}

// differences returns the keys whose texts differ.
func differences(a, b map[string]string) []difference {
	all := []difference{}
	both := maps.Clone(a)
	maps.Copy(both, b)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if a[key] != b[key] {
			all = append(all, difference{key, a[key], b[key]})
		}
	}
	return all
}

// figures returns the figures of two runs, of which at least one has each; comparable says whether their errors can be compared.
func figures(a, b *report.Summary, comparable bool) []figure {
	all := []figure{}
	for i, x := range measuresOf(a) {
		y := measuresOf(b)[i]
		if x.value == nil && y.value == nil {
			continue
		}
		if x.isError && !comparable {
			x.sign = 0
		}
		all = append(all, newFigure(x.name, finite(x.value), finite(y.value), x.sign))
	}
	return all
}

// newFigure returns a figure of two runs; sign is that of a measure.
func newFigure(what string, a, b *float64, sign float64) figure {
	f := figure{What: what, A: a, B: b}
	if a != nil && b != nil {
		switch d := sign * (*a - *b); {
		case d < 0:
			f.Better = "a"
		case d > 0:
			f.Better = "b"
		}
	}
	return f
}

// finite returns nil for a number that JSON cannot express.
func finite(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return numeric.OrNil(*v)
}

// measure is a figure of a run.
type measure struct {
	name    string
	value   *float64 // nil: the run has none
	sign    float64  // 1: lower is better, -1: higher, 0: neither
	isError bool
}

// measuresOf returns the same measures in the same order for every run.
func measuresOf(s *report.Summary) (all []measure) {
	for _, part := range []struct{ key, name string }{{"_test", ", test"}, {"_train", ", training"}} {
		for _, m := range model.Measures {
			sign := 1.0
			if m.Higher {
				sign = -1
			}
			all = append(all, measure{m.Name + part.name, s.Figures[m.Key+part.key], sign, true})
		}
	}
	var fidelity *float64
	if s.Readability != nil {
		fidelity = s.Readability.Fidelity
	}
	rules, seconds := float64(s.Rules), s.Seconds
	return append(all,
		measure{"rules", &rules, 1, false},
		measure{"conditions per rule", &s.RuleLength, 1, false},
		measure{"error of the strongest rule alone, over that of the model", fidelity, 1, false},
		measure{"seconds", &seconds, 0, false})
}

// errorsOf returns the figure that models of the task are compared by, Summary.Metric, on the training part and on the test part;
// nil where the summary does not have it.
func errorsOf(s *report.Summary) (train, test *float64) {
	m, _ := model.MeasureOf(s.Metric)
	return s.Figures[m.Key+"_train"], s.Figures[m.Key+"_test"]
}
