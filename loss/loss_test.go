package loss_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
)

// TestConformance checks every registered loss against the contract of [loss.Loss].
func TestConformance(t *testing.T) {
	for _, l := range loss.All() {
		for _, fault := range faults(l) {
			t.Errorf("%s: %s", l.Name(), fault)
		}
		if found, err := loss.Lookup(l.Name()); err != nil || found.Name() != l.Name() {
			t.Errorf("%s: found %v, %v", l.Name(), found, err)
		}
	}
	want := []string{"absolute", "gamma", "huber", "logistic", "poisson", "quantile", "softmax", "squared"}
	if names := loss.Names(); !slices.Equal(names, want) {
		t.Errorf("names %q", names)
	}
}

// outputs are test values of y [C]; near a kink of a loss, gradients are not compared.
var outputs = [][]float64{{-3.1, 0.2, 0.9}, {-0.4, -0.41, 5.3}, {0.3, 2.6, -1.7}, {19.5, -21, 0.7}}

// targetsOf returns targets t [C] that a loss is defined for: classes for a loss with the
// link softmax, else numbers within its limits.
func targetsOf(l loss.Loss) [][]float64 {
	if l.Link().Name() == "softmax" {
		return [][]float64{{0, 1, 0}, {1, 0, 0}, {0.025, 0.025, 0.95}}
	}
	if l.Name() == "quantile" { // of one target
		return [][]float64{{-2.7, -2.7, -2.7}, {0.13, 0.13, 0.13}, {4.4, 4.4, 4.4}}
	}
	targets := [][]float64{{-2.7, 0.13, 0.61}, {4.4, 1, 0}, {0.5, 0, 1}}
	if bounded, ok := l.(loss.Bounded); ok {
		for _, row := range targets {
			for c, v := range row {
				for ; !bounded.Targets().Has(v); v = math.Abs(v) / 2 {
					v += 0.5
				}
				row[c] = v
			}
		}
	}
	return targets
}

// faults returns the violations of the contract by a loss.
func faults(l loss.Loss) (found []string) {
	for _, weights := range [][]float64{nil, {0.5, 1, 1.5}} {
		all := loss.Joint(l, weights)
		for _, y := range outputs {
			for _, t := range targetsOf(l) {
				found = append(found, valueFaults(all, y, t)...)
			}
		}
		found = append(found, extremeFaults(all, targetsOf(l))...)
	}
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	if link, err := loss.LookupLink(l.Link().Name()); err != nil || link.Name() != l.Link().Name() {
		fault("link %s: %v", l.Link().Name(), err)
	}
	metric := l.Metric()
	if of := metric.Of; metric.Name == "" || of(0, 1) != 0 || !(of(2, 1) > of(1, 1)) || math.Abs(of(6, 3)-of(2, 1)) > 1e-14 {
		fault("metric %s: 0, 1, 2, 6/3 become %v, %v, %v, %v", metric.Name, of(0, 1), of(1, 1), of(2, 1), of(6, 3))
	}
	wrong, mutant := l.Mutant()
	differs := false
	for _, y := range outputs {
		for _, t := range targetsOf(l) {
			differs = differs || expression(loss.Joint(mutant, nil), y, t) != expression(loss.Joint(l, nil), y, t)
		}
	}
	if wrong == "" || mutant.Name() != l.Name() || !differs {
		fault("mutant %q, %s", wrong, mutant.Name())
	}
	return found
}

// expression returns the value of the expression of a loss.
func expression(l loss.OfOutputs, y, t []float64) float64 {
	return total(l.Expr(rows{}, y, t, len(y)).([]float64))
}

