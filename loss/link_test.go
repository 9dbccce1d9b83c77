package loss_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
)

// TestLinks checks that links and their inverses belong together, and that responses to
// extreme outputs are finite and in range.
func TestLinks(t *testing.T) {
	for name, mean := range map[string][]float64{
		"identity": {-3, 0.5, 2}, "ordered": {-3, 0.5, 2}, "log": {1e-6, 1, 300}, "logit": {1e-6, 0.5, 0.9}, "softmax": {0.7, 0.2, 0.1},
	} {
		link, err := loss.LookupLink(name)
		if err != nil {
			t.Fatal(err)
		}
		y, back := make([]float64, 3), make([]float64, 3)
		link.Of(y, mean)
		link.Response(back, y)
		for c, v := range back {
			if math.Abs(v-mean[c]) > 1e-12*max(1, math.Abs(mean[c])) {
				t.Errorf("%s: %v becomes %v and %v", name, mean, y, back)
			}
		}
		far := []float64{1e300, -1e300, 0}
		link.Response(far, far)
		if slices.ContainsFunc(far, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			t.Errorf("%s: the response to far outputs is %v", name, far)
		}
		if (name == "logit" || name == "softmax") && (far[0] != 1 || far[1] != 0) {
			t.Errorf("%s: the response to far outputs is %v", name, far)
		}
	}
	crossing := []float64{3, 1, 2}
	ordered, _ := loss.LookupLink("ordered")
	if ordered.Response(crossing, crossing); !slices.IsSorted(crossing) {
		t.Errorf("crossing quantiles: %v", crossing)
	}
}
