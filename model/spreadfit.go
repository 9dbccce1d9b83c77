package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/rules"
)

const (
	spreadKnots  = 9    // of a curve, at most
	spreadSweeps = 12   // over the curves
	leastSpread  = 50   // training samples
	mostSpread   = 5000 // training samples, evenly spaced
	spreadLevel  = 0.9  // at which widths are compared
	spreadGain   = 0.98 // the width, over that of constant intervals, above which they are constant
)

// spreadRidges are the penalties of the squared values of curves that cross-validation compares.
var spreadRidges = []float64{10, 30, 100, 300}

// fitSpread returns the spread of a model without a calibration on its training part; nil if intervals are not narrower for it, by
// cross-validation over the residuals. The residuals are those of training: they say where the model errs more, and the calibration how
// much. Curves are fitted to log(|residual| + a fifth of the median), one after the other, by ridge regression.
func fitSpread(ctx context.Context, m *Model, train *data.Dataset) (*Spread, error) {
	d, err := measurable(m.Preprocessing, train.WithoutWhole())
	if err != nil || m.several() || d.Len() < leastSpread {
		return nil, err
	}
	if n := d.Len(); n > mostSpread {
		rows := make([]int, mostSpread)
		for i := range rows {
			rows[i] = i * n / mostSpread
		}
		d = d.Subset(rows)
	}
	d = m.Fill(d)
	p, err := m.predict(ctx, d.X, d.Y)
	if err != nil {
		return nil, err
	}
	f := spreadFit{weights: d.Weights, residuals: make([]float64, d.Len())}
	for n := range f.residuals {
		below, above := m.kind().off(m.Criterion(), p, d, n)
		f.residuals[n] = max(below, above)
	}
	median := slices.Sorted(slices.Values(f.residuals))[d.Len()/2]
	if !(median > 0) || math.IsInf(median, 0) {
		return nil, nil
	}
	for _, r := range f.residuals {
		f.logs = append(f.logs, math.Log(r+0.2*median))
	}
	if f.curves = f.place(m, d.X, p.Values); f.curves == nil {
		return nil, nil
	}
	ridge, err := f.choose(ctx, d, rand.New(rand.NewPCG(m.Training.Seed, 0)))
	if ridge == 0 || err != nil {
		return nil, err
	}
	all := make([]int, d.Len())
	for n := range all {
		all[n] = n
	}
	s := f.fit(all, ridge)
	if s.check(m.Preprocessing) != nil { // residuals of extreme sizes
		return nil, nil
	}
	return s, ctx.Err()
}

// spreadFit fits spreads to residuals [N] of samples.
type spreadFit struct {
	residuals, logs, weights []float64
	curves                   []placedCurve
}

// placedCurve is a curve without values, with the places of the samples on it.
type placedCurve struct {
	SpreadCurve
	at []rules.Place // [N]
}

// place returns the curves of the features that the model or a member uses and that vary, and of the prediction.
func (f *spreadFit) place(m *Model, x [][]float64, predicted []float64) (all []placedCurve) {
	for j := range len(m.Features) + 1 {
		unused := func(one *Model) bool { return j < len(one.Features) && one.Features[j].Constant }
		if unused(m) || m.Committee() && !slices.ContainsFunc(m.Members, func(one *Model) bool { return !unused(one) }) {
			continue
		}
		values := make([]float64, len(x))
		for n, row := range x {
			values[n] = spreadInput(m.Preprocessing, row, predicted[n], j)
		}
		sorted := slices.Sorted(slices.Values(values))
		knots := slices.Compact(slices.Clone(sorted))
		if len(knots) > spreadKnots {
			for k := range spreadKnots {
				knots[k] = sorted[k*(len(sorted)-1)/(spreadKnots-1)]
			}
			knots = slices.Compact(knots[:spreadKnots])
		}
		if len(knots) < 2 || math.IsInf(knots[len(knots)-1]-knots[0], 0) {
			continue
		}
		c := placedCurve{SpreadCurve: SpreadCurve{Feature: j, Knots: knots}}
		for _, v := range values {
			q, t := rules.Between(knots, v)
			c.at = append(c.at, rules.Place{Knot: q, Share: t})
		}
		all = append(all, c)
	}
	return all
}

