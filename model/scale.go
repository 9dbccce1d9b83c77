package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
)

// CheckFeatures checks that a data set is valid and has the features that the
// preprocessing was fitted to, by name and in order. Its error is a *data.Error.
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
			return &data.Error{Message: fmt.Sprintf("feature %d is %s, but %s in the training part: want the same columns in the same order", i+1, escape.Quote(names[i]), escape.Quote(f.Name))}
		}
	}
	return nil
}

// Scale returns the scaled samples of x [N][M'], where M' counts the features of the
// schema and M the used ones, in new rows: z-scores [N][M], or their components, or, if a
// feature has a [Power], rows [N][2M] whose first half is for the antecedents and whose
// second half, the z-scores, is for the consequents. Its errors are those of
// [Model.Predict].
func (p Preprocessing) Scale(x [][]float64) ([][]float64, error) { return p.scale(x, 0) }

// scale is Scale for samples numbered from first.
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

// addAntecedents inserts the inputs of the antecedents before the z-scores of the used
// features, the last M of cells.
func addAntecedents(cells []float64, used []Feature) []float64 {
	z := cells[len(cells)-len(used):]
	cells = append(cells, z...)
	for m, f := range used {
		z[m] = f.Antecedent(z[m])
	}
	return cells
}

// straightened reports whether any of the features has a [Power] transform.
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
	typical := typical(p)
	for _, row := range x {
		for m, v := range row {
			if math.IsNaN(v) {
				row[m] = typical[m]
			}
		}
	}
}

// Formula returns the formula of a THEN part with consequent w [M+1] in the units of the
// data, y = intercept + sum_m slopes_m x_m over the inputs x [M] of the rules.
func (p Preprocessing) Formula(w []float64) (intercept float64, slopes []float64) {
	unit := p.Target.Scaling()
	intercept = p.Target.Mean + float64(unit*w[0])
	for m, f := range p.Inputs() {
		slope := unit * w[m+1] / f.SD
		intercept -= float64(slope * f.Mean)
		slopes = append(slopes, slope)
	}
	return intercept, slopes
}

// consequent is the inverse of Formula.
func (p Preprocessing) consequent(intercept float64, slopes []float64) []float64 {
	unit := p.Target.Scaling()
	w := make([]float64, 1, len(slopes)+1)
	w[0] = intercept - p.Target.Mean
	for m, f := range p.Inputs() {
		w[0] += float64(slopes[m] * f.Mean)
		w = append(w, slopes[m]*f.SD/unit)
	}
	w[0] /= unit
	return w
}
