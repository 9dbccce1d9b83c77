package model

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/internal/weighted"
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

// Feature is the scaling of one feature and its range in the training part, in
// its own unit.
type Feature struct {
	Name     string  `json:"name"`
	Mean     float64 `json:"mean"`
	SD       float64 `json:"sd"` // divisor n-1; 1 for a constant feature
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Constant bool    `json:"constant,omitempty"` // not used
	Power    *Power  `json:"power,omitempty"`    // how antecedents see its z-score; nil: as it is

	// Quantiles are the training values of rank 0, 1/20, ..., 1; nil of a constant
	// feature, and in older files.
	Quantiles []float64 `json:"quantiles,omitempty"`
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

// moments returns weighted mean, standard deviation (divisor n-1, with weights sum w
// (n-1)/n) and range of values that are finite and whose range is. The deviation is
// computed on a scale of its own, so that its squares neither overflow nor vanish.
func moments(values, weights []float64) (mean, sd, low, high float64) {
	low, high = values[0], values[0]
	n, total := float64(len(values)), 0.0
	for i, v := range values {
		low, high = min(low, v), max(high, v)
		w := weighted.At(weights, i)
		total += w
		mean += (v - mean) / (total / w) // a sum of large values could overflow
	}
	if low == high {
		return low, 0, low, high
	}
	scale := max(high-mean, mean-low)
	sum := 0.0
	for i, v := range values {
		d := (v - mean) / scale
		sum += float64(weighted.At(weights, i) * (d * d))
	}
	return mean, scale * math.Sqrt(sum*(n/total)/(n-1)), low, high
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

// straightened reports whether antecedents see a feature otherwise than consequents.
func (p Preprocessing) straightened() bool {
	for _, f := range p.Features {
		if f.Power != nil {
			return true
		}
	}
	return false
}

// Antecedent returns how antecedents see the z-score of a feature.
func (f Feature) Antecedent(z float64) float64 {
	if f.Power != nil {
		return f.Power.Value(z)
	}
	return z
}

// Unscaled returns the value, in the feature's own unit, that antecedents see as u:
// infinite where there is none.
func (f Feature) Unscaled(u float64) float64 {
	if f.Power != nil {
		u = f.Power.Inverse(u)
	}
	return f.Mean + float64(f.SD*u)
}

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
	used, straightened := p.Used(), p.straightened()
	width := len(used)
	if straightened {
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
		if straightened {
			cells = addAntecedents(cells, used)
		}
		rows[n] = cells[n*width : (n+1)*width : (n+1)*width]
	}
	return p.project(rows), nil
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

func (p Preprocessing) outOfRange(row []float64) bool {
	for m, f := range p.Features {
		if !f.Constant && (row[m] < f.Min || row[m] > f.Max) {
			return true
		}
	}
	return false
}
