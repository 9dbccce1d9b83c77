package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// WriteTuning writes the trials that were measured on all folds as a table, the best first.
func WriteTuning(w io.Writer, t *report.Tuning) error {
	var finished []*tune.Trial
	for _, trial := range t.Tried {
		if trial.Finished {
			finished = append(finished, trial)
		}
	}
	slices.SortStableFunc(finished, func(a, b *tune.Trial) int { // failed trials have no loss and are last
		return cmp.Or(cmp.Compare(len(a.Failed()), len(b.Failed())), cmp.Compare(a.Loss, b.Loss))
	})
	var b strings.Builder
	table := texttable.New(&b, 0)
	header := []any{"trial"}
	for _, k := range shown() {
		header = append(header, k.Draw.Heading)
	}
	table.Header(append(header, t.Metric, "over the incumbent", "fidelity", "")...)
	for _, trial := range finished {
		loss, over := figure(trial.Loss), ""
		switch {
		case trial.Failed() != "":
			loss = "failed"
		case t.Incumbent != nil && trial != t.Incumbent:
			over = fmt.Sprintf("%.2g ± %.2g", trial.Over, trial.SE)
		}
		row := []any{strconv.Itoa(trial.Number)}
		for _, k := range shown() {
			row = append(row, drawn(k, trial.Settings))
		}
		table.Append(append(row, loss, over, fidelity(trial), t.Role(trial))...)
	}
	if err := table.Render(); err != nil {
		return err
	}
	repeats := ""
	if t.Repeats > 1 {
		repeats = fmt.Sprintf("%d times ", t.Repeats)
	}
	fmt.Fprintf(&b, "%d trials, %d fits on %s%d %s folds of %d %s; the others were dropped before\n", t.Trials, t.Fits, repeats, t.Folds, t.Split, t.Samples, weighted.Samples(t.Weighted))
	fmt.Fprintf(&b, "%s\n", t.Verdict())
	if r := t.Readability(); r != nil {
		fmt.Fprintf(&b, "%s\n", r)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fidelity formats the mean fidelity of a trial; empty if it has none.
func fidelity(trial *tune.Trial) string {
	if trial.Readability == nil || trial.Readability.Fidelity == nil {
		return ""
	}
	return strconv.FormatFloat(*trial.Readability.Fidelity, 'f', 2, 64)
}

// shown returns the keys of the columns of the table of trials.
func shown() []recipe.Key {
	return slices.DeleteFunc(recipe.DrawnKeys(), func(k recipe.Key) bool { return k.Draw.Heading == "" })
}

// drawn formats the value of a key in a trial.
func drawn(k recipe.Key, s recipe.Setting) string {
	v, isNumber := s[k.Own()].(float64)
	switch {
	case isNumber && v == 0 && k.Draw.ZeroIsAll:
		return "all"
	case isNumber:
		return setting(v)
	}
	return s.Text(k.Own())
}
