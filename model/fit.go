package model

import (
	"context"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/loss"
)

// Fit computes the weighted means, standard deviations and quantiles of the training part, and the ranges over its samples of positive
// weight (see [data.Dataset.Weighed]). Of a sample of a Whole only the quantiles are those of the sample: what else is computed is exact.
// An invalid part, a part in which no feature varies, and a range of a feature or of the target that overflows are a *data.Error. If ctx
// ends, the error is that of ctx.
func Fit(ctx context.Context, train *data.Dataset) (Preprocessing, error) {
	train, err := train.Weighed()
	if err != nil {
		return Preprocessing{}, err
	}
	p := Preprocessing{Schema: train.Schema, ImputeMeans: train.Missing.Policy == "mean"}
	var exact []data.Moments
	if train.Whole != nil {
		exact = train.Whole.Features()
	}
	var c column
	used := 0
	for m, name := range train.Schema.Features() {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		c.read(train.X, train.Weights, m)
		of := c.moments()
		if exact != nil {
			of = exact[m]
		}
		if of.N == 0 {
			return p, tableError("feature %s has no value in the training part: leave it out (data.ignore)",
				escape.Quote(name))
		}
		f := Feature{Name: name, Mean: of.Mean, SD: of.SD, Min: of.Min, Max: of.Max}
		if math.IsInf(f.Max-f.Min, 0) {
			return p, tooWide(name, f.Min, f.Max)
		}
		if !(f.SD > 0) {
			f.SD, f.Constant = 1, true
		} else {
			used++
			f.Quantiles = quantilesOf(f, c)
		}
		p.Features = append(p.Features, f)
	}
	if used == 0 {
		return p, tableError("every feature is constant in the training part (%s): there is nothing to learn from",
			numeric.Counted(train.Total(), "sample"))
	}
	if p.Target, err = fitTarget(train, 0); err != nil {
		return p, err
	}
	p.dropChance(train)
	p.markUnused()
	p.fitTime(train)
	return p, nil
}

// beyondChance is the difference of means, in standard errors, from which on missing cells of a number say something of a target.
const beyondChance = 3

// dropChance leaves out the indicators of missing numbers, see [data.Column], that say nothing of the targets of the training part: where
// the means of each target, or the shares of each class, over the samples with and without the number differ by chance alone. Cells that
// are missing at random would else cost a slope in each rule.
func (p *Preprocessing) dropChance(train *data.Dataset) {
	at := 0
	for _, c := range p.Schema.Parts() {
		if f := &p.Features[at]; c.Beside() && !f.Constant && !p.Features[at-1].Constant && !telling(train, at) {
			f.Constant, f.SD, f.Quantiles = true, 1, nil
		}
		at += c.Width()
	}
}

// telling reports whether a target differs beyond chance between the samples in which feature m is 1 and the others.
func telling(train *data.Dataset, m int) bool {
	target := func(c, i int) float64 {
		switch y := train.Y[i]; {
		case train.Schema.Classes != nil && y == float64(c):
			return 1
		case train.Schema.Classes != nil:
			return 0
		case c > 0:
			return train.Others[c-1][i]
		default:
			return y
		}
	}
	for c := range len(train.Others) + max(1, len(train.Schema.Classes)) {
		var n, sum [2]float64 // of the samples without and with the feature
		squares := 0.0
		for i, row := range train.X {
			y, w, k := target(c, i)-target(c, 0), numeric.WeightAt(train.Weights, i), int(row[m])
			n[k] += w
			sum[k] += float64(w * y)
			squares += float64(w * y * y)
		}
		all := n[0] + n[1]
		mean := (sum[0] + sum[1]) / all
		variance := max(0, squares/all-float64(mean*mean)) // of both groups: that of a few samples may be zero by chance
		if difference := math.Abs(sum[0]/n[0] - sum[1]/n[1]); difference > beyondChance*math.Sqrt(variance/n[0]+variance/n[1]) {
			return true
		}
	}
	return false
}

