package losstest

import (
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
)

// wrong is the squared loss with one fault.
type wrong struct {
	loss.Squared
	value, gradient float64 // factors
	metric, extreme bool
}

func (w wrong) Value(y, t float64) float64 {
	if w.extreme && math.Abs(y) > 1e100 {
		return math.NaN()
	}
	return w.value * w.Squared.Value(y, t)
}

func (w wrong) Gradient(y, t float64) float64 { return w.gradient * w.Squared.Gradient(y, t) }

func (w wrong) Metric() loss.Metric {
	m := w.Squared.Metric()
	if w.metric {
		m.Of = func(sum, _ float64) float64 { return sum }
	}
	return m
}

// TestRunCatches checks that Run finds each kind of violation.
func TestRunCatches(t *testing.T) {
	if found := faults(wrong{value: 1, gradient: 1}); len(found) > 0 {
		t.Errorf("no fault: %q", found)
	}
	for want, w := range map[string]wrong{
		"value -":    {value: -1, gradient: -1},
		"expression": {value: 2, gradient: 2},
		"gradient":   {value: 1, gradient: 0.5},
		"metric":     {value: 1, gradient: 1, metric: true},
		"extreme":    {value: 1, gradient: 1, extreme: true},
	} {
		if found := strings.Join(faults(w), "\n"); !strings.Contains(found, want) {
			t.Errorf("%s: found only %q", want, found)
		}
	}
}
