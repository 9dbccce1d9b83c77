package fit

import (
	"context"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/internal/train/lse"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
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
	B := batch(r.Train, N)
	weights := make([]float64, N) // so that the loss is that of the average batch
	for n, own := range weighted.Each(lossWeights(r.Train, r.Train.LossWeights(f.data), N, B), N) {
		weights[n] = own * float64(B) / float64(N)
	}
	rb := f.network.RuleBase()
	curvatures := curvatures(rb, f.loop.Loss, f.x, f.targets(), weights)
	for c, weights := range curvatures {
		one := rb.Output(c)
		for i, w := range lse.RemoveTerms(one, r.Model.Terms, lse.Curvature{
			X: f.x, Weights: weights, Alpha: r.Train.Agreement, Slopes: penalty.Slopes{Lambda: r.Train.L2, ToMean: r.Train.Shrink == "mean"},
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

// holdTerms keeps removed terms out of training if the recipe limits the number of terms.
func (f *fitting) holdTerms() {
	if f.Recipe.Model.Terms > 0 {
		f.network.HoldZeroSlopes()
	}
}
