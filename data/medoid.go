package data

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// mostCompared is the number of rows among which Medoid chooses.
const mostCompared = 300

// Medoid returns the index of a typical row: of at most 300 rows, the one with the least sum of distances to the others. Columns count
// alike: numbers by their difference over a fifth of the range between their [numeric.Ends], about a standard deviation, and categories as
// one where they differ. A missing cell is far from every value.
func (d *Dataset) Medoid() int {
	chosen := numeric.Some(d.Len(), mostCompared)
	weights := d.distances(chosen)
	best, least := chosen[0], math.Inf(1)
	for _, i := range chosen {
		sum := 0.0
		for _, k := range chosen {
			for m, w := range weights {
				if by := math.Abs(d.X[i][m] - d.X[k][m]); math.IsNaN(by) {
					sum += 2
				} else {
					sum += float64(w * by)
				}
			}
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return best
}

// distances returns the weight of each feature in the distance of two of the chosen rows.
func (d *Dataset) distances(chosen []int) []float64 {
	var weights []float64
	for _, c := range d.Schema.Columns {
		first := len(weights)
		for k := range c.Width() {
			weight := 1 / float64(min(c.Width(), 2)) // two features differ where categories do
			if c.Unused {
				weight = 0
			} else if !c.Nominal() && k == 0 {
				var values []float64
				for _, i := range chosen {
					if v := d.X[i][first]; !math.IsNaN(v) {
						values = append(values, v)
					}
				}
				weight = 0
				if len(values) > 0 {
					if low, high := numeric.Ends(values); high > low {
						weight = 5 / (high - low)
					}
				}
			}
			weights = append(weights, weight)
		}
	}
	return weights
}
