package fit

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/optim"
)

// leastSquares is the least-squares objective, the hybrid learning of ANFIS: its parameters
// are the antecedents, and the consequents are the least-squares estimates for them.
type leastSquares struct {
	*graph.Network
	estimator *lse.Estimator
	failed    error // error of the last estimate
}

// newLeastSquares estimates the initial consequents. If that fails, the first Evaluate
// returns the error.
func newLeastSquares(n *graph.Network, e *lse.Estimator) *leastSquares {
	o := &leastSquares{Network: n, estimator: e}
	o.estimate()
	return o
}

// estimate replaces the consequents. If that fails, they do not change.
func (o *leastSquares) estimate() {
	w, err := o.estimator.Estimate(o.RuleBase())
	if err != nil {
		o.failed = fmt.Errorf("%w: %w", optim.ErrDiverged, err)
		return
	}
	o.failed = o.SetConsequents(w)
}

// Params returns the antecedents.
func (o *leastSquares) Params() []gorgonia.ValueGrad {
	all := o.Network.Params()
	return all[:len(all)-2]
}

// Evaluate calls Evaluate of the network unless the last estimate failed.
func (o *leastSquares) Evaluate(x, target, mask, weight []float64) (data, penalty float64, skipped int, err error) {
	if o.failed != nil {
		return 0, 0, 0, o.failed
	}
	return o.Network.Evaluate(x, target, mask, weight)
}

// Project moves the antecedents into their domain and estimates the consequents for them.
func (o *leastSquares) Project() {
	o.Network.Project()
	o.estimate()
}
