package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// Curve is a column's response curve: the prediction as the column takes values or
// levels that occur, averaged over samples whose other columns stay as they are
// (partial dependence), less its mean. Of several values that are predicted, all targets, all
// quantiles or the probabilities of all classes, it is the curve with the widest range.
// Figures are in the target's unit, of several targets in standard deviations; of classes they
// are probabilities.
type Curve struct {
	Feature string  `json:"feature"` // name of the column
	Range   float64 `json:"range"`   // highest less lowest point of the mean curve over the models
	Spread  float64 `json:"spread"`  // between the models: root mean square, over the points, of the standard deviation
}

const (
	curvePoints  = 11  // at most; of a column with more values quantiles 0.05, 0.14, ... 0.95
	curveSamples = 200 // at most, evenly chosen
)

// curves compares the models' response curves, the columns with the widest range
// first. Columns that are not used have none.
func curves(models []*model.Model, at *data.Dataset) ([]Curve, error) {
	background := at
	if n := at.Len(); n > curveSamples {
		rows := make([]int, curveSamples)
		for i := range rows {
			rows[i] = i * n / curveSamples
		}
		background = at.Subset(rows)
	}
	var result []Curve
	first := 0
	for _, column := range models[0].Schema.Columns {
		features := models[0].Features[first : first+column.Width()]
		if !column.Unused {
			c, err := curve(models, background, first, points(at, first, column, features))
			if err != nil {
				return nil, fmt.Errorf("tune: the response curve of %q: %w", column.Name, err)
			}
			c.Feature = column.Name
			result = append(result, c)
		}
		first += len(features)
	}
	slices.SortStableFunc(result, func(a, b Curve) int { return cmp.Compare(b.Range, a.Range) })
	return result, nil
}

// curve measures a column at the given points, values of its features from the first on.
func curve(models []*model.Model, background *data.Dataset, first int, points [][]float64) (Curve, error) {
	var responses [][][]float64 // [values][points][K]
	for k, mod := range models {
		for i, point := range points {
			x := make([][]float64, background.Len())
			for n, row := range background.X {
				x[n] = slices.Clone(row)
				copy(x[n][first:], point)
			}
			p, err := mod.Predict(x)
			if err != nil {
				return Curve{}, err
			}
			for j, values := range p.All() {
				if j == len(responses) {
					responses = append(responses, table(len(points), len(models)))
				}
				responses[j][i][k], _ = meanSD(values, background.Weights)
			}
		}
	}
	var widest Curve
	values := models[0].Values()
	for j, of := range responses {
		if c := curveOf(of, cmp.Or(values[j].Scale, 1)); j == 0 || c.Range > widest.Range {
			widest = c
		}
	}
	return widest, nil
}

func table(rows, columns int) [][]float64 {
	t := make([][]float64, rows)
	for i := range t {
		t[i] = make([]float64, columns)
	}
	return t
}

// curveOf returns the figures of the mean responses [points][K] of K models, which it centres.
func curveOf(responses [][]float64, unit float64) Curve {
	points := float64(len(responses))
	for k := range responses[0] {
		mean := 0.0
		for _, r := range responses {
			mean += r[k] / points
		}
		for _, r := range responses {
			r[k] -= mean
		}
	}
	var c Curve
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range responses {
		mean, sd := meanSD(r, nil)
		low, high = min(low, mean), max(high, mean)
		c.Spread += sd * sd / points
	}
	c.Range, c.Spread = (high-low)/unit, math.Sqrt(c.Spread)/unit
	return c
}

// points returns the points of a column's curve: the levels of a one-hot column, all values
// of another that takes few, with the ends of its training range, or else its quantiles;
// those of its distinct values where so many values are equal that the quantiles are.
func points(d *data.Dataset, first int, column data.Column, features []model.Feature) [][]float64 {
	if column.Nominal() {
		return levels(features)
	}
	var values []float64
	for _, row := range d.X {
		if !math.IsNaN(row[first]) {
			values = append(values, row[first])
		}
	}
	slices.Sort(values)
	distinct := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(values), features[0].Min, features[0].Max))))
	chosen := distinct
	if len(distinct) > curvePoints {
		if chosen = quantiles(values); len(chosen) == 1 {
			chosen = quantiles(distinct)
		}
	}
	all := make([][]float64, len(chosen))
	for i := range chosen {
		all[i] = make([]float64, len(features)) // the second feature is 0: the number is not missing
		all[i][0] = chosen[i]
	}
	return all
}

// levels returns the levels of a one-hot column that occur in training, as values of
// its features.
func levels(features []model.Feature) [][]float64 {
	var all [][]float64
	for k, f := range features {
		if f.Max == 1 {
			level := make([]float64, len(features))
			level[k] = 1
			all = append(all, level)
		}
	}
	return all
}

// quantiles returns quantiles of sorted values, each once.
func quantiles(values []float64) []float64 {
	points := make([]float64, curvePoints)
	for i := range points {
		q := 0.05 + 0.9*float64(i)/(curvePoints-1)
		points[i] = values[int(math.Round(q*float64(len(values)-1)))]
	}
	return slices.Compact(points)
}

// comparePredictions sets the errors and the differences of predictions.
func (d *Dependence) comparePredictions(models []*model.Model, at *data.Dataset) error {
	predicted := make([]model.Predictions, len(models))
	losses := make([]float64, len(models))
	for k, m := range models {
		p, err := m.Predict(at.X)
		if err != nil {
			return err
		}
		predicted[k], losses[k] = p, m.Measure(p, at).Loss
	}
	d.Loss, d.LossSD = meanSD(losses, nil)
	var differences, distances []float64 // by pair
	for k, a := range predicted {
		for _, b := range predicted[:k] {
			if models[0].Schema.Classes != nil {
				differences = append(differences, reclassified(a.Values, b.Values, at.Weights))
				distances = append(distances, totalVariation(a.Outputs, b.Outputs, at.Weights))
			} else {
				differences = append(differences, d.difference(models[0], a, b, at.Weights))
			}
		}
	}
	pairs := float64(len(differences))
	for _, difference := range differences {
		d.Difference += difference
		d.MaxDifference = max(d.MaxDifference, difference)
	}
	d.Difference /= pairs
	if distances != nil {
		mean := numeric.WeightedMean(distances, nil)
		d.TotalVariation = &mean
	}
	return nil
}

// difference returns the root mean square difference between two predictions of numbers, in
// standard deviations.
func (d *Dependence) difference(m *model.Model, a, b model.Predictions, weights []float64) float64 {
	others := b.All()
	squares := make([]float64, len(others))
	for j, v := range m.Values() {
		one := model.MeasureValues(a.All()[j], others[j], weights).RMSE / cmp.Or(v.Scale, d.Target)
		squares[j] = one * one
	}
	return math.Sqrt(numeric.WeightedMean(squares, m.Response.Weights))
}

// reclassified returns the share of the samples with different classes.
func reclassified(a, b, weights []float64) float64 {
	differ := make([]float64, len(a))
	for n := range differ {
		if a[n] != b[n] {
			differ[n] = 1
		}
	}
	return numeric.WeightedMean(differ, weights)
}

// totalVariation returns the mean total variation distance between probabilities [K][N]: half
// the sum of their absolute differences.
func totalVariation(p, q [][]float64, weights []float64) float64 {
	distances := make([]float64, len(p[0]))
	for k := range p {
		for n := range distances {
			distances[n] += float64(math.Abs(p[k][n]-q[k][n]) / 2)
		}
	}
	return numeric.WeightedMean(distances, weights)
}
