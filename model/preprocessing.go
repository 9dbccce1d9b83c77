package model

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/loss"
)

// Preprocessing maps the units of a table to the inputs of a rulebase: z-scores by the
// mean and standard deviation of the training part. Features that are constant in the
// training part are dropped; the target is centred by its training mean.
//
// After [Preprocessing.Straighten], the antecedents use a [Power] transform of skewed
// features; the consequents still use the z-scores.
type Preprocessing struct {
	Schema      data.Schema
	ImputeMeans bool      // replace a missing feature by its training mean; otherwise it is an error
	Features    []Feature // one per name of Schema.Features()
	Target      Target
	Response    *Response // nil: one target, with the identity link

	// Components, if not nil, are the inputs of the rules in place of the features. They
	// are computed from the training part after [Fit].
	Components []Component
}

// Fit computes the weighted means, standard deviations and quantiles of the training
// part, and the ranges over its samples of positive weight (see [data.Dataset.Weighed]). Of a
// sample of a Whole only the quantiles are those of the sample: what else is computed is exact.
// An invalid part, a part in which no feature varies, and a range of a feature or of the
// target that overflows are a *data.Error. If ctx ends, the error is that of ctx.
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
			return p, &data.Error{Message: fmt.Sprintf("feature %s has no value in the training part: leave it out (data.ignore)", escape.Quote(name))}
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
		return p, &data.Error{Message: fmt.Sprintf("every feature is constant in the training part (%s): there is nothing to learn from", counted(train.Total(), "sample"))}
	}
	if p.Target, err = fitTarget(train, 0); err != nil {
		return p, err
	}
	p.markUnused()
	return p, nil
}

// counted returns a count with its noun, in the plural if need be.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func tooWide(name string, low, high float64) error {
	return &data.Error{Message: fmt.Sprintf("%s ranges from %v to %v, too wide for 64-bit numbers: rescale it", escape.Quote(name), low, high)}
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

// Used returns the features that are not constant, in order.
func (p Preprocessing) Used() []Feature {
	var used []Feature
	for _, f := range p.Features {
		if !f.Constant {
			used = append(used, f)
		}
	}
	return used
}

// Inputs returns the inputs of the rules: the used features or, if there are components,
// these, with the names pc1, pc2, ..., mean 0 and standard deviation 1.
func (p Preprocessing) Inputs() []Feature {
	if p.Components == nil {
		return p.Used()
	}
	var inputs []Feature
	for k, c := range p.Components {
		inputs = append(inputs, Feature{Name: "pc" + strconv.Itoa(k+1), SD: 1, Min: c.Min, Max: c.Max})
	}
	return inputs
}

// Categories returns, for each categorical column of which several levels occur in the
// training part, the inputs of the rules that indicate its levels, from 0; none if there
// are components.
func (p Preprocessing) Categories() [][]int {
	if p.Components != nil {
		return nil
	}
	var all [][]int
	feature, input := 0, 0
	for _, c := range p.Schema.Columns {
		var levels []int
		for range c.Width() {
			if !p.Features[feature].Constant {
				levels = append(levels, input)
				input++
			}
			feature++
		}
		if c.Encoding == data.OneHot && len(levels) > 1 {
			all = append(all, levels)
		}
	}
	return all
}

// Dropped returns the names of the constant features.
func (p Preprocessing) Dropped() []string {
	var names []string
	for _, f := range p.Features {
		if f.Constant {
			names = append(names, f.Name)
		}
	}
	return names
}

// Straighten fits a [Power] transform, for the antecedents, to each feature that is
// skewed in the training samples x [N][M] with weights [N] (nil: all one), on all processors. If ctx ends, the error
// is that of ctx.
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

// MeasureQuantiles sets the quantiles of each used feature from the training samples
// x [N][M], in the order of Features, with weights [N] (nil: all one). [Fit] sets them
// already; MeasureQuantiles serves models from older files, which have none.
func (p *Preprocessing) MeasureQuantiles(x [][]float64, weights []float64) {
	var c column
	for m := range p.Features {
		f := &p.Features[m]
		if f.Constant {
			continue
		}
		c.read(x, weights, m)
		f.Quantiles = evenQuantiles(c)
	}
}

