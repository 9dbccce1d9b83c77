package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

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
