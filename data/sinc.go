package data

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// sinc is the two-input sinc without noise, on [-10,10] x [-10,10]:
//
//	z = sin(x)/x * sin(y)/y,   sin(0)/0 = 1
//
// 121 points of a regular grid, then 400 points drawn uniformly. Customary split: the grid is for training, the
// others for test.
//
// J.-S. R. Jang, "ANFIS: adaptive-network-based fuzzy inference system", IEEE Transactions on Systems, Man, and
// Cybernetics 23 (1993) 665-685, example 1; the points to test are ours, the paper has none.
var sinc = builtin{
	name:   "sinc",
	doc:    "a smooth surface over two numbers, without noise",
	target: "z",
	split:  Split{Kind: splitChronological, Train: float64(sincGrid) / (sincGrid + sincTest)},
	generate: func() ([]string, [][]float64, []float64) {
		random := rand.New(rand.NewPCG(1993, 1))
		x := matrix(sincGrid+sincTest, 2)
		y := make([]float64, len(x))
		for i, v := range x {
			if i < sincGrid {
				v[0], v[1] = float64(2*(i/11)-10), float64(2*(i%11)-10)
			} else {
				v[0], v[1] = float64(20*random.Float64())-10, float64(20*random.Float64())-10
			}
			y[i] = sinOver(v[0]) * sinOver(v[1])
		}
		return []string{"x", "y"}, x, y
	},
}

const (
	sincGrid = 11 * 11
	sincTest = 400
)

func sinOver(x float64) float64 {
	if x == 0 {
		return 1
	}
	return numeric.Sin(x) / x
}