// markUnused marks the columns without a used feature.
func (p *Preprocessing) markUnused() {
	p.Schema.Columns = append([]data.Column(nil), p.Schema.Columns...)
	first := 0
	for i, c := range p.Schema.Columns {
		unused := true
		for _, f := range p.Features[first : first+c.Width()] {
			unused = unused && f.Constant
		}
		p.Schema.Columns[i].Unused = unused
		first += c.Width()
	}
}

// SetResponse sets the response to what the training part and a loss require: several targets, the given quantiles with the weighted
// quantiles of the training targets, or classes with their shares. The weights of targets are the given ones. The loss must fit the
// target. A target for which the loss is not defined, such as one below zero for counts, is a *data.Error that names the row, or the
// value if the row is not in the sample of a Whole. Only the quantiles are those of such a sample. A nil loss is the squared loss. An
// invalid part is a *data.Error, and quantiles outside (0, 1) are an error.
func (p *Preprocessing) SetResponse(l loss.Loss, given Response, train *data.Dataset) error {
	if err := train.Validate(); err != nil {
		return err
	}
	for _, q := range given.Quantiles {
		if !(q > 0 && q < 1) {
			return fmt.Errorf("model: quantile %v: must lie between 0 and 1", q)
		}
	}
	l = loss.OrSquared(l)
	if err := checkTargets(l, train); err != nil {
		return err
	}
	o := objective{p.Schema, p.Target, Response{Link: l.Link().Name()}}
	if err := o.kind().fit(given, l, train); err != nil {
		return err
	}
	p.Target, p.Response = o.Target, o.Response
	return nil
}

// checkTargets checks that a loss is defined for the targets, which are those of the only target unless all numbers are.
func checkTargets(l loss.Loss, d *data.Dataset) error {
	limited, ok := l.(interface{ Targets() *interval.Interval })
	if !ok {
		return nil
	}
	in := limited.Targets()
	for n, y := range d.Y {
		if !in.Has(y) {
			row := n + 1
			if d.Rows != nil {
				row = d.Rows[n]
			}
			return tableError("row %d, %s: %v: the loss %s needs targets %s", row,
				escape.Quote(d.Schema.Target), y, l.Name(), in)
		}
	}
	if d.Whole == nil {
		return nil
	}
	of := targetMoments(d, 0)
	for _, y := range []float64{of.Min, of.Max} {
		if !in.Has(y) {
			return tableError("%s: a value is %v: the loss %s needs targets %s", escape.Quote(d.Schema.Target),
				y, l.Name(), in)
		}
	}
	return nil
}

// Straighten fits a [Power] transform, for the antecedents, to each feature that is skewed in the training samples x [N][M] with weights
// [N] (nil: all one), on all processors. If ctx ends, the error is that of ctx.
func (p *Preprocessing) Straighten(ctx context.Context, x [][]float64, weights []float64) error {
	return parallel.Until(ctx, len(p.Features), 1, func(m, _, _ int) {
		f := &p.Features[m]
		if f.Constant {
			return
		}
		var z column
		z.read(x, weights, m)
		for i, v := range z.values {
			z.values[i] = (v - f.Mean) / f.SD
		}
		f.Power = fitPower(z)
	})
}

// MeasureQuantiles sets the quantiles of each used feature from the training samples x [N][M], in the order of Features, with weights [N]
// (nil: all one). [Fit] sets them already; MeasureQuantiles serves models from older files, which have none.
func (p *Preprocessing) MeasureQuantiles(x [][]float64, weights []float64) {
	var c column
	for m := range p.Features {
		f := &p.Features[m]
		if f.Constant {
			continue
		}
		if c.read(x, weights, m); len(c.values) > 0 {
			f.Quantiles = c.evenly(QuantileSteps + 1)
		}
	}
}

// Standardise makes the standard deviation of the targets of the weighed training part the unit
// of the rules' output. A constant target keeps its unit. Several targets are standardised
// already, and outputs that are not [Preprocessing.Scaled] have no unit: Standardise does nothing.
func (p *Preprocessing) Standardise(train *data.Dataset) {
	if p.Scaled() {
		p.Target.SD = targetMoments(train, 0).SD
	}
}
