package tune

import (
	"cmp"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/model"
)

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
		mean := weighted.Mean(distances, nil)
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
	return math.Sqrt(weighted.Mean(squares, m.Response.Weights))
}

// reclassified returns the share of the samples with different classes.
func reclassified(a, b, weights []float64) float64 {
	differ := make([]float64, len(a))
	for n := range differ {
		if a[n] != b[n] {
			differ[n] = 1
		}
	}
	return weighted.Mean(differ, weights)
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
	return weighted.Mean(distances, weights)
}
