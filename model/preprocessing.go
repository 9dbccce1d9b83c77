package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Preprocessing maps the units of a table to the inputs of a rulebase: z-scores by the mean and standard deviation of the training part.
// Features that are constant in the training part are dropped; the target is centred by its training mean.
//
// After [Preprocessing.Straighten], the antecedents use a [Power] transform of skewed features; the consequents still use the z-scores.
type Preprocessing struct {
	Schema      data.Schema
	ImputeMeans bool      // replace a missing feature by its training mean; otherwise it is an error
	Features    []Feature // one per name of Schema.Features()
	Target      Target
	Response    Response

	// Components, if not nil, are the inputs of the rules in place of the features. They are computed from the training part after [Fit].
	Components []Component
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

// Categories returns, for each categorical column of which several levels occur in the training part, the inputs of the rules that
// indicate its levels, from 0; none if there are components.
func (p Preprocessing) Categories() [][]int {
	if p.Components != nil {
		return nil
	}
	var all [][]int
	feature, input := 0, 0
	for _, c := range p.Schema.Parts() {
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

// Limits returns the limits of each feature; nil without.
func (p Preprocessing) Limits() []*data.Limits {
	all := make([]*data.Limits, len(p.Features))
	feature := 0
	for _, c := range p.Schema.Columns {
		if c.Limits != nil && feature < len(all) {
			all[feature] = c.Limits
		}
		feature += c.Width()
	}
	return all
}

// Dropped returns the names of the constant features, without the indicators of missing numbers.
func (p Preprocessing) Dropped() []string {
	var names []string
	at := 0
	for _, c := range p.Schema.Parts() {
		for _, f := range p.Features[at : at+c.Width()] {
			if f.Constant && !c.Beside() {
				names = append(names, f.Name)
			}
		}
		at += c.Width()
	}
	return names
}

// HasQuantiles reports whether every used feature has quantiles.
func (p Preprocessing) HasQuantiles() bool {
	return !slices.ContainsFunc(p.Features, func(f Feature) bool { return !f.Constant && f.Quantiles == nil })
}

// Component is a principal component of the used features. The rules use components in place of the features.
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

// missingPolicy returns Preprocessing.ImputeMeans as it is written in a file.
func missingPolicy(imputeMeans bool) string {
	if imputeMeans {
		return "mean"
	}
	return "error"
}

// Fill returns a copy of a data set, read with Missing "mean" or Lenient, whose missing values (NaN in X) are replaced
// by values of the training part. It returns the data set itself if no value is missing, or if the model was trained with
// missing: mean and replaces them by the mean of each feature when it predicts. The replacements are:
//
//   - the mean of a numeric feature;
//   - the median level of an ordinal column or, in a model without quantiles, the level nearest to the mean; also for
//     a level that is not in the schema, see [data.ReaderOptions];
//   - the most frequent level of a one-hot column, the first if several are.
//
// The data set must have the features of the schema, in its order.
func (p Preprocessing) Fill(d *data.Dataset) *data.Dataset {
	missing := func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) }
	if p.ImputeMeans || d.Missing.Policy != "mean" || !slices.ContainsFunc(d.X, missing) {
		return d
	}
	filled := *d
	filled.X = slices.Clone(d.X)
	for i, row := range filled.X {
		filled.X[i] = slices.Clone(row)
	}
	p.fill(filled.X)
	return &filled
}

// fill is Fill in place.
func (p Preprocessing) fill(x [][]float64) {
	typical := Typical(p)
	for _, row := range x {
		for m, v := range row {
			if math.IsNaN(v) {
				row[m] = typical[m]
			}
		}
	}
}

// Typical returns the value [M] that replaces a missing value of each feature, unless [Preprocessing.ImputeMeans]: the training mean of a
// number, the median level, or the most frequent level. Where a missing cell is a value, see [data.Column], it is that level, and the
// indicator beside a number is 1.
func Typical(p Preprocessing) []float64 {
	values := make([]float64, 0, len(p.Features))
	for _, c := range p.Schema.Parts() {
		features := p.Features[len(values):][:c.Width()]
		switch {
		case c.Missing:
			values = append(values, c.Values(slices.Index(c.Levels, table.MissingLevel))...)
		case c.Numbers():
			values = append(values, features[0].Mean)
		case c.Nominal():
			mode := 0
			for i, f := range features {
				if f.Mean > features[mode].Mean {
					mode = i
				}
			}
			values = append(values, c.Values(mode)...)
		default:
			values = append(values, medianLevel(features[0], c))
		}
	}
	return values
}

// medianLevel returns the value of the median level of a column on a scale.
func medianLevel(f Feature, c data.Column) float64 {
	if f.Quantiles != nil {
		return f.Quantiles[QuantileSteps/2]
	}
	return max(c.Values(0)[0], min(c.Values(len(c.Levels) - 1)[0], math.Round(f.Mean)))
}
