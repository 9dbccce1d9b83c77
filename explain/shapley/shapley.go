// Package shapley attributes the predictions of a model to the columns of its table by interventional Shapley values (S. M. Lundberg, S.-I.
// Lee, A unified approach to interpreting model predictions, NIPS 2017; D. Janzing, L. Minorics, P. Blöbaum, Feature relevance
// quantification in explainable AI: a causal problem, AISTATS 2020).
//
//	a, err := shapley.New(m, train, seed)
//	all, err := a.Attribute(ctx, x) // all[n].Mean + the sum of all[n].Values + all[n].Neighbours is the prediction
//
// The players of the game are the P columns on which the model depends; the features of a categorical column are one player. The worth of a
// set S of players is the mean of the model's predictions over a background sample of rows b, with the values of S from the row x to
// explain and all others from b:
//
//	v(S)  = mean_b f(x_S, b_rest)
//	phi_j = sum_{S without j} |S|! (P-|S|-1)! / P!  (v(S+j) - v(S))
//
// f is the prediction as [model.Model.Predict] returns it, with limits, components and the members of a committee, but without
// [model.Neighbours]: their change of the prediction is a part of its own. The values of all columns sum to f(x) minus the mean of f over
// the background.
package shapley

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/model"
)

const (
	// BackgroundRows is the largest number of rows in a background sample.
	BackgroundRows = 100

	// Exact is the largest number of players that differ between x and a row of the background for which all their 2^P subsets are evaluated.
	Exact = 12

	stepCost  = 10 // of a prediction in a walk, in those in a product of matrices
	mixedCost = 50 // of a prediction by the model
)

// Attribution is a prediction as a sum of parts, in the target's unit.
type Attribution struct {
	Prediction float64
	Mean       float64   // of the predictions of the background
	Neighbours float64   // change of the prediction by the model's neighbours; zero without
	Values     []float64 // [C], by column of the schema; zero for a column on which the model does not depend

	// Errors [C] are the standard errors of Values from the sampling of permutations; nil if
	// all values are exact. The choice of the background is not part of them.
	Errors []float64
}

// Attributor computes attributions. It may be used by several goroutines.
type Attributor struct {
	model      *model.Model
	alone      *model.Model // without neighbours
	members    []member
	players    []player
	background [][]float64 // [B][M]
	weights    []float64   // [B], which sum to one
	mean       float64     // of the predictions of the background
	seed       uint64
}

// Background is the sample of rows that predictions are compared with. It has all that [Background.Attributor] needs of a
// table, and may be sent to another process, as JSON too: every number keeps its bits.
type Background struct {
	Rows    [][]float64 // [B][M], at most BackgroundRows
	Weights []float64   // [B], not negative
}

// Sample returns a background for a model: a sample, without replacement, of at most BackgroundRows rows of d, which must have the model's
// features; sample weights of d are the weights of its mean. seed determines the sample. The errors are those of [model.Model.Evaluate].
func Sample(m *model.Model, d *data.Dataset, seed uint64) (Background, error) {
	if err := m.Validate(); err != nil {
		return Background{}, err
	}
	if err := m.CheckFeatures(d); err != nil {
		return Background{}, err
	}
	d, err := d.Weighed()
	if err != nil {
		return Background{}, err
	}
	chosen := rand.New(rand.NewPCG(seed, backgroundStream)).Perm(d.Len())
	chosen = chosen[:min(len(chosen), BackgroundRows)]
	slices.Sort(chosen)
	d = m.Fill(d.Subset(chosen))
	return Background{d.X, slices.Clone(numeric.EachWeight(d.Weights, d.Len()))}, nil
}

// New returns an attributor for a model whose background is a [Sample] of d. seed determines this sample and the permutations.
func New(m *model.Model, d *data.Dataset, seed uint64) (*Attributor, error) {
	b, err := Sample(m, d, seed)
	if err != nil {
		return nil, err
	}
	return b.Attributor(m, seed)
}

