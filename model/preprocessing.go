package model

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
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
	Response    Response

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
			counted(train.Total(), "sample"))
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
	return tableError("%s ranges from %v to %v, too wide for 64-bit numbers: rescale it", escape.Quote(name), low, high)
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
		if c.Nominal() && len(levels) > 1 {
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
// already, and outputs that are not [Preprocessing.Scaled] have no unit: Standardise does nothing.
func (p *Preprocessing) Standardise(train *data.Dataset) {
	if p.Scaled() {
		p.Target.SD = targetMoments(train, 0).SD
	}
}

// Center returns the targets minus their training mean, in the unit of the rules' output.
func (p Preprocessing) Center(y []float64) []float64 {
	c, unit := make([]float64, len(y)), p.Target.Scaling()
	for i, v := range y {
		c[i] = (v - p.Target.Mean) / unit
	}
	return c
}

// Component is a principal component of the used features. The rules use components in
// place of the features.
type Component struct {
	Loadings []float64 `json:"loadings"` // [M] of the z-scores; of length one, the largest of them positive
	SD       float64   `json:"sd"`       // standard deviation in the training part, divisor n-1
	Min      float64   `json:"min"`
	Max      float64   `json:"max"`
}

// checkComponents validates the components.
func checkComponents(p Preprocessing) error {
	M := len(p.Used())
	if p.Components != nil && (len(p.Components) == 0 || len(p.Components) > M) {
		return fmt.Errorf("components: %d of %d features", len(p.Components), M)
	}
	for k, c := range p.Components {
		length := 0.0
		for _, v := range c.Loadings {
			length = math.Hypot(length, v)
		}
		switch {
		case len(c.Loadings) != M:
			return fmt.Errorf("components[%d].loadings: %d; %d features are used", k, len(c.Loadings), M)
		case !(math.Abs(length-1) < 1e-6):
			return fmt.Errorf("components[%d].loadings: of length %v, not 1", k, length)
		case !(c.SD > 0) || !numeric.Finite(c.SD, c.Min, c.Max) || c.Min > c.Max:
			return fmt.Errorf("components[%d]: sd %v, min %v, max %v: must be finite, positive and in order", k, c.SD, c.Min, c.Max)
		}
	}
	return nil
}

// missing returns Preprocessing.ImputeMeans as it is written in a file.
func missing(imputeMeans bool) string {
	if imputeMeans {
		return "mean"
	}
	return "error"
}