// valueFaults compares the value at y with the expression, and the gradient with
// differences of the value.
func valueFaults(l loss.OfOutputs, y, t []float64) (found []string) {
	fault := func(format string, a ...any) {
		found = append(found, fmt.Sprintf(format, a...)+fmt.Sprintf(" at %v, %v", y, t))
	}
	const h = 1e-5
	value, gradient := l.Value(y, t), slices.Clone(y)
	l.Gradient(gradient, gradient, t) // in place
	if !(value >= 0) {
		fault("value %v", value)
	}
	if expr := expression(l, y, t); math.Abs(expr-value) > 1e-14*(1+value) {
		fault("expression %v, value %v", expr, value)
	}
	for c := range y {
		moved := func(by float64) float64 {
			y := slices.Clone(y)
			y[c] += by
			return l.Value(y, t)
		}
		slope := (moved(h) - moved(-h)) / (2 * h)
		if g := gradient[c]; math.Abs(g-slope) > 1e-7*(1+math.Abs(slope))+1e-10*value {
			fault("gradient [%d] %v, by a difference %v", c, g, slope)
		}
	}
	if n := testing.AllocsPerRun(2, func() { l.Gradient(gradient, y, t); l.Value(y, t) }); n != 0 {
		fault("%v allocations", n)
	}
	return found
}

// extremeFaults checks outputs of 1e300: a loss with a link other than the identity must be
// finite, and no loss may be NaN or negative.
func extremeFaults(l loss.OfOutputs, targets [][]float64) (found []string) {
	linear := l.Link().Name() == "identity"
	for _, y := range [][]float64{{1e300, -1e300, 0}, {-1e300, 1e300, 1}, {0, 0, 0}} {
		for _, t := range targets {
			gradient := slices.Clone(y)
			l.Gradient(gradient, y, t)
			for name, v := range map[string]float64{"value": l.Value(y, t), "expression": expression(l, y, t), "gradient": total(gradient)} {
				if math.IsNaN(v) || math.IsInf(v, 0) && !linear || name != "gradient" && v < 0 {
					found = append(found, fmt.Sprintf("extreme %s %v at %v, %v", name, v, y, t))
				}
			}
		}
	}
	return found
}

// wrong is the squared loss with one fault.
type wrong struct {
	loss.Squared
	value, gradient float64 // factors
	link, metric    bool
	mutant, extreme bool
}

func (w wrong) Value(y, t float64) float64 {
	if w.extreme && math.Abs(y) > 1e100 {
		return math.NaN()
	}
	return w.value * w.Squared.Value(y, t)
}

func (w wrong) Gradient(y, t float64) float64 { return w.gradient * w.Squared.Gradient(y, t) }

func (w wrong) Link() loss.Link {
	if w.link {
		return loss.Link{}
	}
	return w.Squared.Link()
}

func (w wrong) Metric() loss.Metric {
	m := w.Squared.Metric()
	if w.metric {
		m.Of = func(sum, _ float64) float64 { return sum }
	}
	return m
}

func (w wrong) Mutant() (string, loss.Loss) {
	if w.mutant {
		return "nothing", w
	}
	return w.Squared.Mutant()
}

// TestConformanceCatches checks that TestConformance finds each kind of violation.
func TestConformanceCatches(t *testing.T) {
	if found := faults(wrong{value: 1, gradient: 1}); len(found) > 0 {
		t.Errorf("no fault: %q", found)
	}
	for want, w := range map[string]wrong{
		"value -":    {value: -1, gradient: -1},
		"expression": {value: 2, gradient: 2},
		"gradient":   {value: 1, gradient: 0.5},
		"link":       {value: 1, gradient: 1, link: true},
		"metric":     {value: 1, gradient: 1, metric: true},
		"mutant":     {value: 1, gradient: 1, mutant: true},
		"extreme":    {value: 1, gradient: 1, extreme: true},
	} {
		if found := strings.Join(faults(w), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found only %q", want, found)
		}
	}
}

func TestSquared(t *testing.T) {
	var l loss.Squared
	// Errors 3 and 1 of weights 1 and 3: the mean square is (9 + 3)/4.
	if rmse := l.Metric().Of(4.5+3*0.5, 4); math.Abs(rmse-math.Sqrt(3)) > 1e-15 {
		t.Errorf("RMSE %v", rmse)
	}
	if rmse := l.Metric().Of(math.MaxFloat64, 2); math.IsInf(rmse, 0) {
		t.Error("the metric overflows")
	}
	for _, y := range []float64{math.NaN(), math.Inf(1), 1e200} {
		if v := l.Value(y, 0); !math.IsNaN(v) && !math.IsInf(v, 0) {
			t.Errorf("value %v at %v", v, y)
		}
	}
	if loss.OrSquared(nil) != loss.Loss(l) || loss.OrSquared(wrong{value: 2}) != loss.Loss(wrong{value: 2}) {
		t.Error("OrSquared does not return the squared loss for nil only")
	}
}

