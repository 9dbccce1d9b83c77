package fit

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/optim"
)

// leastSquares is the least-squares objective, the hybrid learning of ANFIS: its parameters
// are the antecedents, and the consequents are the least-squares estimates for them.
type leastSquares struct {
	*graph.Network
	estimator *lse.Estimator
	ctx       context.Context // of the training; it ends estimates
	failed    error           // error of the last estimate
	estimated [][][]float64   // the antecedents that the consequents are for
}

// newLeastSquares estimates the initial consequents. If that fails, the first Evaluate
// returns the error.
func newLeastSquares(ctx context.Context, n *graph.Network, e *lse.Estimator) *leastSquares {
	o := &leastSquares{Network: n, estimator: e, ctx: ctx}
	o.estimate(ctx)
	return o
}

// estimate replaces the consequents. If that fails, they do not change.
func (o *leastSquares) estimate(ctx context.Context) {
	w, err := o.estimator.Estimate(ctx, o.RuleBase())
	switch {
	case err != nil && ctx.Err() != nil:
		o.failed = err
		return
	case err != nil:
		o.failed = fmt.Errorf("%w: %w", optim.ErrDiverged, err)
		return
	}
	o.failed = o.SetConsequents(w)
	o.estimated = o.Parameters().Antecedents
}

// end estimates the consequents for the best antecedents; once the training was interrupted, on some of the samples.
func (o *leastSquares) end() {
	ctx := o.ctx
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
		if o.estimator.Rows = mostRows; reflect.DeepEqual(o.estimated, o.Parameters().Antecedents) {
			return
		}
	}
	o.estimate(ctx)
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
	o.estimate(o.ctx)
}

// Interrupted makes o an [optim.Interruptible].
func (o *leastSquares) Interrupted() error {
	if o.ctx.Err() != nil && errors.Is(o.failed, o.ctx.Err()) {
		return o.failed
	}
	return nil
}
