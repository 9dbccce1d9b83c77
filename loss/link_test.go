package loss_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/loss"
)

// TestLinksAndInverses checks that the response to the outputs of a mean is the mean.
func TestLinksAndInverses(t *testing.T) {
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
