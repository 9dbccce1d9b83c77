package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
)

// Preprocessing leads from a table's own units to the scaled features of a
// rulebase: z-scores of the training part. Features that were constant there
// are left out; the target is centred by its training mean.
//
// After [Preprocessing.Straighten], antecedents see skewed features through a
// [Power] transform, while consequents go on seeing the z-scores.
type Preprocessing struct {
	Schema      data.Schema
	ImputeMeans bool      // a missing feature takes its training mean; else it is an error
	Features    []Feature // one per name of Schema.Features()
	Target      Target

	// Components, if not nil, are what the rules see in place of the features. They
	// are set after [Fit], from the training part.
	Components []Component
}

// Fit fits the preprocessing to the training part, weighted (see [data.Dataset.Weighed]): means, standard
// deviations and quantiles; ranges are those of the samples of positive weight. It is a *data.Error if the part
// is not valid, if no feature varies, or if the range of a feature or of the target
// overflows.
func Fit(train *data.Dataset) (Preprocessing, error) {
	train, err := train.Weighed()
	if err != nil {
		return Preprocessing{}, err
	}
	p := Preprocessing{Schema: train.Schema, ImputeMeans: train.Missing.Policy == "mean"}
	var c column
	used := 0
	for m, name := range train.Schema.Features() {
		c.read(train.X, train.Weights, m)
		if len(c.values) == 0 {
			return p, &data.Error{Message: fmt.Sprintf("feature %s has no value in the training part: leave it out (data.ignore)", escape.Quote(name))}
		}
		f := Feature{Name: name}
		f.Mean, f.SD, f.Min, f.Max = moments(c.values, c.weights)
		if math.IsInf(f.Max-f.Min, 0) {
			return p, tooWide(name, f.Min, f.Max)
		}
		if !(f.SD > 0) {
			f.SD, f.Constant = 1, true
		} else {
			used++
			f.Quantiles = evenQuantiles(c)
		}
		p.Features = append(p.Features, f)
	}
	if used == 0 {
		return p, &data.Error{Message: fmt.Sprintf("every feature is constant in the training part (%s): there is nothing to learn from", counted(train.Len(), "sample"))}
	}
	t := &p.Target
	if t.Mean, _, t.Min, t.Max = moments(train.Y, train.Weights); math.IsInf(t.Max-t.Min, 0) {
		return p, tooWide(p.Schema.Target, t.Min, t.Max)
	}
	p.markUnused()
	return p, nil
}

// counted returns a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func tooWide(name string, low, high float64) error {
	return &data.Error{Message: fmt.Sprintf("%s runs from %v to %v, too far for 64-bit numbers: rescale it", escape.Quote(name), low, high)}
}

// markUnused marks the columns of which no feature is used.
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

// Inputs returns what the rules see: the features that are used or, if there are
// components, these under the names pc1, pc2, ... with mean 0 and unit 1.
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

// Straighten fits a [Power] transform to each feature that is skewed in the training
// samples x [N][M] with weights [N] (nil: all one), for the antecedents.
func (p *Preprocessing) Straighten(x [][]float64, weights []float64) {
	var z column
	for m := range p.Features {
		f := &p.Features[m]
		if f.Constant {
			continue
		}
		z.read(x, weights, m)
		for i, v := range z.values {
			z.values[i] = (v - f.Mean) / f.SD
		}
		f.Power = fitPower(z)
	}
}

// MeasureQuantiles sets the quantiles of each feature that is used, from the training
// samples x [N][M] in the order of Features with weights [N] (nil: all one). [Fit] does
// so; it is for models of older files, which have none.
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

// HasQuantiles reports whether each feature that is used has quantiles.
func (p Preprocessing) HasQuantiles() bool {
	return !slices.ContainsFunc(p.Features, func(f Feature) bool { return !f.Constant && f.Quantiles == nil })
}

// Standardise makes the standard deviation of the training targets y with weights [N]
// (nil: all one) the unit of the rules. A constant target keeps its unit.
func (p *Preprocessing) Standardise(y, weights []float64) { _, p.Target.SD, _, _ = moments(y, weights) }

// Center returns the targets less their training mean, in the rules' unit.
func (p Preprocessing) Center(y []float64) []float64 {
	c, unit := make([]float64, len(y)), p.Target.Scaling()
	for i, v := range y {
		c[i] = (v - p.Target.Mean) / unit
	}
	return c
}
