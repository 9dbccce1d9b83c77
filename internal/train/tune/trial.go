package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// Trial is a point of the space and what was measured there.
type Trial struct {
	Number   int            `json:"trial"`    // from 1, the settings that the search started from
	Settings recipe.Setting `json:"settings"` // of [recipe.DrawnKeys]; a shape is a membership.Function
	// short trainings by fold, as far as the trial got; nil if trials are screened by whole ones
	Screened []Fit   `json:"screened,omitempty"`
	Fits     []Fit   `json:"fits"`     // whole trainings by fold, as far as the trial got
	Metric   string  `json:"metric"`   // name of the criterion whose figures are compared, see [model.Criterion]
	Loss     float64 `json:"loss"`     // mean of Fits; 0 if there is none or one failed
	Finished bool    `json:"finished"` // whether Fits has all folds

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

// task returns the task of a training on a fold.
func (t *Trial) task(fold int, l length) Task {
	return Task{t.Number, t.Settings.String(), fold, l == short}
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
	return over, metric.PairedStdErr(sd, len(differences), heldToTrain)
}

const (
	// NoiseSE is the number of standard errors by which the loss of a trial must be below the
	// incumbent's to replace it. The best of many trials is partly the luckiest.
	NoiseSE = 1.0

	// tolerance bounds what simplicity may cost where losses differ so much from fold to fold
	// that the standard error says little.
	tolerance = 0.01
)

// judge compares trials.
type judge struct {
	fidelity    float64 // limit, see recipe.Train; 0: none
	heldToTrain float64 // samples of a fold over its training samples
	how         string  // [Options].Choose
}

// compareBy orders trials of equally many fits of a length: those that failed last, those
// beyond the limit of fidelity by it before them, the others first by their loss; by number
// where nothing else differs.
func (j judge) compareBy(l length) func(a, b *Trial) int {
	failed := func(fits []Fit) int { return min(1, len(failure(fits))) }
	return func(a, b *Trial) int {
		u, v := a.on(l), b.on(l)
		return cmp.Or(
			cmp.Compare(failed(u), failed(v)),
			cmp.Compare(beyond(u, j.fidelity), beyond(v, j.fidelity)),
			cmp.Compare(meanLoss(u), meanLoss(v)),
			cmp.Compare(a.Number, b.Number),
		)
	}
}

// finished returns the trials that were trained on all folds without a failure, the best first.
func (j judge) finished(trials []*Trial) []*Trial {
	good := slices.DeleteFunc(slices.Clone(trials), func(t *Trial) bool { return !t.Finished || t.Failed() != "" })
	slices.SortFunc(good, j.compareBy(whole))
	return good
}

// better returns the trials that may replace the incumbent, the best first: finished, within
// the limit of fidelity, and with a loss below the incumbent's by more than the noise. All
// may replace an incumbent that failed (nil).
func (j judge) better(trials []*Trial, incumbent *Trial) []*Trial {
	return slices.DeleteFunc(j.finished(trials), func(t *Trial) bool {
		if beyond(t.Fits, j.fidelity) > 0 {
			return true
		}
		if incumbent == nil {
			return false
		}
		over, se := difference(t, incumbent, j.heldToTrain)
		return !(over < -NoiseSE*se)
	})
}

// choose returns the one of the better trials to take, the best of which is first: the best
// or, if the options ask for the simplest, the simplest that is not worse than the best by
// more than one standard error of the difference, nor by more than the tolerance.
func (j judge) choose(better []*Trial) *Trial {
	best := better[0]
	if j.how == chooseBest {
		return best
	}
	near := slices.DeleteFunc(slices.Clone(better), func(t *Trial) bool {
		over, se := difference(t, best, j.heldToTrain)
		return over > min(se, tolerance*best.Loss)
	})
	return slices.MinFunc(near, func(a, b *Trial) int {
		return cmp.Or(simpler(a.Settings, b.Settings), j.compareBy(whole)(a, b))
	})
}

// simpler orders settings by what there is to read in their models: fewer rules first, then
// shorter ones, then fewer parameters of the shape.
func simpler(s, t recipe.Setting) int {
	return cmp.Or(
		cmp.Compare(s.Number("rules"), t.Number("rules")),
		cmp.Compare(allIfZero(s.Number("antecedents")), allIfZero(t.Number("antecedents"))),
		cmp.Compare(parameters(s), parameters(t)),
	)
}

// allIfZero returns a number of which 0 stands for all.
func allIfZero(v float64) float64 {
	if v == 0 {
		return math.Inf(1)
	}
	return v
}

// parameters returns the number of parameters of the shape.
func parameters(s recipe.Setting) int {
	f, ok := s["membership"].(membership.Function)
	if !ok {
		return 0
	}
	return len(f.Params())
}
