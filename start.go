package tskgraph

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/rules"
)

// initialisers find where rules start, by the names of Options.Model.Init.
var initialisers = map[string]rules.Initialiser{"fcm": rules.FuzzyCMeans, "kmeans": rules.KMeans, "one-feature": rules.OneFeature, "genfis": genfis}

// grid is the name of the start that knows its number of rules: 2^M.
const grid = "grid"

// genfis is the start of MATLAB's anfis: clusters, and every rule at the plane of
// least squares.
func genfis(x [][]float64, y, weight []float64, R int, rng *rand.Rand) (*rules.Clusters, error) {
	c, err := rules.GenFIS(x, y, weight, R, rng)
	if err != nil {
		return nil, err
	}
	c.Plane = lse.Plane(x, y, weight)
	return c, nil
}

// onGrid places the rules on a grid over the scaled samples x.
func (o Options) onGrid(x [][]float64, weight []float64) (*rules.RuleBase, error) {
	rb, err := rules.Grid(o.Model.Membership, x, weight)
	switch M := len(x[0]); {
	case errors.Is(err, rules.ErrGrid):
		return nil, &OptionError{"model.init", fmt.Sprintf("a grid over %d inputs would have 2^%d rules, and takes at most %d inputs: "+
			"set data.pca, such as 5, or leave features out (data.ignore)", M, M, rules.MaxGridInputs)}
	case err != nil:
		return nil, err
	case o.Model.Rules != 0 && o.Model.Rules != rb.Rules():
		return nil, &OptionError{"model.rules", fmt.Sprintf("%d, but a grid over %d inputs has 2^%d = %d: leave it out", o.Model.Rules, M, M, rb.Rules())}
	}
	return rb, nil
}