// Attributor returns an attributor for a model of the features that the background has. seed determines the permutations. A model that is
// invalid, rows that it cannot predict, and weights of another number, not finite, below 0 or all 0 are errors.
func (b Background) Attributor(m *model.Model, seed uint64) (*Attributor, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if w := b.Weights; len(w) == 0 || len(w) != len(b.Rows) || !numeric.Finite(w...) || slices.Min(w) < 0 || slices.Max(w) == 0 {
		return nil, fmt.Errorf("background: %d weights of %d rows: want a finite one of each row, none below 0 and one above",
			len(w), len(b.Rows))
	}
	a := &Attributor{model: m, alone: m.WithoutNeighbours(), players: playersOf(m), seed: seed,
		background: b.Rows, weights: slices.Clone(b.Weights)}
	p, err := a.alone.Predict(a.background)
	if err != nil {
		return nil, fmt.Errorf("background: %w", err)
	}
	total := numeric.WeightSum(b.Weights, len(b.Rows))
	for i, v := range p.Values {
		a.weights[i] /= total
		a.mean += float64(a.weights[i] * v)
	}
	single := []*model.Model{a.alone}
	if m.Committee() {
		single = m.Members
	}
	for _, one := range single {
		k, err := newMember(one, a.players, a.background)
		if err != nil {
			return nil, err
		}
		a.members = append(a.members, k)
	}
	return a, nil
}

// Background returns the number of rows of the background and the mean of their predictions.
func (a *Attributor) Background() (rows int, mean float64) { return len(a.background), a.mean }

// Samples reports whether the values of some rows are estimated from permutations: whether there are more than Exact players.
func (a *Attributor) Samples() bool { return len(a.players) > Exact }

// Cost estimates the time to attribute a row, at most about a nanosecond per unit: the number of
// predictions times the rules of each, those outside a product of matrices several times.
func (a *Attributor) Cost() float64 {
	predictions := 1 << min(len(a.players), Exact)
	if a.Samples() {
		predictions = max(predictions, 2*antithetic*stepCost*(len(a.players)+1))
	}
	rules := 0
	for _, m := range a.members {
		rules += m.cost()
	}
	return float64(predictions) * float64(len(a.background)) * float64(rules)
}

// Attribute attributes the predictions of the rows x [N][M], features in their own units and in the order of Schema.Features(), on at most
// GOMAXPROCS goroutines. The attribution of a row does not depend on the others. The errors are those of [model.Model.Predict], a
// *[model.SampleError] for a prediction that overflows, and that of ctx if it ends before the last row.
func (a *Attributor) Attribute(ctx context.Context, x [][]float64) ([]Attribution, error) {
	if a == nil || a.model == nil {
		return nil, errors.New("shapley: the attributor is empty: New returns one")
	}
	p, err := a.model.Predict(x)
	if err != nil {
		return nil, err
	}
	alone := p
	if a.alone != a.model {
		if alone, err = a.alone.Predict(x); err != nil {
			return nil, err
		}
	}
	all, errs := make([]Attribution, len(x)), make([]error, len(x))
	parallel.Each(len(x), func(n int) {
		if errs[n] = ctx.Err(); errs[n] != nil {
			return
		}
		all[n], errs[n] = attribute(a, x[n])
		all[n].Prediction, all[n].Mean, all[n].Neighbours = p.Values[n], a.mean, p.Values[n]-alone.Values[n]
		if errs[n] == nil && !numeric.Finite(all[n].Values...) {
			errs[n] = &model.SampleError{Sample: n, Message: "predictions overflow: too far from the training data to be explained"}
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

var _ model.Explainer = Outputs(nil)

// Outputs attributes several outputs of the same samples, as the outputs of a model with a [model.Response].
type Outputs []Output

// Output is an output with its name in tables.
type Output struct {
	Name string
	*Attributor
}

// TableColumns returns the names of the columns of each output, see [Attributor.TableColumns], with _NAME appended.
func (o Outputs) TableColumns() []string {
	var names []string
	for _, one := range o {
		for _, name := range one.Attributor.TableColumns() {
			names = append(names, name+"_"+one.Name)
		}
	}
	return names
}

// TableCells returns the cells of each output, see [Attributor.TableCells].
func (o Outputs) TableCells(ctx context.Context, x [][]float64) ([][]float64, error) {
	cells := make([][]float64, len(x))
	for _, one := range o {
		more, err := one.Attributor.TableCells(ctx, x)
		if err != nil {
			return nil, err
		}
		for n := range cells {
			cells[n] = append(cells[n], more[n]...)
		}
	}
	return cells, nil
}