// TestByHand checks values and gradients computed by hand.
func TestByHand(t *testing.T) {
	half := math.Log(2)
	for _, c := range []struct {
		loss            loss.Loss
		y, t            []float64
		value, gradient float64 // of all outputs; by the first
	}{
		{loss.Squared{}, []float64{1}, []float64{4}, 4.5, -3},
		{loss.Huber{Delta: 2}, []float64{1}, []float64{2}, 0.5, -1},
		{loss.Huber{Delta: 2}, []float64{6}, []float64{1}, 2 * (5 - 1), 2},
		{loss.Absolute{}, []float64{1}, []float64{4}, 3, -1},
		{loss.Absolute{}, []float64{4}, []float64{4}, 0, 0},
		{loss.Quantile{Levels: []float64{0.1, 0.9}}, []float64{1, 1}, []float64{3, 3}, 0.2 + 1.8, -0.1},
		{loss.Quantile{Levels: []float64{0.1, 0.9}}, []float64{5, 5}, []float64{3, 3}, 1.8 + 0.2, 0.9},
		{loss.Poisson{}, []float64{half}, []float64{0}, 2, 2},
		{loss.Poisson{}, []float64{0}, []float64{2}, 1 - 2 + 2*half, -1},
		{loss.Poisson{}, []float64{20}, []float64{0}, 3 * math.Exp(18), math.Exp(18)},
		{loss.Gamma{}, []float64{0}, []float64{2}, 2 - 1 - half, -1},
		{loss.Gamma{}, []float64{-20}, []float64{1}, 3*math.Exp(18) - 1 - 20, 1 - math.Exp(18)},
		{loss.Logistic{}, []float64{0}, []float64{1}, half, -0.5},
		{loss.Logistic{}, []float64{1e300}, []float64{0}, 1e300, 1},
		{loss.Softmax{}, []float64{7, 7}, []float64{1, 0}, half, -0.5},
		{loss.Softmax{}, []float64{1e300, -1e300}, []float64{0, 1}, 2e300, 1},
		{loss.Joint(loss.Squared{}, []float64{2, 0.5}), []float64{1, 1}, []float64{3, 5}, 2*2 + 0.5*8, -4},
	} {
		l, gradient := loss.Joint(c.loss, nil), make([]float64, len(c.y))
		l.Gradient(gradient, c.y, c.t)
		if v := l.Value(c.y, c.t); math.Abs(v-c.value) > 1e-14*c.value || math.Abs(gradient[0]-c.gradient) > 1e-14*math.Abs(c.gradient) {
			t.Errorf("%s of %v, %v: value %v, gradient %v", l.Name(), c.y, c.t, v, gradient)
		}
	}
}

// TestLinks checks the responses of all links, in place.
func TestLinks(t *testing.T) {
	for name, want := range map[string][]float64{
		"identity": {1, -2e300, 800}, "ordered": {-2e300, 1, 800}, "log": {math.E, 0, math.Exp(18)},
		"logit": {1 / (1 + math.Exp(-1)), 0, 1}, "softmax": {0, 0, 1},
	} {
		link, err := loss.LookupLink(name)
		if err != nil {
			t.Fatal(err)
		}
		y := []float64{1, -2e300, 800}
		link.Response(y, y)
		for c, v := range y {
			if math.Abs(v-want[c]) > 1e-15*math.Abs(want[c]) {
				t.Errorf("%s: %v, want %v", name, y, want)
			}
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	if _, err := loss.Lookup("sqared"); err == nil || !strings.HasSuffix(err.Error(), "did you mean squared?") {
		t.Errorf("error %v", err)
	}
}

// TestMetricOf checks that the metric of several outputs is that of their weighted mean, and
// that of a loss of all outputs its own.
func TestMetricOf(t *testing.T) {
	for want, l := range map[float64]loss.Loss{
		math.Sqrt(8): loss.Squared{}, math.Sqrt(32): loss.Joint(loss.Squared{}, []float64{0.25, 0.5, 0}), 12: loss.Softmax{},
	} {
		if got := loss.MetricOf(l, 3).Of(24, 2); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", l.Name(), got, want)
		}
	}
}
