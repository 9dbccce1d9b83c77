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
		A []string `json:"a"`
		B []string `json:"b"`
	} `json:"rules"`
	SameRows bool   `json:"same_rows"` // the errors are of the same test rows
	Note     string `json:"note"`
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
	path    string
	summary *report.Summary
	values  map[string]string
	rules   []string
	target  string
}

// answerCompare compares two runs.
func answerCompare(c call) (any, error) {
	var args struct {
		Runs []string `json:"runs"`
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
	made.Rules.A, made.Rules.B = a.rules, b.rules
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
	return made, nil
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
		runs.RulesOf(other.summary, filepath.Base(other.path)))
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
	s = side{path: path, rules: sentences(d), target: strings.Join(m.Schema.Targets(), ", ")}
	if s.summary, err = runs.ReadSummary(path); err != nil {
		return s, err
	}
	if s.summary == nil {
		return s, message.Usagef("runs: %q has no %s", run, runs.SummaryFile)
	}
	var of *config.Config
	if of, err = configOf(c.Bench, path); err == nil {
		s.values = of.Values()
	}
	return s, err
}

// differences returns the keys in which configurations differ, those of the output aside.
func differences(a, b map[string]string) []difference {
	all := []difference{}
	both := maps.Clone(a)
	maps.Copy(both, b)
	for _, key := range slices.Sorted(maps.Keys(both)) {
		if a[key] != b[key] && !strings.HasPrefix(key, "output.") {
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
		f := figure{What: x.name, A: finite(x.value), B: finite(y.value)}
		if f.A != nil && f.B != nil && x.sign != 0 && (comparable || !x.isError) {
			switch d := x.sign * (*f.A - *f.B); {
			case d < 0:
				f.Better = "a"
			case d > 0:
				f.Better = "b"
			}
		}
		all = append(all, f)
	}
	return all
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
