package tune

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// The simplest within one standard error of the difference to the best: worked out by
// hand.
func TestChoose(t *testing.T) {
	trial := func(number, rules int, shape string, antecedents float64, rmse ...float64) *Trial {
		f := testenv.Must(membership.Lookup(shape))
		tr := &Trial{Number: number, Settings: recipe.Setting{"rules": rules, "membership": f, "antecedents": antecedents}}
		for _, v := range rmse {
			tr.Fits = append(tr.Fits, Fit{Loss: v})
		}
		tr.sumUp(4)
		return tr
	}
	// The folds differ much, which is no reason to take a worse trial.
	best := trial(1, 32, "gaussian", 0, 98, 100, 100, 102)
	// Differences 2, 0, -0.1, 0: mean 0.475, standard error 0.509.
	near := trial(2, 8, "gaussian", 0, 100, 100, 99.9, 102)
	// Differences 2, 0.1, 0, 0: mean 0.525, standard error 0.492.
	far := trial(3, 4, "gaussian", 0, 100, 100.1, 100, 102)
	// Worse by 0.1 on every fold: no standard error.
	always := trial(4, 4, "gaussian", 0, 98.1, 100.1, 100.1, 102.1)
	shorter := trial(7, 32, "gaussian", 3, 100, 100, 100, 102)
	// Differences 8, 0, -2, 0: mean 1.5, standard error 2.22, but 1.5%.
	dear := trial(9, 4, "gaussian", 0, 106, 100, 98, 102)
	for _, c := range []struct {
		name   string
		better []*Trial
		how    string
		want   *Trial
	}{
		{"fewer rules", []*Trial{best, near, far, always, dear}, chooseSimplest, near},
		{"best", []*Trial{best, near, far}, chooseBest, best},
		{"shorter rules", []*Trial{best, shorter, trial(8, 32, "gaussian", 5, 100, 100, 100, 102)}, chooseSimplest, shorter},
		{"a shape of fewer parameters", []*Trial{best, trial(7, 32, "trapezoid", 0, 100, 100, 100, 102)}, chooseSimplest, best},
		{"lower RMSE", []*Trial{best, trial(7, 32, "gaussian", 0, 100, 100, 100, 102)}, chooseSimplest, best},
	} {
		s := judge{how: c.how}
		if got := s.choose(c.better); got != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	over, se := difference(near, best, 0)
	if _, far := difference(far, best, 0); math.Abs(over-0.475) > 1e-12 || math.Abs(se-math.Sqrt(3.1075/12)) > 1e-12 ||
		math.Abs(far-math.Sqrt(2.9075/12)) > 1e-12 {
		t.Errorf("%v, %v, %v", over, se, far)
	}
	// Four folds share training samples: what is clear of independent folds is not of these.
	if got := (judge{heldToTrain: 1.0 / 3}).choose([]*Trial{best, near, far}); got != far {
		t.Errorf("of folds that overlap: %+v", got)
	}
	if _, se := difference(far, best, 1.0/3); math.Abs(se-math.Sqrt(2.9075/3*(1.0/4+1.0/3))) > 1e-12 {
		t.Errorf("standard error %v", se)
	}
}

// TestBetter: a trial replaces the incumbent if its RMSE is lower by more than the standard
// error of the difference, and its fidelity is within the limit.
func TestBetter(t *testing.T) {
	trial := func(number int, fidelity float64, rmse ...float64) *Trial {
		tr := &Trial{Number: number}
		for _, v := range rmse {
			tr.Fits = append(tr.Fits, Fit{Loss: v, Readability: &model.Readability{Rules: 1, Fidelity: &fidelity}})
		}
		tr.sumUp(4)
		return tr
	}
	incumbent := trial(1, 1.3, 100, 100, 100, 100)
	lucky := trial(2, 1, 90, 99, 101, 100)      // lower by 2.5, with a standard error of 2.53
	clear := trial(3, 1, 97, 99, 98, 98)        // lower by 2, 0.41
	unfaithful := trial(4, 1.3, 90, 90, 90, 91) // lower by 9.75, 0.25
	worse := trial(5, 1, 101, 101, 101, 101)    // no noise
	unfinished := trial(6, 1, 50, 50)           // on two folds
	failed := trial(7, 1, 50, 50, 50)           // and diverged on the fourth
	failed.Fits = append(failed.Fits, Fit{Failed: "diverged"})
	failed.sumUp(4)
	unknown := trial(8, math.Inf(1), 90, 90, 90, 90)
	unknown.Fits[0].Readability = nil
	all := []*Trial{lucky, clear, unfaithful, worse, unfinished, failed, unknown}
	for _, c := range []struct {
		limit     float64
		incumbent *Trial
		want      []*Trial
	}{
		{0, incumbent, []*Trial{unknown, unfaithful, clear}},
		{1.15, incumbent, []*Trial{clear}},
		{1.15, nil, []*Trial{lucky, clear, worse}},
	} {
		if got := (judge{fidelity: c.limit}).better(all, c.incumbent); !slices.Equal(got, c.want) {
			t.Errorf("limit %v: %d trials: %+v", c.limit, len(got), got)
		}
	}
	s := judge{fidelity: 1.15}
	if order := slices.SortedFunc(slices.Values([]*Trial{failed, unfaithful, worse, clear}), s.compareBy(whole)); order[0] != clear ||
		order[1] != worse || order[2] != unfaithful {
		t.Errorf("order of trials with a limit of fidelity: %d, %d, %d", order[0].Number, order[1].Number, order[2].Number)
	}
}

// TestTrialReadability: the mean over the folds, of a trial without failures.
func TestTrialReadability(t *testing.T) {
	fit := func(fidelity, idle float64) Fit {
		return Fit{Loss: 1, Readability: &model.Readability{Rules: 8, Fidelity: &fidelity, Idle: idle}}
	}
	tr := &Trial{Fits: []Fit{fit(1, 0), fit(2, 0.5)}}
	if tr.sumUp(2); tr.Readability == nil || *tr.Readability.Fidelity != 1.5 || tr.Readability.Idle != 0.25 || tr.Readability.Rules != 16 {
		t.Errorf("%+v", tr.Readability)
	}
	tr.Fits[1].Failed = "it diverged"
	if tr.sumUp(2); tr.Readability != nil {
		t.Errorf("a fit failed: %+v", tr.Readability)
	}
	tr.Fits = []Fit{fit(1, 0), {Loss: 1}}
	if tr.sumUp(2); tr.Readability != nil {
		t.Errorf("a fit of an older version: %+v", tr.Readability)
	}
}
