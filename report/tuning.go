package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/describe"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
	"github.com/tskgraph/tskgraph/tune"
)

// Tuning is the result of a search for settings: the content of its summary.json, which
// `tune --json` prints.
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

	Starts int           `json:"starts"` // number of initial trials
	Best   *tune.Trial   `json:"best"`   // the lowest RMSE over all folds
	Chosen *tune.Trial   `json:"chosen"` // the best, or the simplest within one standard error of it
	Tried  []*tune.Trial `json:"tried"`  // all, in the order of drawing
}

// NewTuning returns the result of a search.
func NewTuning(r *tune.Result) *Tuning {
	return &Tuning{
		Samples: r.Samples, Weighted: r.Weighted, Duplicates: r.Duplicates, Folds: r.Folds, Repeats: r.Repeats, Split: r.Split, Stopped: r.Stopped, Trials: len(r.Trials), Fits: r.Fits,
		Starts: r.Starts, Best: r.Best, Chosen: r.Chosen, Tried: r.Trials,
	}
}

// Readability returns the figures of the chosen trial, means over the folds; nil if it has none.
func (t *Tuning) Readability() *describe.Readability {
	if t.Chosen == nil || t.Chosen.Readability == nil {
		return nil
	}
	return &describe.Readability{On: "the held-out folds of the chosen trial", IdleOn: "its training folds", Readability: *t.Chosen.Readability}
}

// Role returns the roles of a trial, separated by commas: start, best, chosen.
func (t *Tuning) Role(trial *tune.Trial) string {
	var roles []string
	for _, r := range []struct {
		is   bool
		name string
	}{{trial.Number <= t.Starts, "start"}, {trial == t.Best, "best"}, {trial == t.Chosen, "chosen"}} {
		if r.is {
			roles = append(roles, r.name)
		}
	}
	return strings.Join(roles, ", ")
}

// WriteCSV writes all trials in the order of drawing: settings, mean RMSE over the folds
// measured, its difference from the best trial's with the standard error (for trials that
// succeeded on all folds), the mean figures of [model.Readability] (empty if not finite or a
// fit failed), the RMSE of each fold (empty if it was not measured or failed),
// roles, and why a trial failed.
func (t *Tuning) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := []string{"trial"}
	for _, k := range recipe.DrawnKeys() {
		header = append(header, k.Own())
	}
	header = append(header, "folds", "rmse", "over_best", "se", "fidelity", "disagreement", "idle", "out_of_range")
	for f := range t.Repeats * t.Folds {
		header = append(header, fmt.Sprintf("rmse_%d", f+1))
	}
	rows := [][]string{append(header, "role", "failed")}
	full := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for _, trial := range t.Tried {
		row := []string{strconv.Itoa(trial.Number)}
		for _, k := range recipe.DrawnKeys() {
			row = append(row, trial.Settings.Text(k.Own()))
		}
		row = append(row, strconv.Itoa(len(trial.Fits)))
		errors := []string{"", "", ""}
		if trial.Failed() == "" {
			errors[0] = full(trial.RMSE)
			if trial.Finished {
				errors[1], errors[2] = full(trial.Over), full(trial.SE)
			}
		}
		row = append(append(row, errors...), readability(trial.Readability)...)
		for f := range t.Repeats * t.Folds {
			cell := ""
			if f < len(trial.Fits) && trial.Fits[f].Failed == "" {
				cell = full(trial.Fits[f].RMSE)
			}
			row = append(row, cell)
		}
		rows = append(rows, append(row, t.Role(trial), trial.Failed()))
	}
	return out.WriteAll(rows)
}

// readability formats the four figures.
func readability(r *model.Readability) []string {
	cells := make([]string, 4)
	if r == nil {
		return cells
	}
	for i, v := range []*float64{r.Fidelity, r.Disagreement, &r.Idle, &r.OutOfRange} {
		if v != nil {
			cells[i] = strconv.FormatFloat(*v, 'g', -1, 64)
		}
	}
	return cells
}
