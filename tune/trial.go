package tune

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
)

// Trial is a point of the space and what was measured there.
type Trial struct {
	Number   int      `json:"trial"` // from 1, the settings that the search started from
	Settings Settings `json:"settings"`
	Fits     []Fit    `json:"fits"`     // by fold, as far as the trial got
	RMSE     float64  `json:"rmse"`     // mean over these folds, in the target's unit; 0 if one failed
	SE       float64  `json:"se"`       // standard error of the mean; 0 of a single fold
	Finished bool     `json:"finished"` // measured on all folds
}

// Fit is what became of a trial on one fold.
type Fit struct {
	RMSE   float64 `json:"rmse"`             // on the fold, of a model trained on the others; 0 if it failed
	Failed string  `json:"failed,omitempty"` // why training failed, such as that it diverged
}

// Failed returns why a fit of the trial failed; empty if none did.
func (t *Trial) Failed() string {
	for _, f := range t.Fits {
		if f.Failed != "" {
			return f.Failed
		}
	}
	return ""
}

// sumUp sets what follows from the fits.
func (t *Trial) sumUp(folds int) {
	n := float64(len(t.Fits))
	t.RMSE, t.SE, t.Finished = 0, 0, len(t.Fits) == folds
	if n == 0 || t.Failed() != "" {
		return
	}
	for _, f := range t.Fits {
		t.RMSE += f.RMSE / n
	}
	for _, f := range t.Fits {
		t.SE += (f.RMSE - t.RMSE) * (f.RMSE - t.RMSE)
	}
	if n > 1 {
		t.SE = math.Sqrt(t.SE / (n - 1) / n)
	}
}

// byRMSE orders trials of equally many fits: the better first, those that failed
// last, and by number where nothing else tells.
func byRMSE(a, b *Trial) int {
	fa, fb := a.Failed() != "", b.Failed() != ""
	switch {
	case fa != fb && fa:
		return 1
	case fa != fb:
		return -1
	}
	return cmp.Or(cmp.Compare(a.RMSE, b.RMSE), cmp.Compare(a.Number, b.Number))
}

// simpler orders trials: fewer rules first, then fewer parameters of the shape,
// then fewer iterations, then the larger penalty, then the lower RMSE.
func simpler(parameters map[string]int) func(a, b *Trial) int {
	return func(a, b *Trial) int {
		s, t := a.Settings, b.Settings
		return cmp.Or(
			cmp.Compare(s.Rules, t.Rules),
			cmp.Compare(parameters[s.Membership], parameters[t.Membership]),
			cmp.Compare(s.Iterations, t.Iterations),
			cmp.Compare(t.L2, s.L2),
			byRMSE(a, b),
		)
	}
}

// choose returns the best of the finished trials, and the one to take: the best
// itself, or the simplest within one standard error of it. Both are nil if no trial
// succeeded on all folds.
func choose(trials []*Trial, how string, shapes []membership.Function) (best, chosen *Trial) {
	var finished []*Trial
	for _, t := range trials {
		if t.Finished && t.Failed() == "" {
			finished = append(finished, t)
		}
	}
	if len(finished) == 0 {
		return nil, nil
	}
	best = slices.MinFunc(finished, byRMSE)
	if how == chooseBest {
		return best, best
	}
	parameters := map[string]int{}
	for _, f := range shapes {
		parameters[f.Name()] = len(f.Params())
	}
	near := slices.DeleteFunc(finished, func(t *Trial) bool { return t.RMSE > best.RMSE+best.SE })
	return best, slices.MinFunc(near, simpler(parameters))
}

// fitOn trains with the options on one part of a fold and measures on the other.
// An error is returned only if ctx ended.
func fitOn(ctx context.Context, d *data.Dataset, f fold, o tskgraph.Options) (Fit, error) {
	result, err := tskgraph.Train(ctx, d.Subset(f.train), nil, o)
	if ctx.Err() != nil {
		return Fit{}, ctx.Err()
	}
	if err != nil {
		return Fit{Failed: err.Error()}, nil
	}
	e, err := result.Model.Evaluate(d.Subset(f.test))
	if err != nil {
		return Fit{Failed: err.Error()}, nil
	}
	return Fit{RMSE: e.RMSE}, nil
}
