package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/model"
)

// Tuning is the result of a search for settings: the content of its summary.json, which `tune --json` prints.
type Tuning struct {
	Dir        string  `json:"dir"`
	Config     string  `json:"config"` // path of the chosen configuration
	Table      string  `json:"table"`  // path of the table of trials
	Data       string  `json:"data"`
	Target     string  `json:"target"`
	Samples    int     `json:"samples_train"`
	Weighted   bool    `json:"weighted,omitempty"` // whether errors are weighted by the table's weights
	Duplicates int     `json:"duplicates"`         // training samples that repeat an earlier one
	Folds      int     `json:"folds"`
	Repeats    int     `json:"repeats"` // of the division into folds
	Split      string  `json:"split"`   // of the folds: random or chronological
	Stopped    string  `json:"stopped"` // completed or time
	Trials     int     `json:"trials"`  // made
	Fits       int     `json:"fits"`    // made, or loaded from an earlier run
	Seconds    float64 `json:"seconds"`

	Metric    string      `json:"metric"`    // by which trials are compared, see [model.Criterion]
	Starts    int         `json:"starts"`    // number of initial trials
	Best      *tune.Trial `json:"best"`      // the lowest loss over all folds
	Incumbent *tune.Trial `json:"incumbent"` // the initial trial that the others were compared with; nil if all failed
	Found     bool        `json:"found"`     // whether a trial is better than the incumbent by more than the noise
	// of these, the best or the simplest within one standard error of it; the incumbent if nothing was found
	Chosen *tune.Trial   `json:"chosen"`
	Tried  []*tune.Trial `json:"tried"` // all, in the order of drawing
}

// NewTuning returns the result of a search.
func NewTuning(r *tune.Result) *Tuning {
	return &Tuning{
		Samples: r.Samples, Weighted: r.Weighted, Duplicates: r.Duplicates, Folds: r.Folds, Repeats: r.Repeats, Split: r.Split,
		Stopped: r.Stopped, Trials: len(r.Trials), Fits: r.Fits,
		Metric: r.Metric, Starts: r.Starts, Best: r.Best, Incumbent: r.Incumbent, Found: r.Found, Chosen: r.Chosen, Tried: r.Trials,
	}
}

// Readability returns the figures of the chosen trial, means over the folds; nil if it has none.
func (t *Tuning) Readability() *words.Readability {
	if t.Chosen == nil || t.Chosen.Readability == nil {
		return nil
	}
	return &words.Readability{On: "the held-out folds of the chosen trial", IdleOn: "its training folds",
		Readability: *t.Chosen.Readability}
}

// Verdict says how the best trial compares with the incumbent, and which configuration is written.
func (t *Tuning) Verdict() string {
	var compared string
	switch {
	case t.Incumbent == nil:
		return fmt.Sprintf("No setting that the search started from could be trained; the configuration has the settings of trial %d.",
			t.Chosen.Number)
	case t.Best.Over >= 0:
		compared = "no other trial is better on the folds"
	default:
		percent := func(v float64) float64 { return 100 * v / t.Incumbent.Loss }
		compared = fmt.Sprintf("the %s of trial %d is %.2g%% lower, with a standard error of %.2g%%", t.Metric, t.Best.Number,
			percent(-t.Best.Over), percent(t.Best.SE))
	}
	if !t.Found {
		return fmt.Sprintf("Nothing better was found than the settings that the search started from: %s. The configuration keeps them.", compared)
	}
	return fmt.Sprintf("Better than trial %d, the settings that the search started from: %s. The configuration has the settings of trial "+
		"%d.", t.Incumbent.Number, compared, t.Chosen.Number)
}

