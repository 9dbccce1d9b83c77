package fit

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/lse"
	"github.com/tskgraph/tskgraph/optim"
)

// leastSquares is the objective of hybrid learning, as ANFIS has it: its parameters are the
// antecedents, and the consequents are always the least-squares estimates for them.
type leastSquares struct {
	*graph.Network
	estimator *lse.Estimator
	failed    error // why the consequents are not those of the present antecedents
}

// newLeastSquares estimates the first consequents. If that fails, so will the first
// Evaluate.
func newLeastSquares(n *graph.Network, e *lse.Estimator) *leastSquares {
	o := &leastSquares{Network: n, estimator: e}
	o.estimate()
	return o
}

// estimate replaces the consequents. Where that fails they stay as they are.
func (o *leastSquares) estimate() {
	w, err := o.estimator.Estimate(o.RuleBase())
	if err != nil {
		o.failed = fmt.Errorf("%w: %w", optim.ErrDiverged, err)
		return
	}
	o.failed = nil
	o.SetConsequents(w)
}

// Params returns the antecedents.
func (o *leastSquares) Params() []gorgonia.ValueGrad {
	all := o.Network.Params()
	return all[:len(all)-2]
}

// Evaluate is that of the network.
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
