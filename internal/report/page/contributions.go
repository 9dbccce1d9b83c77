package page

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/model"
)

// Contribution is the mean absolute contribution of a column to the predictions of the rows shown, in the target's unit, see
// [shapley.Attribution]; of several outputs to those of Output, on the scale of the link, see [model.Model.Output].
type Contribution struct {
	Output string  `json:"output,omitempty"`
	Column int     `json:"column"` // index into the schema's columns
	Name   string  `json:"name"`
	Mean   float64 `json:"mean"`
}

// contributions explain predictions by the used columns. The contributions of a row and Mean sum to its prediction.
type contributions struct {
	Columns    []int       `json:"columns"` // indices, the largest mean absolute contribution first
	Mean       float64     `json:"mean"`    // of the predictions of the background
	Background int         `json:"background"`
	Source     string      `json:"source"`           // part that the background is drawn from
	Rows       [][]float64 `json:"rows"`             // [rows of the sample][Columns]; null: not computed
	Typical    []float64   `json:"typical"`          // [Columns], of the row of typical values
	Errors     []float64   `json:"errors,omitempty"` // [Columns], mean standard errors; none if exact
	Label      string      `json:"label"`            // what the contributions add up to
	Unit       string      `json:"unit"`
}

const (
	maxCost    = 3e9 // limit of the cost of all attributions, see [shapley.Attributor.Cost]
	fewestRows = 5
)

// contributionsOf attributes every output of the model, see newContributions.
func contributionsOf(in Input, sample []int, typical []float64) (all []contributions, ranked []Contribution, err error) {
	m, C := in.Model, in.Model.OutputCount()
	for c := range C {
		in.Model = m.Output(c)
		of, columns, err := newContributions(in, sample, typical, maxCost/float64(C))
		if err != nil {
			return nil, nil, err
		}
		of.Label, of.Unit = in.Model.Schema.Target, in.Model.Schema.TargetUnit
		for _, column := range columns {
			if !m.Number() {
				column.Output = of.Label
			}
			ranked = append(ranked, column)
		}
		all = append(all, of)
	}
	return all, ranked, nil
}

// newContributions attributes the predictions of a sample of the rows of the data, by index, and of the typical row, up to a cost.
func newContributions(in Input, sample []int, typical []float64, cost float64) (contributions, []Contribution, error) {
	from := in.Data
	if in.Train != nil {
		from = *in.Train
	}
	m := in.Model
	a, err := shapley.New(m, from.Dataset, m.Training.Seed)
	if err != nil {
		return contributions{}, nil, err
	}
	// The rows computed lie evenly in the sample.
	n := min(len(sample), max(fewestRows, int(cost/a.Cost())))
	x, at := [][]float64{typical}, make([]int, n)
	for k := range at {
		at[k] = k * len(sample) / n
		x = append(x, in.Data.X[sample[at[k]]])
	}
	all, err := a.Attribute(context.Background(), x)
	if err != nil {
		return contributions{}, nil, err
	}
	ranked := rank(m, all[1:])
	c := contributions{Source: from.Name, Rows: make([][]float64, len(sample))}
	c.Background, c.Mean = a.Background()
	for _, column := range ranked {
		c.Columns = append(c.Columns, column.Column)
	}
	c.Typical = c.of(all[0].Values)
	for k, e := range all[1:] {
		c.Rows[at[k]] = c.of(e.Values)
	}
	if a.Samples() {
		c.Errors = make([]float64, len(c.Columns))
		for _, e := range all[1:] {
			if e.Errors != nil {
				for i, v := range c.of(e.Errors) {
					c.Errors[i] += v / float64(n)
				}
			}
		}
	}
	return c, ranked, nil
}

// of returns values by column of the schema in the order of Columns.
func (c *contributions) of(values []float64) []float64 {
	ordered := make([]float64, len(c.Columns))
	for i, column := range c.Columns {
		ordered[i] = rounded(values[column])
	}
	return ordered
}

// rank returns the mean absolute contributions of the used columns, in descending order.
func rank(m *model.Model, all []shapley.Attribution) []Contribution {
	var ranked []Contribution
	for i, column := range m.Schema.Columns {
		if column.Unused {
			continue
		}
		mean := 0.0
		for _, e := range all {
			mean += math.Abs(e.Values[i]) / float64(len(all))
		}
		ranked = append(ranked, Contribution{Column: i, Name: column.Name, Mean: mean})
	}
	slices.SortStableFunc(ranked, func(a, b Contribution) int { return cmp.Compare(b.Mean, a.Mean) })
	return ranked
}
