package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/texttable"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/report"
	"github.com/tskgraph/tskgraph/tune"
)

// WriteTuning writes the trials that were measured on all folds as a table, the best
// first.
func WriteTuning(w io.Writer, t *report.Tuning) error {
	var finished []*tune.Trial
	for _, trial := range t.Tried {
		if trial.Finished {
			finished = append(finished, trial)
		}
	}
	slices.SortStableFunc(finished, func(a, b *tune.Trial) int { // those that failed have no RMSE and come last
		return cmp.Or(cmp.Compare(len(a.Failed()), len(b.Failed())), cmp.Compare(a.RMSE, b.RMSE))
	})
	var b strings.Builder
	table := texttable.New(&b, 0)
	table.Header("trial", "rules", "membership", "features", "start", "droprule", "l2", "iterations", "learning rate", "RMSE", "over the best", "")
	for _, trial := range finished {
		s := trial.Settings
		rmse, over := figure(trial.RMSE), ""
		switch {
		case trial.Failed() != "":
			rmse = "failed"
		case trial != t.Best:
			over = fmt.Sprintf("%.2g ± %.2g", trial.Over, trial.SE)
		}
		features := "all"
		if s.Antecedents > 0 {
			features = setting(s.Antecedents)
		}
		table.Append(strconv.Itoa(trial.Number), strconv.Itoa(s.Rules), s.Membership, features, s.Init, setting(s.DropRule), setting(s.L2),
			strconv.Itoa(s.Iterations), setting(s.LearningRate), rmse, over, t.Role(trial))
	}
	if err := table.Render(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "%d trials, %d fits on %d times %d %s folds of %d %s; the others were dropped on fewer folds\n", t.Trials, t.Fits, t.Repeats, t.Folds, t.Split, t.Samples, weighted.Samples(t.Weighted))
	_, err := io.WriteString(w, b.String())
	return err
}
