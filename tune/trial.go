package tune

import (
	"cmp"
	"context"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/paired"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// Trial is a point of the space and what was measured there.
type Trial struct {
	Number   int            `json:"trial"`    // from 1, the settings that the search started from
	Settings recipe.Setting `json:"settings"` // of [recipe.DrawnKeys]; a shape is a membership.Function
	Fits     []Fit          `json:"fits"`     // by fold, as far as the trial got
	RMSE     float64        `json:"rmse"`     // mean over these folds, in the target's unit; 0 if one failed
	Finished bool           `json:"finished"` // measured on all folds

	// Readability says whether the rules can be read one by one: the mean over the folds; nil if
	// a fit failed or has none.
	Readability *model.Readability `json:"readability,omitempty"`

	// Over is by how much the RMSE of a finished trial is above the best one's, SE the
	// standard error of that: of the mean, over the folds, of the differences between
	// the two trials on the same fold, which share training samples (Nadeau and Bengio 2003).
	Over float64 `json:"over_best"`
	SE   float64 `json:"se"`
}

// Fit is what became of a trial on one fold.
type Fit struct {
	RMSE   float64 `json:"rmse"`             // on the fold, of a model trained on the others; 0 if it failed
	Failed string  `json:"failed,omitempty"` // why training failed, such as that it diverged

	// Readability is measured on the fold, idle rules on the others; nil if training failed, or
	// in a search of an older version.
	Readability *model.Readability `json:"readability,omitempty"`
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

// sumUp sets the mean RMSE and readability, and whether the trial is finished.
func (t *Trial) sumUp(folds int) {
	n := float64(len(t.Fits))
	t.RMSE, t.Readability, t.Finished = 0, nil, len(t.Fits) == folds
	if n == 0 || t.Failed() != "" {
		return
	}
	var measured []model.Readability
	for _, f := range t.Fits {
		t.RMSE += f.RMSE / n
		if f.Readability != nil {
			measured = append(measured, *f.Readability)
		}
	}
	if len(measured) == len(t.Fits) {
		mean := model.MeanReadability(measured)
		t.Readability = &mean
	}
}

// compare sets Over and SE of a trial that succeeded on all folds, as the best did.
// heldToTrain is the number of samples of a fold over that of its training samples.
func (t *Trial) compare(best *Trial, heldToTrain float64) {
	over := make([]float64, len(t.Fits)) // two at least
	for f := range t.Fits {
		over[f] = t.Fits[f].RMSE - best.Fits[f].RMSE
	}
	_, sd := meanSD(over, nil)
	t.Over, t.SE = t.RMSE-best.RMSE, paired.StdErr(sd, len(over), heldToTrain)
}

// byRMSE orders trials of equally many fits: the better first, those that failed
// last, and by number where nothing else differs.
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

// simpler orders trials by what there is to read in their models: fewer rules first,
// then shorter ones, then fewer parameters of the shape; then by RMSE.
func simpler(a, b *Trial) int {
	s, t := a.Settings, b.Settings
	return cmp.Or(
		cmp.Compare(s.Number("rules"), t.Number("rules")),
		cmp.Compare(length(s.Number("antecedents")), length(t.Number("antecedents"))),
		cmp.Compare(parameters(s), parameters(t)),
		byRMSE(a, b),
	)
}

// parameters is how many parameters the shape has.
func parameters(s recipe.Setting) int {
	f, ok := s["membership"].(membership.Function)
	if !ok {
		return 0
	}
	return len(f.Params())
}

// tolerance bounds what simplicity may cost where RMSEs differ so much from fold to fold
// that the standard error says little.
const tolerance = 0.01

// succeeded returns the trials that were measured on all folds and failed on none.
func succeeded(trials []*Trial) []*Trial {
	var good []*Trial
	for _, t := range trials {
		if t.Finished && t.Failed() == "" {
			good = append(good, t)
		}
	}
	return good
}

// choose returns the best of the trials that succeeded, and the one to take: the best
// itself, or the simplest that is not worse than it by more than one standard error of
// the difference, nor by more than the tolerance. Both are nil if none succeeded.
func choose(trials []*Trial, how string, heldToTrain float64) (best, chosen *Trial) {
	good := succeeded(trials)
	if len(good) == 0 {
		return nil, nil
	}
	best = slices.MinFunc(good, byRMSE)
	for _, t := range good {
		t.compare(best, heldToTrain)
	}
	if how == chooseBest {
		return best, best
	}
	near := slices.DeleteFunc(good, func(t *Trial) bool { return t.Over > min(t.SE, tolerance*best.RMSE) })
	return best, slices.MinFunc(near, simpler)
}

// fitOn trains on one part of a fold and measures on the other. It
// also returns where the rules started, nil if that is of no use to another training.
// An error is returned only if ctx ended.
func fitOn(ctx context.Context, d *data.Dataset, f data.Fold, run tskgraph.Run) (Fit, *rules.Clusters, error) {
	training, held := d.Subset(f.Train), d.Subset(f.Held)
	result, err := run.Train(ctx, training, nil)
	if ctx.Err() != nil {
		return Fit{}, nil, ctx.Err()
	}
	if err != nil {
		return Fit{Failed: err.Error()}, nil, nil
	}
	e, err := result.Model.Evaluate(held)
	if err != nil {
		return Fit{Failed: err.Error()}, nil, nil
	}
	r, err := model.MeasureReadability(result.Model, held, training)
	if err != nil {
		return Fit{Failed: err.Error()}, nil, nil
	}
	return Fit{RMSE: e.RMSE, Readability: &r}, result.Start, nil
}
