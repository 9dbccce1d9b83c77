package rules

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestDrawnSamplesSettleEarlier: iterations on drawn samples end earlier, close to where they end otherwise.
func TestDrawnSamplesSettleEarlier(t *testing.T) {
	racedetector.Skip(t)
	x, y := table(5000, 4)
	inertia := func(c *Clusters) (sum float64) {
		for _, row := range x {
			least := math.Inf(1)
			for _, center := range c.Centers {
				least = min(least, squaredDistance(row, center))
			}
			sum += least
		}
		return sum
	}
	for name, initialise := range map[string]Initialiser{"kmeans": KMeans, "fcm": FuzzyCMeans} {
		all := must(initialise(t.Context(), Samples{X: x, Y: y}, 8, rng(1)))
		drawn := must(initialise(t.Context(), Samples{X: x, Y: y, Drawn: true}, 8, rng(1)))
		if drawn.Iterations >= all.Iterations {
			t.Errorf("%s: %d iterations on drawn samples, %d otherwise", name, drawn.Iterations, all.Iterations)
		}
		if got, want := inertia(drawn), inertia(all); math.Abs(got/want-1) > 0.01 {
			t.Errorf("%s: inertia %v on drawn samples, %v otherwise", name, got, want)
		}
	}
}
