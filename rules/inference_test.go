package rules

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// crossed returns two rules over two features; at the origin the first has the grades
// (0.8, 0.5), the second (0.9, 0.7).
func crossed(shape membership.Function) *RuleBase {
	p := NewParameters(len(shape.Params()), 2, 2)
	for r, grades := range [][]float64{{0.8, 0.5}, {0.9, 0.7}} {
		for m, g := range grades {
			values := []float64{-g, 1 - g, 2, 3} // the left leg rises from -g by one
			if shape.Name() == "gaussian" {
				values = []float64{math.Sqrt(-2 * math.Log(g)), 1}
			}
			for j, v := range values {
				p.Antecedents[j][r][m] = v
			}
		}
	}
	return &RuleBase{Shape: shape, Parameters: p, SpreadFloor: 0.1}
}

// TestInferenceByHand computes the normalised levels of each t-norm and defuzzification by
// hand, for a shape in log space and one that is not.
func TestInferenceByHand(t *testing.T) {
	root := func(v float64) float64 { return math.Sqrt(v) } // over two features
	log := func(v float64) float64 { return 1 / (1e-6 - math.Log(v)) }
	same := func(v float64) float64 { return v }
	levels := map[string][2]float64{"product": {0.4, 0.63}, "minimum": {0.5, 0.7}, "lukasiewicz": {0.3, 0.6}}
	weights := map[string]func(float64) float64{"tsk": same, "htsk": root, "logtsk": log}
	for _, shape := range []membership.Function{membership.Gaussian{}, membership.Trapezoid{}} {
		for _, norm := range inference.TNorms() {
			for _, d := range inference.Defuzzifications() {
				rb := crossed(shape)
				rb.TNorm, rb.Defuzzification = norm, d
				f, w := levels[norm.Name()], weights[d.Name()]
				want := w(f[0]) / (w(f[0]) + w(f[1]))
				got := rb.FiringLevels([][]float64{{0, 0}}, nil)[0]
				if math.Abs(got[0]-want) > 1e-12 || math.Abs(got[0]+got[1]-1) > 1e-15 {
					t.Errorf("%s, %s, %s: %v, want %v", shape.Name(), norm.Name(), d.Name(), got, want)
				}
			}
		}
	}
}

// TestFlatDoesNotMatter checks that a flat antecedent has the same effect, none, in every rule
// with every t-norm: the levels are those of the other features.
func TestFlatDoesNotMatter(t *testing.T) {
	for _, norm := range inference.TNorms() {
		for _, d := range inference.Defuzzifications() {
			rb := crossed(membership.Gaussian{})
			rb.TNorm, rb.Defuzzification = norm, d
			rb.Flatten(0, 1)
			rb.Flatten(1, 1)
			x := [][]float64{{0, -3}, {0, 0}, {0, 5}}
			f := rb.FiringLevels(x, nil)
			for n := range x {
				if f[n][0] != f[0][0] {
					t.Errorf("%s, %s: levels %v depend on a flat feature", norm.Name(), d.Name(), f)
				}
			}
		}
	}
}

// TestLukasiewiczUncovered checks that a sample far from all rules is uncovered, and that a
// sample whose kept rule does not fire uses all rules, although the shape is positive.
func TestLukasiewiczUncovered(t *testing.T) {
	for _, d := range inference.Defuzzifications() {
		rb := crossed(membership.Gaussian{})
		rb.TNorm, rb.Defuzzification = inference.Lukasiewicz{}, d
		rb.Antecedents[0][0][0] = 9 // the first rule does not fire at the origin
		f := rb.FiringLevels([][]float64{{0, 0}, {20, 20}}, [][]float64{{1, 0}, {1, 1}})
		if f[0][0] != 0 || f[0][1] != 1 || f[1][0] != 0 || f[1][1] != 0 {
			t.Errorf("%s: levels %v", d.Name(), f)
		}
	}
}

// TestHTSKDoesNotSaturate: over 2000 features, rules at nearly equal distances have comparable
// levels with HTSK and LogTSK; TSK has one.
func TestHTSKDoesNotSaturate(t *testing.T) {
	const M = 2000
	p := NewParameters(2, 2, M)
	x := make([]float64, M)
	for m := range M {
		p.Antecedents[0][0][m], p.Antecedents[0][1][m] = 1, 1.1
		p.Antecedents[1][0][m], p.Antecedents[1][1][m] = 1, 1
	}
	rb := &RuleBase{Shape: membership.Gaussian{}, Parameters: p, SpreadFloor: 0.1}
	for name, want := range map[string]float64{"tsk": 1, "htsk": 1 / (1 + math.Exp(-0.105)), "logtsk": 0.605 / 1.105} {
		rb.Defuzzification, _ = inference.LookupDefuzzification(name)
		if got := rb.FiringLevels([][]float64{x}, nil)[0][0]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