// HasQuantiles reports whether every used feature has quantiles.
func (p Preprocessing) HasQuantiles() bool {
	return !slices.ContainsFunc(p.Features, func(f Feature) bool { return !f.Constant && f.Quantiles == nil })
}

// Standardise makes the standard deviation of the targets of the weighed training part the unit
// of the rules' output. A constant target keeps its unit. Several targets are standardised
// already, and outputs of the other links but the ordered one have no unit: Standardise does
// nothing.
func (p *Preprocessing) Standardise(train *data.Dataset) {
	if p.Response == nil || p.Response.Link == orderedLink {
		p.Target.SD = targetMoments(train, 0).SD
	}
}

// SetResponse sets the response to what the training part and a loss require: several
// targets, the quantiles of o with the weighted quantiles of the training targets, or classes
// with their shares. The weights of targets are those of o. For one target with the identity
// link it is nil. The loss must fit the target. A target for which the loss is not defined,
// such as one below zero for counts, is a *data.Error that names the row, or the value if the row
// is not in the sample of a Whole. Only the quantiles are those of such a sample. A nil loss is the squared loss. An invalid part is a *data.Error, and
// quantiles outside (0, 1) are an error.
func (p *Preprocessing) SetResponse(l loss.Loss, o Response, train *data.Dataset) (err error) {
	if err := train.Validate(); err != nil {
		return err
	}
	for _, q := range o.Quantiles {
		if !(q > 0 && q < 1) {
			return fmt.Errorf("model: quantile %v: must lie between 0 and 1", q)
		}
	}
	l = loss.OrSquared(l)
	if p.Response, err = newResponse(*p, l, o, train); err == nil && p.Response != nil && p.Response.Targets != nil {
		p.Target = p.Response.Targets[0]
	}
	return err
}

// Limit sets the limits of predictions of all targets, see [Target.Limit]; classes have none.
func (p *Preprocessing) Limit(margin float64, bounds *[2]float64) error {
	return eachTarget(p, func(t *Target) error { return t.Limit(margin, bounds) })
}

// Narrow intersects the limits of all targets with fixed bounds, see [Target.Narrow].
func (p *Preprocessing) Narrow(bounds *[2]float64) error {
	return eachTarget(p, func(t *Target) error { return t.Narrow(bounds) })
}

// Respond writes the response to outputs y [C] of the rules, such as those of one rule alone, to
// dst [J], without the limits of predictions: the only number, all targets, all quantiles, or the
// probabilities of all classes. It may change y. Slices of other lengths are an error.
func (p Preprocessing) Respond(dst, y []float64) error {
	if C, J := p.OutputCount(), p.Response.size(); len(y) != C || len(dst) != J {
		return fmt.Errorf("model: %d outputs and room for %d values of the response: want %d and %d", len(y), len(dst), C, J)
	}
	r, err := newResponder(p)
	if err != nil {
		return err
	}
	r.unlimited(dst, y)
	return nil
}

// Uncovered returns the response [J] to a sample that no rule covers: the training mean of each
// target, the training quantiles, or the shares of the classes.
func (p Preprocessing) Uncovered() []float64 {
	row := make([]float64, p.Response.size())
	(&responder{Preprocessing: p}).uncovered(row)
	return row
}

// OutputCount returns C, the number of outputs of the rules.
func (p Preprocessing) OutputCount() int { return p.Response.outputs() }

// Link returns the name of the link between the outputs of the rules and the response, see
// [loss.LookupLink].
func (p Preprocessing) Link() string {
	if p.Response == nil {
		return identityLink
	}
	return p.Response.Link
}

// Targets returns what a loss compares the outputs of the rules with, [N,C]: the targets
// centred and in the unit of the outputs (identity; ordered, repeated for each quantile),
// over their training mean (log), 0 or 1 (logit), or one-hot (softmax). The data set must
// have the targets and classes of the schema.
func (p Preprocessing) Targets(d *data.Dataset) []float64 { return compared(p, d) }

// Center returns the targets minus their training mean, in the unit of the rules' output.
func (p Preprocessing) Center(y []float64) []float64 {
	c, unit := make([]float64, len(y)), p.Target.Scaling()
	for i, v := range y {
		c[i] = (v - p.Target.Mean) / unit
	}
	return c
}
