package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/model"
)

// leastVariance is the ratio to the largest variance below which the variance of a
// component counts as rounding error.
const leastVariance = 1e-12

// principalComponents returns the first k principal components of the z-scores of the
// training samples x [N][M] with weights [N] (nil: all one); fewer for collinear features,
// none if there are at most k features. The sign of a component makes its largest loading,
// the first of equals, positive.
func principalComponents(ctx context.Context, prep model.Preprocessing, x [][]float64, weights []float64, k int) ([]model.Component, error) {
	M := len(prep.Used())
	if k == 0 || M <= k {
		return nil, nil
	}
	x, err := prep.Scale(x)
	if err != nil {
		return nil, &data.Error{Message: err.Error(), Err: err}
	}
	z := mat.NewDense(len(x), M, nil)
	for n, row := range x {
		z.SetRow(n, row)
	}
	var pc stat.PC
	found := false
	if err := parallel.Await(ctx, func() { found = pc.PrincipalComponents(z, weights) }); err != nil {
		return nil, interrupted(ctx)
	}
	if !found {
		return nil, &data.Error{Message: "the principal components of the features could not be computed: set data.pca to 0"}
	}
	variances := pc.VarsTo(nil)
	var vectors mat.Dense
	pc.VectorsTo(&vectors)
	var components []model.Component
	for i, v := range variances[:min(k, len(variances))] {
		if !(v > leastVariance*variances[0]) {
			break
		}
		c := model.Component{Loadings: mat.Col(nil, i, &vectors), SD: math.Sqrt(v), Min: math.Inf(1), Max: math.Inf(-1)}
		direct(c.Loadings)
		for _, row := range x {
			score := 0.0
			for m, v := range row {
				score += float64(c.Loadings[m] * v)
			}
			c.Min, c.Max = min(c.Min, score), max(c.Max, score)
		}
		components = append(components, c)
	}
	return components, nil
}

// direct makes the largest loading positive; of those equal up to rounding, the first.
func direct(loadings []float64) {
	largest := 0.0
	for _, v := range loadings {
		largest = max(largest, math.Abs(v))
	}
	for _, v := range loadings {
		if math.Abs(v) < largest*(1-1e-9) {
			continue
		}
		if v < 0 {
			for m := range loadings {
				loadings[m] = -loadings[m]
			}
		}
		return
	}
}
