package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
)

// CheckFeatures refuses, as a *data.Error, a data set that is not valid or has not
// the features that the preprocessing was fitted to, by name and in order.
func (p Preprocessing) CheckFeatures(d *data.Dataset) error {
	if err := d.Validate(); err != nil {
		return err
	}
	names := d.Schema.Features()
	if len(names) != len(p.Features) {
		return &data.Error{Message: fmt.Sprintf("the data have %d features, the training part %d", len(names), len(p.Features))}
	}
	for i, f := range p.Features {
		if names[i] != f.Name {
			return &data.Error{Message: fmt.Sprintf("feature %d is %s, in the training part %s: want the same columns in the same order", i+1, escape.Quote(names[i]), escape.Quote(f.Name))}
		}
	}
	return nil
}

// Scale returns the scaled samples of x [N][M'], M' the features of the schema and
// M those that are used, as rows of their own: z-scores [N][M], or their components, or, if a feature has
// a [Power], rows [N][2M] of which the first half is for the antecedents, the second,
// the z-scores, for the consequents. See [Model.Predict] for what it
// refuses.
func (p Preprocessing) Scale(x [][]float64) ([][]float64, error) { return p.scale(x, 0) }

// scale is Scale for samples that are numbered from first.
func (p Preprocessing) scale(x [][]float64, first int) ([][]float64, error) {
	used := p.Used()
	withPower := straightened(used)
	width := len(used)
	if withPower {
		width *= 2
	}
	rows, cells := make([][]float64, len(x)), make([]float64, 0, len(x)*width)
	for n, row := range x {
		if len(row) != len(p.Features) {
			return nil, &SampleError{first + n, fmt.Sprintf("%d features; the model takes %d", len(row), len(p.Features))}
		}
		for m, f := range p.Features {
			if f.Constant {
				continue
			}
			z := (row[m] - f.Mean) / f.SD
			if math.IsNaN(row[m]) && p.ImputeMeans {
				z = 0
			} else if math.IsNaN(z) || math.IsInf(z, 0) {
				return nil, &SampleError{first + n, fmt.Sprintf("feature %s is %v: not finite, or too far from the training data", escape.Quote(f.Name), row[m])}
			}
			cells = append(cells, z)
		}
		if withPower {
			cells = addAntecedents(cells, used)
		}
		rows[n] = cells[n*width : (n+1)*width : (n+1)*width]
	}
	return project(rows, p.Components), nil
}

// addAntecedents puts what antecedents see before the z-scores of the used features
// that cells ends with.
func addAntecedents(cells []float64, used []Feature) []float64 {
	z := cells[len(cells)-len(used):]
	cells = append(cells, z...)
	for m, f := range used {
		z[m] = f.Antecedent(z[m])
	}
	return cells
}

// straightened reports whether antecedents see one of the features transformed.
func straightened(features []Feature) bool {
	for _, f := range features {
		if f.Power != nil {
			return true
		}
	}
	return false
}

func (p Preprocessing) outOfRange(row []float64) bool {
	for m, f := range p.Features {
		if !f.Constant && (row[m] < f.Min || row[m] > f.Max) {
			return true
		}
	}
	return false
}

// Fill returns a copy of a data set, read under Missing "mean" or Lenient, in which values from the training part stand
// for the missing ones (NaN in X); the data set itself if none is missing, or if the model was trained with missing: mean
// and takes the mean of each feature for them anyway. These values are:
//
//   - the mean of a numeric feature;
//   - the median level of an ordinal column, or, in a model file without quantiles, the level next to the mean; so
//     also for a level that the schema does not have, see [data.ReaderOptions];
//   - the most frequent level of a one-hot column, the first of several.
//
// The data set has the features of the schema, in their order.
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
	typical := typical(p)
	for _, row := range x {
		for m, v := range row {
			if math.IsNaN(v) {
				row[m] = typical[m]
			}
		}
	}
}