// choose returns the ridge of the narrowest intervals in cross-validation; zero if constant ones are not wider.
func (f *spreadFit) choose(ctx context.Context, d *data.Dataset, rng *rand.Rand) (ridge float64, err error) {
	folds, err := d.Folds(5, rng)
	if err != nil {
		return 0, nil // such as a single group
	}
	var held []int
	for _, fold := range folds {
		held = append(held, fold.Held...)
	}
	scales := make([][]float64, len(spreadRidges))
	for i := range scales {
		scales[i] = make([]float64, d.Len())
	}
	err = parallel.Until(ctx, len(scales)*len(folds), 1, func(i, _, _ int) {
		fold, of := folds[i%len(folds)], i/len(folds)
		s := f.fit(fold.Train, spreadRidges[of])
		for _, n := range fold.Held {
			scales[of][n] = math.Exp(s.Level + f.sum(s, n))
		}
	})
	least := spreadGain * f.width(held, nil)
	for i, of := range scales {
		if w := f.width(held, of); w < least {
			least, ridge = w, spreadRidges[i]
		}
	}
	return ridge, err
}

// width returns the mean width of intervals with scales [N] that hold the residuals of spreadLevel of the rows; of constant ones for nil.
func (f *spreadFit) width(rows []int, scales []float64) float64 {
	var scores, of, weights []float64
	for _, n := range rows {
		scale := 1.0
		if scales != nil {
			scale = scales[n]
		}
		scores, of = append(scores, f.residuals[n]/scale), append(of, scale)
		if f.weights != nil {
			weights = append(weights, f.weights[n])
		}
	}
	mean := numeric.WeightedMean(of, weights)
	scores = numeric.SortedByValue(scores, weights)
	return scores[int(spreadLevel*float64(len(scores)))] * mean
}

// sum returns the sum of the curves of a spread at a sample.
func (f *spreadFit) sum(s *Spread, n int) (sum float64) {
	for i, c := range s.Curves {
		sum += f.curves[i].at[n].On(c.Values)
	}
	return sum
}

// fit fits a spread to the residuals of rows.
func (f *spreadFit) fit(rows []int, ridge float64) *Spread {
	s := &Spread{}
	rest, total := make([]float64, len(rows)), 0.0
	for i, n := range rows {
		rest[i] = f.logs[n]
		total += numeric.WeightAt(f.weights, n)
	}
	for _, c := range f.curves {
		s.Curves = append(s.Curves, SpreadCurve{c.Feature, c.Knots, make([]float64, len(c.Knots))})
	}
	centre := func() {
		mean := 0.0
		for i, n := range rows {
			mean += float64(numeric.WeightAt(f.weights, n) / total * rest[i])
		}
		s.Level += mean
		for i := range rest {
			rest[i] -= mean
		}
	}
	centre()
	for range spreadSweeps {
		for i := range f.curves {
			f.refit(s.Curves[i].Values, f.curves[i].at, rows, rest, ridge)
		}
		centre()
	}
	return s
}

// refit fits the values of one curve, of which neighbouring knots alone share samples, and updates what the curves leave of the rows.
func (f *spreadFit) refit(values []float64, at []rules.Place, rows []int, rest []float64, ridge float64) {
	K := len(values)
	diagonal, beside, right := make([]float64, K), make([]float64, K), make([]float64, K)
	for k := range diagonal {
		diagonal[k] = ridge
	}
	for i, n := range rows {
		p, w := at[n], numeric.WeightAt(f.weights, n)
		rest[i] += p.On(values)
		low, high := float64(w*(1-p.Share)), float64(w*p.Share)
		diagonal[p.Knot] += float64(low * (1 - p.Share))
		diagonal[p.Knot+1] += float64(high * p.Share)
		beside[p.Knot] += float64(low * p.Share)
		right[p.Knot] += float64(low * rest[i])
		right[p.Knot+1] += float64(high * rest[i])
	}
	for k := 1; k < K; k++ {
		factor := beside[k-1] / diagonal[k-1]
		diagonal[k] -= float64(factor * beside[k-1])
		right[k] -= float64(factor * right[k-1])
	}
	for k := K - 1; k >= 0; k-- {
		if values[k] = right[k]; k < K-1 {
			values[k] -= float64(beside[k] * values[k+1])
		}
		values[k] /= diagonal[k]
	}
	for i, n := range rows {
		rest[i] -= at[n].On(values)
	}
}
