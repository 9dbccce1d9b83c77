package loss_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// TestConformance checks every registered loss against the contract of [loss.Loss].
func TestConformance(t *testing.T) {
	for _, l := range loss.All() {
		if one, ok := l.(loss.OfOutput); ok {
			for _, fault := range faults(one) {
				t.Errorf("%s: %s", l.Name(), fault)
			}
		}
		if found, err := loss.Lookup(l.Name()); err != nil || found != l {
			t.Errorf("%s: found %v, %v", l.Name(), found, err)
		}
	}
	if names := loss.Names(); !slices.Contains(names, "squared") || len(names) != len(loss.All()) {
		t.Errorf("names %q", names)
	}
}

// faults returns the violations of the contract by a loss.
func faults(l loss.OfOutput) (found []string) {
	fault := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	const h = 1e-5
	for _, y := range []float64{-3.1, -0.4, 0.2, 0.9, 5.3} {
		for _, target := range []float64{-2.7, 0.13, 0.61, 4.4} {
			value := l.Value(y, target)
			if !(value >= 0) {
				fault("value %v at %v, %v", value, y, target)
			}
			if expr := membership.Evaluate(expression{loss: l}, y, []float64{target}); math.Abs(expr-value) > 1e-14*(1+value) {
				fault("expression %v, value %v", expr, value)
			}
			slope := (l.Value(y+h, target) - l.Value(y-h, target)) / (2 * h)
			if g := l.Gradient(y, target); math.Abs(g-slope) > 1e-7*(1+math.Abs(slope)) {
				fault("gradient %v, by a difference %v", g, slope)
			}
		}
	}
	if link, err := loss.LookupLink(l.Link().Name()); err != nil || link.Name() != l.Link().Name() {
		fault("link %s: %v", l.Link().Name(), err)
	}
	metric := l.Metric()
	if of := metric.Of; metric.Name == "" || of(0, 1) != 0 || !(of(2, 1) > of(1, 1)) || math.Abs(of(6, 3)-of(2, 1)) > 1e-14 {
		fault("metric %s: 0, 1, 2, 6/3 become %v, %v, %v, %v", metric.Name, of(0, 1), of(1, 1), of(2, 1), of(6, 3))
	}
	if wrong, mutant := l.Mutant(); wrong == "" || mutant.Name() != l.Name() ||
		membership.Evaluate(expression{loss: mutant.(loss.OfOutput)}, 5.3, []float64{-2.7}) == l.Value(5.3, -2.7) {
		fault("mutant %q, %s", wrong, mutant.Name())
	}
	return found
}

// expression evaluates the expression of a loss as that of a shape, with the target as
// the parameter.
type expression struct {
	membership.Function
	loss loss.OfOutput
}

func (e expression) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return e.loss.Expr(b, x, p[0])
}

// wrong is the squared loss with one fault.
type wrong struct {
	loss.Squared
	value, gradient float64 // factors
	link, metric    bool
	mutant          bool
}

func (w wrong) Value(y, t float64) float64    { return w.value * w.Squared.Value(y, t) }
func (w wrong) Gradient(y, t float64) float64 { return w.gradient * w.Squared.Gradient(y, t) }

func (w wrong) Link() loss.Link {
	if w.link {
		return loss.Link{} // not registered
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
	} {
		if found := strings.Join(faults(w), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found only %q", want, found)
		}
	}
}

func TestSquared(t *testing.T) {
	var l loss.Squared
	if l.Value(1, 4) != 4.5 || l.Gradient(1, 4) != -3 {
		t.Errorf("value %v, gradient %v", l.Value(1, 4), l.Gradient(1, 4))
	}
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

func TestLookupUnknown(t *testing.T) {
	if _, err := loss.Lookup("sqared"); err == nil || !strings.HasSuffix(err.Error(), "did you mean squared?") {
		t.Errorf("error %v", err)
	}
}
