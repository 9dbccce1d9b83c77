package tskgraph_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

// TestEnginesFollowOneAnother: from the same start, on the same batches, the fused
// engine and autodiff have the same loss over the first 50 updates.
func TestEnginesFollowOneAnother(t *testing.T) {
	for _, shape := range membership.Names() {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			fused, autodiff := newTrainStep(t, "fused", shape, 64, 16, 4), newTrainStep(t, "autodiff", shape, 64, 16, 4)
			for k := range 50 {
				a, b := fused.run(t), autodiff.run(t)
				if !(math.Abs(a-b) <= 1e-10*math.Abs(b)) {
					t.Fatalf("update %d: loss %v, autodiff %v, relative difference %.2g", k+1, a, b, math.Abs(a-b)/b)
				}
			}
		})
	}
}
