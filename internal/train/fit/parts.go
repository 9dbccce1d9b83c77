package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// part is a part of a fit.
type part struct {
	iterations int
	begin      func(*fitting, context.Context) error // changes the rules before the part, unless ctx ends; may be nil
	sparse     bool                                  // terms were removed
}

// parts divides the iterations of a fit: conditions are removed after 0.3 of them if the
// recipe limits their number, and terms after 0.6.
func parts(m recipe.Model, iterations int) []part {
	var all []part
	var next part
	made := 0
	if m.Antecedents > 0 {
		next.iterations = int(math.Round(0.3 * float64(iterations)))
		all, made = append(all, next), next.iterations
		next = part{begin: (*fitting).shorten}
	}
	if m.Terms > 0 {
		next.iterations = int(0.6*float64(iterations)) - made // rounded down: the last part is not empty
		all, made = append(all, next), made+next.iterations
		next = part{begin: (*fitting).removeTerms, sparse: true}
	}
	next.iterations = iterations - made
	return append(all, next)
}

// shorten flattens antecedents if rules have more conditions than the recipe allows.
func (f *fitting) shorten(ctx context.Context) error {
	places, err := rules.Shorten(ctx, f.network.RuleBase(), f.antecedents(), f.data.Weights, f.Recipe.Model.Antecedents, f.prep.Categories())
	if err == nil && len(places) > 0 {
		err = f.network.Flatten(places)
	}
	return err
}

// removeTerms removes terms if THEN parts of an output have more of them than the recipe
// allows.
func (f *fitting) removeTerms(context.Context) error {
	r, N := f.Recipe, len(f.x)
	B := r.Train.BatchOf(N)
	weights := make([]float64, N) // so that the loss is that of the average batch
	for n, own := range numeric.EachWeight(lossWeights(r.Train, r.Train.LossWeights(f.data), N, B), N) {
		weights[n] = own * float64(B) / float64(N)
	}
	rb := f.network.RuleBase()
	curvatures := curvatures(rb, f.loop.Loss, f.x, f.targets(), weights)
	for c, weights := range curvatures {
		one := rb.Output(c)
		for i, w := range lse.RemoveTerms(one, r.Model.Terms, lse.Curvature{
			X: f.x, Weights: weights, Alpha: r.Train.Agreement(), Slopes: penalty.Slopes{Lambda: r.Train.L2, ToMean: r.Train.Shrink == "mean"},
		}) {
			copy(one.Consequents[i], w)
		}
	}
	return f.network.SetConsequents(rb.Consequents)
}

// continues reports whether the fit starts from trained rules, so that slopes of zero are
// removed terms.
func (f *fitting) continues() bool {
	m := f.Recipe.Model
	return (f.stage > 0 || m.Init == recipe.SavedModel || m.FromFile()) && f.rules.Terms() > 0
}

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

// curvatures returns the second derivatives [C][N] of the weighted loss of each sample by
// each output, at the current rules: the weights, for a squared loss; otherwise from
// differences of the gradient. Where a loss is linear, as beside a kink, they are those of
// a squared loss with a thousandth of the weight, so that no consequent is free.
func curvatures(rb *rules.RuleBase, l loss.Loss, x [][]float64, targets, weights []float64) [][]float64 {
	C := rb.OutputCount()
	all := make([][]float64, C)
	for c := range all {
		all[c] = slices.Clone(weights)
	}
	if _, squared := l.(loss.Squared); squared && C == 1 {
		return all
	}
	const h = 1e-3
	of := loss.Joint(l, nil)
	y, _, _ := rb.Forward(x, nil) // of the trainer's own samples
	up, down := make([]float64, C), make([]float64, C)
	for n := range x {
		y, t := y[n*C:(n+1)*C], targets[n*C:(n+1)*C]
		for c, at := range y {
			y[c] = at + h
			of.Gradient(up, y, t)
			y[c] = at - h
			of.Gradient(down, y, t)
			y[c] = at
			all[c][n] *= max(1e-3, (up[c]-down[c])/(2*h))
		}
	}
	return all
}
