package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/model"
	"gonum.org/v1/plot/plotter"
)

// column is a column of the table as figures draw it: numbers, or levels counted from 0.
type column struct {
	name, unit string
	levels     []string // nil: numbers
	first      int      // index of its first feature
	width      int      // number of its features
	inputs     []int    // indices of its inputs of the rules
}

// columns returns the columns of the table that the model uses; principal components are not among them.
func columns(m *model.Model) []column {
	var all []column
	first, input := 0, 0
	for _, c := range m.Schema.Columns {
		col := column{name: c.Name, unit: c.Unit, levels: c.Levels, first: first, width: c.Width()}
		for k, f := range m.Features[first : first+col.width] {
			if !f.Constant {
				if k == 0 || col.levels != nil { // the second input of numbers is about missing ones
					col.inputs = append(col.inputs, input)
				}
				input++
			}
		}
		if first += col.width; len(col.inputs) > 0 {
			all = append(all, col)
		}
	}
	return all
}

// find returns the column of a name. An unknown one is a *[FeatureError].
func find(all []column, name string) (column, error) {
	i := slices.IndexFunc(all, func(c column) bool { return c.name == name })
	if i >= 0 {
		return all[i], nil
	}
	var known []string
	for _, c := range all {
		known = append(known, c.name)
	}
	return column{}, &FeatureError{name, known, registry.Closest(name, known)}
}

// set sets the column of a sample to a value, rounded to a level if the column has levels.
func (c column) set(row []float64, v float64) {
	switch {
	case c.levels == nil:
		clear(row[c.first : c.first+c.width])
		row[c.first] = v
		return
	case c.width == 1:
		row[c.first] = math.Round(v) + 1 // ordinal columns count from 1
		return
	}
	for k := range c.width {
		row[c.first+k] = 0
	}
	row[c.first+int(math.Round(v))] = 1
}

// get returns the value of the column in a sample; NaN if it is missing.
func (c column) get(row []float64) float64 {
	switch {
	case c.levels == nil:
		return row[c.first]
	case c.width == 1:
		return row[c.first] - 1
	}
	k := slices.Index(row[c.first:c.first+c.width], 1)
	if k < 0 {
		return math.NaN()
	}
	return float64(k)
}

// values returns the values that are not missing.
func (c column) values(d *data.Dataset) []float64 {
	var values []float64
	for _, row := range d.X {
		if v := c.get(row); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// between returns n evenly spaced values from low to high.
func between(low, high float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = low + (high-low)*float64(i)/float64(max(1, n-1))
	}
	return values
}

// typical returns the medoid of the data, with the means of the training part in its missing cells.
func typical(m *model.Model, d *data.Dataset) []float64 {
	row := slices.Clone(d.X[d.Medoid()])
	for i, f := range m.Features {
		if math.IsNaN(row[i]) {
			row[i] = f.Mean
		}
	}
	return row
}

// places are the positions of the levels, or of the few distinct values, of a column, in ascending order.
type places []float64

// placesOf returns the places of a column, given its values in the data; nil for a column of many values and for a principal component.
func placesOf(m *model.Model, c column, values []float64) places {
	switch {
	case c.levels != nil:
		return between(0, float64(len(c.levels)-1), len(c.levels))
	case m.Components != nil:
		return nil
	}
	return m.Features[c.first].Occurring(m.Training.Sampled(), values)
}

// gap returns the least distance between neighbours, but at least a fortieth of the range.
func (p places) gap() float64 {
	width := p[len(p)-1] - p[0]
	if width == 0 {
		return 1
	}
	least := width
	for k := 1; k < len(p); k++ {
		least = min(least, p[k]-p[k-1])
	}
	return max(least, width/40)
}

// extent returns the range to draw: that of the places with half a gap on either side.
func (p places) extent() (low, high float64) {
	return p[0] - p.gap()/2, p[len(p)-1] + p.gap()/2
}

// nearest returns the place nearest to a value.
func (p places) nearest(v float64) float64 {
	return slices.MinFunc(p, func(a, b float64) int { return cmp.Compare(math.Abs(a-v), math.Abs(b-v)) })
}

// points returns a point at each place, shifted by a share of the gap.
func (p places) points(y []float64, aside float64) plotter.XYs {
	points := make(plotter.XYs, len(p))
	for k, at := range p {
		points[k] = plotter.XY{X: at + aside*p.gap(), Y: y[k]}
	}
	return points
}

// FeatureError reports a feature that the model does not use.
type FeatureError struct {
	Name    string
	Known   []string // the features that it uses
	Closest string   // the most similar one; empty if none is similar
}

func (e *FeatureError) Error() string {
	if e.Closest != "" {
		return fmt.Sprintf("the model uses no feature %q; did you mean %s?", e.Name, e.Closest)
	}
	return fmt.Sprintf("the model uses no feature %q: choose from %s", e.Name, strings.Join(e.Known, ", "))
}
