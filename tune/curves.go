package tune

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Curve is a feature's response curve: the prediction as the feature takes quantiles
// of its values, averaged over samples whose other features stay as they are
// (partial dependence), less its mean.
type Curve struct {
	Feature string  `json:"feature"`
	Range   float64 `json:"range"`  // highest less lowest point of the mean curve over the models, in the target's unit
	Spread  float64 `json:"spread"` // between the models: root mean square, over the points, of the standard deviation, in the target's unit
}

const (
	curvePoints  = 11  // quantiles 0.05, 0.14, ... 0.95
	curveSamples = 200 // at most, evenly chosen
)

// curves compares the models' response curves, the features with the widest range
// first. Constant features have none.
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
	for m, f := range models[0].Features {
		if f.Constant {
			continue
		}
		c, err := curve(models, background, m, quantiles(at, m))
		if err != nil {
			return nil, fmt.Errorf("tune: the response curve of %q: %w", f.Name, err)
		}
		c.Feature = f.Name
		result = append(result, c)
	}
	slices.SortStableFunc(result, func(a, b Curve) int {
		switch {
		case a.Range > b.Range:
			return -1
		case a.Range < b.Range:
			return 1
		}
		return 0
	})
	return result, nil
}

// curve measures feature m at the given points.
func curve(models []*model.Model, background *data.Dataset, m int, points []float64) (Curve, error) {
	responses := make([][]float64, len(points)) // [points][K]
	for i := range responses {
		responses[i] = make([]float64, len(models))
	}
	for k, mod := range models {
		mean := 0.0
		for i, point := range points {
			x := make([][]float64, background.Len())
			for n, row := range background.X {
				x[n] = slices.Clone(row)
				x[n][m] = point
			}
			p, err := mod.Predict(x)
			if err != nil {
				return Curve{}, err
			}
			responses[i][k], _ = meanSD(p.Values)
			mean += responses[i][k] / float64(len(points))
		}
		for i := range points {
			responses[i][k] -= mean
		}
	}
	var c Curve
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range responses {
		mean, sd := meanSD(r)
		low, high = min(low, mean), max(high, mean)
		c.Spread += sd * sd / float64(len(points))
	}
	c.Range, c.Spread = high-low, math.Sqrt(c.Spread)
	return c, nil
}

// quantiles returns the points of feature m's curve, each once.
func quantiles(d *data.Dataset, m int) []float64 {
	var values []float64
	for _, row := range d.X {
		if !math.IsNaN(row[m]) {
			values = append(values, row[m])
		}
	}
	slices.Sort(values)
	var points []float64
	for i := range curvePoints {
		q := 0.05 + 0.9*float64(i)/(curvePoints-1)
		if len(values) > 0 {
			points = append(points, values[int(math.Round(q*float64(len(values)-1)))])
		}
	}
	return slices.Compact(points)
}