// Role returns the roles of a trial, separated by commas: start, incumbent, best, chosen. Where a trial beyond the limit of
// fidelity has a lower loss, the best is "best within train.fidelity".
func (t *Tuning) Role(trial *tune.Trial) string {
	var roles []string
	best := "best"
	if slices.ContainsFunc(t.Tried, func(u *tune.Trial) bool { return u.Finished && u.Failed() == "" && u.Loss < t.Best.Loss }) {
		best = "best within train.fidelity"
	}
	for _, r := range []struct {
		is   bool
		name string
	}{{trial.Number <= t.Starts, "start"}, {trial == t.Incumbent, "incumbent"}, {trial == t.Best, best}, {trial == t.Chosen, "chosen"}} {
		if r.is {
			roles = append(roles, r.name)
		}
	}
	return strings.Join(roles, ", ")
}

// WriteCSV writes all trials in the order of drawing: settings, numbers of folds with short and with whole trainings and the mean loss of
// each (empty if there is none or one failed), its difference from the incumbent's with the standard error (for trials that succeeded on
// all folds), the mean figures of [model.Readability] (empty if not finite or a fit failed), the loss of each whole training by fold,
// roles, and why a trial failed.
func (t *Tuning) WriteCSV(w io.Writer) error {
	header := []string{"trial"}
	for _, k := range recipe.DrawnKeys() {
		header = append(header, k.Own())
	}
	loss := lossKey(t.Metric)
	header = append(header, "screening_folds", "screening_"+loss, "folds", loss, "over_incumbent", "se", "fidelity", "disagreement",
		"idle", "out_of_range")
	for f := range t.Repeats * t.Folds {
		header = append(header, fmt.Sprintf("%s_%d", loss, f+1))
	}
	rows := [][]string{append(header, "role", "failed")}
	for _, trial := range t.Tried {
		row := []string{strconv.Itoa(trial.Number)}
		for _, k := range recipe.DrawnKeys() {
			row = append(row, trial.Settings.Text(k.Own()))
		}
		row = append(append(row, t.errors(trial)...), readability(trial.Readability)...)
		for f := range t.Repeats * t.Folds {
			cell := ""
			if f < len(trial.Fits) {
				cell = positive(trial.Fits[f].Loss)
			}
			row = append(row, cell)
		}
		rows = append(rows, append(row, t.Role(trial), trial.Failed()))
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// errors formats the numbers of folds of a trial, its errors and its comparison.
func (t *Tuning) errors(trial *tune.Trial) []string {
	cells := []string{
		strconv.Itoa(len(trial.Screened)), positive(trial.ScreeningLoss()),
		strconv.Itoa(len(trial.Fits)), positive(trial.Loss), "", "",
	}
	if trial.Finished && trial.Failed() == "" && t.Incumbent != nil {
		cells[4], cells[5] = full(trial.Over), full(trial.SE)
	}
	return cells
}

// full formats a number with all its digits.
func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// positive formats a loss; empty for zero, which stands for none.
func positive(v float64) string {
	if v == 0 {
		return ""
	}
	return full(v)
}

// known formats a number with all its digits; empty for nil.
func known(v *float64) string {
	if v == nil {
		return ""
	}
	return full(*v)
}

// readability formats the four figures.
func readability(r *model.Readability) []string {
	if r == nil {
		return make([]string, 4)
	}
	return []string{known(r.Fidelity), known(r.Disagreement), full(r.Idle), full(r.OutOfRange)}
}

// lossKey returns what the columns of a table with figures of a criterion are named after: rmse, or loss for another criterion.
func lossKey(metric string) string {
	if metric == "RMSE" {
		return "rmse"
	}
	return "loss"
}

// WritePathCSV writes the steps of a pruning path, at least one, as CSV: rules, rmse_train, rmse_validation and standard_error (empty
// without a validation part), fidelity (empty if not finite), decision. With another criterion than RMSE the columns are loss_train and
// loss_validation.
func WritePathCSV(w io.Writer, steps []tskgraph.PathStep) error {
	figure := lossKey(steps[0].Metric)
	rows := [][]string{{"rules", figure + "_train", figure + "_validation", "standard_error", "fidelity", "decision"}}
	for _, s := range steps {
		rows = append(rows, []string{strconv.Itoa(s.Rules), full(s.LossTrain), known(s.LossValidation),
			known(s.StandardError), known(s.Fidelity), s.Decision})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
