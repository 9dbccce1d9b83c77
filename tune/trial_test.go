package tune

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

// The simplest within one standard error of the best: worked out by hand.
func TestChoose(t *testing.T) {
	trial := func(number, rules int, shape string, iterations int, l2 float64, rmse ...float64) *Trial {
		tr := &Trial{Number: number, Settings: Settings{Rules: rules, Membership: shape, Iterations: iterations, L2: l2}}
		for _, v := range rmse {
			tr.Fits = append(tr.Fits, Fit{RMSE: v})
		}
		tr.sumUp(4)
		return tr
	}
	// Mean 10, standard deviation 2 sqrt(2/3), standard error half of that: 0.816.
	best := trial(1, 32, "gaussian", 500, 0.05, 8, 10, 10, 12)
	if math.Abs(best.SE-math.Sqrt(8.0/3)/2) > 1e-12 || best.RMSE != 10 {
		t.Fatalf("%+v", best)
	}
	near := trial(2, 8, "gaussian", 500, 0.05, 10.8, 10.8, 10.8, 10.8)
	far := trial(3, 4, "gaussian", 500, 0.05, 10.9, 10.9, 10.9, 10.9)
	unfinished := trial(4, 2, "gaussian", 500, 0.05, 1, 1)
	failed := trial(5, 1, "gaussian", 500, 0.05, 1, 1, 1)
	failed.Fits = append(failed.Fits, Fit{Failed: "diverged"})
	failed.sumUp(4)
	for _, c := range []struct {
		name   string
		trials []*Trial
		how    string
		want   *Trial
	}{
		{"fewer rules", []*Trial{best, near, far, unfinished, failed}, chooseSimplest, near},
		{"best", []*Trial{near, best, far}, chooseBest, best},
		{"a shape of fewer parameters", []*Trial{best, trial(6, 32, "trapezoid", 100, 1, 10, 10, 10, 10.1)}, chooseSimplest, best},
		{"shorter", []*Trial{trial(6, 32, "gaussian", 600, 1, 10, 10, 10, 10.1), best}, chooseSimplest, best},
		{"larger penalty", []*Trial{best, trial(6, 32, "gaussian", 500, 0.04, 10, 10, 10, 10.1)}, chooseSimplest, best},
		{"lower RMSE", []*Trial{trial(6, 32, "gaussian", 500, 0.05, 10, 10, 10, 10.1), best}, chooseSimplest, best},
		{"none", []*Trial{unfinished, failed}, chooseSimplest, nil},
	} {
		if _, got := choose(c.trials, c.how, []membership.Function{membership.Gaussian{}, membership.Trapezoid{}}); got != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
