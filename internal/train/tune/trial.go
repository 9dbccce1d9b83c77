package tune

import (
	"cmp"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/paired"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// Trial is a point of the space and what was measured there.
type Trial struct {
	Number   int            `json:"trial"`              // from 1, the settings that the search started from
	Settings recipe.Setting `json:"settings"`           // of [recipe.DrawnKeys]; a shape is a membership.Function
	Screened []Fit          `json:"screened,omitempty"` // short trainings by fold, as far as the trial got; nil if trials are screened by whole ones
	Fits     []Fit          `json:"fits"`               // whole trainings by fold, as far as the trial got
	Metric   string         `json:"metric"`             // name of the criterion whose figures are compared, see [model.Criterion]
	Loss     float64        `json:"loss"`               // mean of Fits; 0 if there is none or one failed
	Finished bool           `json:"finished"`           // whether Fits has all folds

	// Readability measures whether the rules can be read one by one: the mean of Fits; nil if
	// there is none or one failed.
	Readability *model.Readability `json:"readability,omitempty"`

	// Over is the loss of a finished trial less that of [Result].Incumbent, and SE the standard
	// error of this mean of paired differences, which share training samples (Nadeau and Bengio
	// 2003).
	Over float64 `json:"over_incumbent"`
	SE   float64 `json:"se"`
}

// Fit is the result of a trial on one fold.
type Fit struct {
	Loss   float64 `json:"loss"`             // figure of the criterion on the fold, of a model trained on the others; 0 if it failed
	Failed string  `json:"failed,omitempty"` // why training failed, such as that it diverged

	// Readability is measured on the fold, idle rules on the others; nil if training failed.
	Readability *model.Readability `json:"readability,omitempty"`
}

// length is whether trainings make all their updates.
type length int

const (
	whole length = iota
	short
)

// on returns the trainings of a length.
func (t *Trial) on(l length) []Fit {
	if l == short {
		return t.Screened
	}
	return t.Fits
}

// Failed returns why a fit of the trial failed; empty if none did.
func (t *Trial) Failed() string { return cmp.Or(failure(t.Screened), failure(t.Fits)) }

// failure returns why a fit failed; empty if none did.
func failure(fits []Fit) string {
	for _, f := range fits {
		if f.Failed != "" {
			return f.Failed
		}
	}
	return ""
}

// ScreeningLoss returns the mean of Screened; 0 if there is none or one failed.
func (t *Trial) ScreeningLoss() float64 { return meanLoss(t.Screened) }

// meanLoss returns the mean over fits; 0 if there is none or one failed.
func meanLoss(fits []Fit) float64 {
	sum := 0.0
	for _, f := range fits {
		if f.Failed != "" {
			return 0
		}
		sum += f.Loss
	}
	return sum / float64(max(1, len(fits)))
}

// readability returns the mean over fits; nil if there is none or one has none.
func readability(fits []Fit) *model.Readability {
	var measured []model.Readability
	for _, f := range fits {
		if f.Readability == nil || f.Failed != "" {
			return nil
		}
		measured = append(measured, *f.Readability)
	}
	if len(measured) == 0 {
		return nil
	}
	mean := model.MeanReadability(measured)
	return &mean
}

// sumUp sets the mean loss and readability, and whether the trial is finished on so many folds.
func (t *Trial) sumUp(folds int) {
	t.Loss, t.Readability, t.Finished = meanLoss(t.Fits), readability(t.Fits), len(t.Fits) == folds
}

// beyond returns the mean fidelity of fits that exceeds a limit, infinite if it is not
// known; 0 within the limit, and without one (0).
func beyond(fits []Fit, limit float64) float64 {
	if limit == 0 {
		return 0
	}
	fidelity := math.Inf(1)
	if r := readability(fits); r != nil && r.Fidelity != nil {
		fidelity = *r.Fidelity
	}
	if fidelity <= limit {
		return 0
	}
	return fidelity
}

// difference returns by how much the loss of a finished trial exceeds that of another, and
// the standard error. heldToTrain is the number of samples of a fold over that of its
// training samples.
func difference(t, other *Trial, heldToTrain float64) (over, se float64) {
	differences := make([]float64, len(t.Fits)) // two at least
	for f := range t.Fits {
		differences[f] = t.Fits[f].Loss - other.Fits[f].Loss
	}
	over, sd := meanSD(differences, nil)
	return over, paired.StdErr(sd, len(differences), heldToTrain)
}
