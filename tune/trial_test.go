package tune

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/recipe"
)

// The simplest within one standard error of the difference to the best: worked out by
// hand.
func TestChoose(t *testing.T) {
	trial := func(number, rules int, shape string, antecedents float64, rmse ...float64) *Trial {
		f, err := membership.Lookup(shape)
		if err != nil {
			t.Fatal(err)
		}
		tr := &Trial{Number: number, Settings: recipe.Setting{"rules": rules, "membership": f, "antecedents": antecedents}}
		for _, v := range rmse {
			tr.Fits = append(tr.Fits, Fit{RMSE: v})
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
	unfinished := trial(5, 2, "gaussian", 0, 1, 1)
	failed := trial(6, 1, "gaussian", 0, 1, 1, 1)
	failed.Fits = append(failed.Fits, Fit{Failed: "diverged"})
	failed.sumUp(4)
	for _, c := range []struct {
		name   string
		trials []*Trial
		how    string
		want   *Trial
	}{
		{"fewer rules", []*Trial{best, near, far, always, dear, unfinished, failed}, chooseSimplest, near},
		{"best", []*Trial{near, best, far}, chooseBest, best},
		{"shorter rules", []*Trial{best, shorter, trial(8, 32, "gaussian", 5, 100, 100, 100, 102)}, chooseSimplest, shorter},
		{"a shape of fewer parameters", []*Trial{best, trial(7, 32, "trapezoid", 0, 100, 100, 100, 102)}, chooseSimplest, best},
		{"lower RMSE", []*Trial{trial(7, 32, "gaussian", 0, 100, 100, 100, 102), best}, chooseSimplest, best},
		{"none", []*Trial{unfinished, failed}, chooseSimplest, nil},
	} {
		if _, got := choose(c.trials, c.how, 0); got != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if math.Abs(near.Over-0.475) > 1e-12 || math.Abs(near.SE-math.Sqrt(3.1075/12)) > 1e-12 || math.Abs(far.SE-math.Sqrt(2.9075/12)) > 1e-12 || best.Over != 0 || best.SE != 0 {
		t.Errorf("%+v, %+v", near, far)
	}
	// Four folds share training samples: what is clear of independent folds is not of these.
	if _, got := choose([]*Trial{best, near, far}, chooseSimplest, 1.0/3); got != far {
		t.Errorf("of folds that overlap: %+v", got)
	}
	if want := math.Sqrt(2.9075 / 3 * (1.0/4 + 1.0/3)); math.Abs(far.SE-want) > 1e-12 {
		t.Errorf("standard error %v, want %v", far.SE, want)
	}
}

// TestTrialReadability: the mean over the folds, of a trial without failures.
func TestTrialReadability(t *testing.T) {
	fit := func(fidelity, idle float64) Fit {
		return Fit{RMSE: 1, Readability: &model.Readability{Rules: 8, Fidelity: &fidelity, Idle: idle}}
	}
	tr := &Trial{Fits: []Fit{fit(1, 0), fit(2, 0.5)}}
	if tr.sumUp(2); tr.Readability == nil || *tr.Readability.Fidelity != 1.5 || tr.Readability.Idle != 0.25 || tr.Readability.Rules != 16 {
		t.Errorf("%+v", tr.Readability)
	}
	tr.Fits[1].Failed = "it diverged"
	if tr.sumUp(2); tr.Readability != nil {
		t.Errorf("a fit failed: %+v", tr.Readability)
	}
	tr.Fits = []Fit{fit(1, 0), {RMSE: 1}}
	if tr.sumUp(2); tr.Readability != nil {
		t.Errorf("a fit of an older version: %+v", tr.Readability)
	}
}
