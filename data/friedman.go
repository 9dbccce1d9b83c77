package data

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// friedman1 has ten inputs, uniform on [0,1], of which five matter, 1,000 rows and noise of standard deviation 1:
//
//	y = 10 sin(pi x1 x2) + 20 (x3 - 0.5)^2 + 10 x4 + 5 x5 + N(0,1)
//
// Customary split: at random, 70% for training. No model can have a test RMSE much below 1.
//
// J. H. Friedman, "Multivariate adaptive regression splines", The Annals of Statistics 19 (1991) 1-67, section 4.3.
var friedman1 = builtin{
	name:   "friedman1",
	doc:    "1,000 rows of a formula of five numbers, with noise and five more columns",
	target: "y",
	split:  Split{Kind: splitRandom, Train: 0.7},
	generate: func() ([]string, [][]float64, []float64) {
		const rows, inputs = 1000, 10
		random := rand.New(rand.NewPCG(1991, 1))
		names := make([]string, inputs)
		for m := range names {
			names[m] = fmt.Sprintf("x%d", m+1)
		}
		x := matrix(rows, inputs)
		y := make([]float64, rows)
		for i, v := range x {
			for m := range v {
				v[m] = random.Float64()
			}
			c := v[2] - 0.5
			y[i] = float64(10*numeric.Sin(math.Pi*v[0]*v[1])) + float64(20*c*c) + float64(10*v[3]) + float64(5*v[4]) + numeric.Normal(random)
		}
		return names, x, y
	},
}
