package rules

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
)

// two returns two Gaussian rules over one feature; tests compute its values by hand.
func two() *RuleBase {
	return &RuleBase{
		Shape: membership.Gaussian{},
		Parameters: Parameters{
			Antecedents: [][][]float64{{{0}, {2}}, {{1}, {2}}},
			Consequents: [][]float64{{1, 2}, {-1, 0.5}},
		},
		SpreadFloor: 0.1,
	}
}

func TestForwardByHand(t *testing.T) {
	// x = 1: f = (exp(-1/2), exp(-1/8)); y_r = (3, -0.5).
	f1, f2 := math.Exp(-0.5), math.Exp(-0.125)
	want := (3*f1 - 0.5*f2) / (f1 + f2)
	y, covered, _ := two().Forward([][]float64{{1}}, nil)
	if math.Abs(y[0]-want) > 1e-15 || !covered[0] {
		t.Errorf("y = %v (covered %v), want %v", y[0], covered[0], want)
	}
	y, _, _ = two().Forward([][]float64{{1}}, [][]float64{{0, 1}})
	testenv.Equal(t, y[0], -0.5, "with rule 2 alone y")
}

func TestLossByHand(t *testing.T) {
	x, target := [][]float64{{1}, {1}}, []float64{0.5, -1.5}
	mask := [][]float64{{1, 0}, {0, 1}} // y = 3, -0.5
	data, penalty, skipped := two().Loss(x, target, mask, []float64{2, 1}, nil, penalty.Slopes{Lambda: 0.4})
	if want := 0.5*2*2.5*2.5 + 0.5*1*1; math.Abs(data-want) > 1e-14 {
		t.Errorf("data part %v, want %v", data, want)
	}
	if want := 0.5 * 0.4 * (2*2 + 0.5*0.5); math.Abs(penalty-want) > 1e-14 { // no bias
		t.Errorf("penalty %v, want %v", penalty, want)
	}
	testenv.Equal(t, skipped, 0, "skipped")
}

func trapezoids() *RuleBase {
	return &RuleBase{
		Shape: membership.Trapezoid{},
		Parameters: Parameters{
			Antecedents: [][][]float64{{{0}, {4}}, {{1}, {5}}, {{2}, {6}}, {{3}, {7}}},
			Consequents: [][]float64{{10, 0}, {20, 0}},
		},
		SpreadFloor: 0.1,
	}
}

// At 1.5 only rule 1 fires: if it is dropped, nothing is left, so that all rules are used. At 3.5 and -9 no rule fires.
func TestUncovered(t *testing.T) {
	rb, x := trapezoids(), [][]float64{{1.5}, {3.5}, {-9}}
	for _, mask := range [][][]float64{{{0, 1}, {1, 1}, {1, 1}}, {{0, 0}, {1, 0}, {0, 0}}, nil} {
		y, covered, _ := rb.Forward(x, mask)
		if !slices.Equal(y, []float64{10, 0, 0}) || !slices.Equal(covered, []bool{true, false, false}) {
			t.Errorf("mask %v: y = %v, covered %v", mask, y, covered)
		}
	}
	data, _, skipped := rb.Loss(x, []float64{12, 5, 5}, nil, nil, nil)
	if data != 2 || skipped != 2 {
		t.Errorf("loss %v with %d skipped; want 2 with 2", data, skipped)
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), 1e200} {
		if y, covered, _ := two().Forward([][]float64{{x}}, nil); covered[0] || y[0] != 0 {
			t.Errorf("x = %v: y = %v, covered %v", x, y[0], covered[0])
		}
	}
}

func TestGaussianNeverUnderflows(t *testing.T) {
	const M = 10000
	rb := &RuleBase{Shape: membership.Gaussian{}, Parameters: NewParameters(2, 2, M), SpreadFloor: 1e-3}
	x := make([]float64, M)
	for m := range M {
		rb.Antecedents[0][1][m] = 1
		rb.Antecedents[1][0][m], rb.Antecedents[1][1][m] = 0.01, 0.01
		x[m] = 3
	}
	rb.Consequents[0][0], rb.Consequents[1][0] = 1, 2
	if y, covered, _ := rb.Forward([][]float64{x}, nil); y[0] != 2 || !covered[0] {
		t.Errorf("y = %v (covered %v), want the nearer rule's 2", y[0], covered[0])
	}
}

// The parts of the loss are sums over samples and over penalties.
func TestLossOfPenalties(t *testing.T) {
	rb := two()
	x, target, mask := [][]float64{{1}, {-0.3}}, []float64{0.5, -1.5}, [][]float64{{1, 0}, {1, 1}}
	slopes, uniform := penalty.Slopes{Lambda: 0.4, ToMean: true}, penalty.Uniform{Lambda: 0.7}
	levels, weight := rb.FiringLevels(x, mask), []float64{0.5, 3}
	want := slopes.Value([]float64{2, 0.5}, 2) + uniform.Value(slices.Concat(levels...), 2)
	y, _, _ := rb.Forward(x, mask)
	for n, f := range levels {
		for r, level := range f {
			want += weight[n] * 0.3 / 2 * level * math.Pow(rb.Consequent(r, x[n])-y[n], 2)
		}
	}
	_, got, _ := rb.Loss(x, target, mask, weight, nil, uniform, slopes, penalty.Agreement{Alpha: 0.3})
	if math.Abs(got-want) > 1e-15 || got == 0 {
		t.Errorf("penalties %v, want %v", got, want)
	}
	data, _, _ := rb.Loss(x, target, mask, nil, double{})
	if half, none, _ := rb.Loss(x, target, mask, nil, nil); data != 2*half || none != 0 || half == 0 {
		t.Errorf("data part %v, of the squared loss %v; penalty %v of none", data, half, none)
	}
}

// double is twice the squared loss.
type double struct{ loss.Squared }

func (double) Value(y, t float64) float64 { return 2 * loss.Squared{}.Value(y, t) }

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
				testenv.Equal(t, f[n][0], f[0][0], "%s, %s: levels %v depend on a flat feature", norm.Name(), d.Name(), f)
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
