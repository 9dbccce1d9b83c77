package loss_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/loss/losstest"
)

// TestConformance checks every registered loss against the contract of [loss.Loss].
func TestConformance(t *testing.T) {
	for _, l := range loss.All() {
		t.Run(l.Name(), func(t *testing.T) { losstest.Run(t, l) })
		if found, err := loss.Lookup(l.Name()); err != nil || found.Name() != l.Name() {
			t.Errorf("%s: found %v, %v", l.Name(), found, err)
		}
	}
	if names := loss.Names(); len(names) < 8 || !slices.IsSorted(names) {
		t.Errorf("names %q", names)
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
	if loss.OrSquared(nil) != loss.Loss(l) || loss.OrSquared(loss.Absolute{}) != loss.Loss(loss.Absolute{}) {
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
		{loss.Tweedie{Power: 1.5}, []float64{0}, []float64{4}, 2 + 8 - 8, -3},
		{loss.Tweedie{Power: 1.5}, []float64{2 * half}, []float64{0}, 4, 2},
		{loss.Tweedie{Power: 1.5}, []float64{60}, []float64{0}, 2 * 16 * math.Exp(15), math.Exp(15)},
		{loss.Tweedie{Power: 1.5}, []float64{-60}, []float64{1}, 2*math.Exp(-30) + 2*16*math.Exp(15) - 4, math.Exp(-30) - math.Exp(15)},
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
		link := testenv.Must(loss.LookupLink(name))
		y := []float64{1, -2e300, 800}
		link.Response(y, y)
		for c, v := range y {
			if math.Abs(v-want[c]) > 1e-15*math.Abs(want[c]) {
				t.Errorf("%s: %v, want %v", name, y, want)
			}
		}
	}
}

// TestExposure checks, of each loss of a rate, that the rate with the weight e^(2-p) has the loss and gradient of the target with the
// offset log e, also at a zero.
func TestExposure(t *testing.T) {
	found := 0
	for _, l := range loss.All() {
		of, ok := l.(loss.Varying)
		if !ok {
			continue
		}
		found++
		one := l.(loss.OfOutput)
		for _, e := range []float64{0.1, 1, 7} {
			for _, rate := range []float64{0, 0.3, 2} {
				if !l.(loss.Bounded).Targets().Has(rate) {
					continue
				}
				weight, y := math.Pow(e, 2-of.Variance()), 0.4
				offset := y + math.Log(e)
				for what, pair := range map[string][2]float64{
					"loss":     {one.Value(offset, e*rate), weight * one.Value(y, rate)},
					"gradient": {one.Gradient(offset, e*rate), weight * one.Gradient(y, rate)},
				} {
					if math.Abs(pair[0]-pair[1]) > 1e-13*(1+math.Abs(pair[0])) {
						t.Errorf("%s of %s at exposure %v, rate %v: %v with the offset, %v of the rate", what, l.Name(), e, rate, pair[0], pair[1])
					}
				}
			}
		}
	}
	if found != 3 {
		t.Errorf("%d losses of a rate", found)
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

// TestLinksAndInverses checks that the response to the outputs of a mean is the mean.
func TestLinksAndInverses(t *testing.T) {
	for name, mean := range map[string][]float64{
		"identity": {-3, 0.5, 2}, "ordered": {-3, 0.5, 2}, "log": {1e-6, 1, 300}, "logit": {1e-6, 0.5, 0.9}, "softmax": {0.7, 0.2, 0.1},
	} {
		link := testenv.Must(loss.LookupLink(name))
		y, back := make([]float64, 3), make([]float64, 3)
		link.Of(y, mean)
		link.Response(back, y)
		for c, v := range back {
			if math.Abs(v-mean[c]) > 1e-12*max(1, math.Abs(mean[c])) {
				t.Errorf("%s: %v becomes %v and %v", name, mean, y, back)
			}
		}
	}
}

// TestZeroLink: the zero Link is the identity.
func TestZeroLink(t *testing.T) {
	var link loss.Link
	y := make([]float64, 2)
	link.Of(y, []float64{1, -2})
	if link.Response(y, y); y[0] != 1 || y[1] != -2 || link.Name() != loss.Identity().Name() {
		t.Errorf("%s: %v", link.Name(), y)
	}
}
