package page

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// content is the data of the page's script.
type content struct {
	Target     targetColumn  `json:"target"`
	Response   response      `json:"response"`
	Figure     figureOfLoss  `json:"figure"` // by which models are compared
	Data       string        `json:"data"`   // name of the part
	Columns    []inputColumn `json:"columns"`
	Features   []feature     `json:"features"` // of the schema
	Model      embedded      `json:"model"`
	Rows       sampleRows    `json:"rows"`
	Typical    typicalRow    `json:"typical"`
	Support    support       `json:"support"`
	Points     points        `json:"points"`
	Importance importances   `json:"importance"`
	Together   [][2]int      `json:"together"` // pairs of columns of numbers, see [Together]

	Editing *editing `json:"editing"`

	Contributions []contributions `json:"contributions"` // [C]
	Classes       *classErrors    `json:"classes,omitempty"`

	Learning []curve     `json:"learning,omitempty"`
	Path     []pathPoint `json:"path,omitempty"`

	Forecasts *forecasts `json:"forecasts,omitempty"`

	Tried *words.Tried `json:"tried,omitempty"` // beside a page

	MaxFidelity float64 `json:"maxFidelity"` // see [model.MaxFidelity]
}

// targetColumn is the target.
type targetColumn struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

// inputColumn is a column of the table; the page has a control for each column used.
type inputColumn struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Feature int      `json:"feature"` // index of its first feature
	Width   int      `json:"width"`   // number of its features
	Levels  []string `json:"levels,omitempty"`
	OneHot  bool     `json:"onehot,omitempty"`
	Whole   bool     `json:"whole,omitempty"` // all values are whole numbers
	Unused  bool     `json:"unused,omitempty"`
	Idle    bool     `json:"idle,omitempty"` // see [Idle]

	Values []float64 `json:"values,omitempty"` // of a column with few distinct numbers, see [model.Feature.Occurring]
	Counts []int     `json:"counts,omitempty"` // rows with each level, or with each of Values

	missing float64 // share of the rows that miss it
}

// feature is a feature of the schema with the distribution of its values.
type feature struct {
	Name      string        `json:"name"`
	Min       float64       `json:"min"` // in training
	Max       float64       `json:"max"`
	Constant  bool          `json:"constant,omitempty"`
	Typical   float64       `json:"typical"`             // in the typical row
	Histogram *numeric.Bins `json:"histogram,omitempty"` // nil if its column has counts
}

// importances are the importances of the columns, in descending order.
type importances struct {
	Columns []Importance `json:"columns"`
	Rows    int          `json:"rows"` // number of rows permuted
}

func newContent(in Input, predicted model.Predictions, importance []Importance) (content, error) {
	m, d := in.Model, in.Data.Dataset
	over := in.Data
	if in.Train != nil {
		over = *in.Train
	}
	medoid := over.Medoid()
	_, unit := model.Measured(m)
	c := content{
		Target: targetColumn{strings.Join(m.Schema.Targets(), ", "), m.Schema.TargetUnit}, Response: newResponse(m),
		Figure: figureOfLoss{m.Criterion().Name, unit}, Data: in.Data.Name,
		Classes:    newClassErrors(m, d, predicted),
		Importance: importances{Columns: importance}, Learning: learning(in.Metrics), Path: path(in.Summary),
		Tried: words.TriedFor(m), MaxFidelity: model.MaxFidelity,
		Rows: sampleOf(d), Points: pointsOf(m, d, predicted), Typical: typicalRow{rowNumber(over.Dataset, medoid), over.Name},
	}
	for i, f := range m.Features {
		of := feature{Name: f.Name, Min: f.Min, Max: f.Max, Constant: f.Constant, Typical: over.X[medoid][i]}
		if math.IsNaN(of.Typical) {
			of.Typical = f.Mean
		}
		c.Features = append(c.Features, of)
	}
	first := 0
	for _, col := range m.Schema.Columns {
		k := inputColumn{Name: col.Name, Unit: col.Unit, Feature: first, Width: col.Width(), Levels: col.Levels,
			OneHot: col.Nominal(), Unused: col.Unused, Idle: Idle(m, col.Name)}
		if col.Numbers() {
			values := column(over.X, first)
			k.Whole = !slices.ContainsFunc(values, func(v float64) bool { return v != math.Round(v) })
			f := m.Features[first]
			if k.Values = f.Occurring(m.Training.Sampled(), values); k.Values == nil {
				c.Features[first].Histogram = numeric.NewBins(values, numeric.MostBins)
			}
		}
		k.Counts = k.count(col, over.X)
		k.missing = k.missingIn(col, over.X)
		c.Columns = append(c.Columns, k)
		first += k.Width
	}
	c.Support = c.supportOf(over.X)
	numbers := slices.DeleteFunc(slices.Clone(importance), func(i Importance) bool { return c.Columns[i.Column].Levels != nil })
	var err error
	if c.Together, err = Together(m, over.Dataset, numbers); err != nil {
		return c, err
	}
	if c.Model, err = embedModel(m, over.X); err != nil {
		return c, err
	}
	c.Editing, err = newEditing(m, d)
	return c, err
}

// typical returns the typical row.
func (c *content) typical() []float64 {
	row := make([]float64, len(c.Features))
	for i, f := range c.Features {
		row[i] = f.Typical
	}
	return row
}

// column returns the values of feature m that are not missing.
func column(x [][]float64, m int) []float64 {
	values := make([]float64, 0, len(x))
	for _, row := range x {
		if !math.IsNaN(row[m]) {
			values = append(values, row[m])
		}
	}
	return values
}

// Limits of the size of a page.
const (
	maxRows  = 200  // embedded rows of the data, for the viewer and for averages
	maxCells = 10e3 // of these rows, but at least 20 rows
)

// sampleRows is a sample of the rows of the data.
type sampleRows struct {
	Rows    []int        `json:"rows"`    // number in the table, from 1
	Values  [][]*float64 `json:"values"`  // [rows][features]; null: missing
	Targets [][]float64  `json:"targets"` // [targets][rows] the targets observed, or the indices of the classes
	Of      int          `json:"of"`      // number of rows in all
}

// rowNumber returns the number of a sample in its table, from 1.
func rowNumber(d *data.Dataset, i int) int {
	if d.Rows == nil {
		return i + 1
	}
	return d.Rows[i]
}

// shown returns the indices of the rows that the page shows.
func shown(d *data.Dataset) []int {
	return numeric.Some(d.Len(), min(maxRows, max(20, maxCells/len(d.X[0]))))
}

func sampleOf(d *data.Dataset) sampleRows {
	s := sampleRows{Of: d.Len(), Targets: make([][]float64, 1+len(d.Others))}
	for _, i := range shown(d) {
		values := make([]*float64, len(d.X[i]))
		for m := range values {
			if !math.IsNaN(d.X[i][m]) {
				values[m] = &d.X[i][m]
			}
		}
		s.Rows, s.Values = append(s.Rows, rowNumber(d, i)), append(s.Values, values)
		for c := range s.Targets {
			s.Targets[c] = append(s.Targets[c], d.Target(c).Y[i])
		}
	}
	return s
}

// missingIn returns the share of rows that miss the column.
func (c inputColumn) missingIn(of data.Column, x [][]float64) float64 {
	n := 0
	for _, row := range x {
		if of.Misses(row[c.Feature:][:c.Width]) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(x)))
}

// count returns the number of rows with each level or value of the column; nil for a column with neither.
func (c inputColumn) count(of data.Column, x [][]float64) []int {
	if of.Numbers() {
		return numeric.Occurrences(column(x, c.Feature), c.Values)
	}
	counts := make([]int, len(c.Levels))
	for _, row := range x {
		if k := of.Level(row[c.Feature:][:c.Width]); k >= 0 {
			counts[k]++
		}
	}
	return counts
}

const maxPoints = 2000 // in scatter plots

// points are observed targets and their predictions; none for classes.
type points struct {
	Rows      []int           `json:"rows"`
	Observed  [][]float64     `json:"observed"`  // [J][rows]
	Predicted [][]float64     `json:"predicted"` // [J][rows]
	Axes      [][2]float64    `json:"axes"`      // [J] of observed and predicted values
	Errors    [][2]float64    `json:"errors"`    // [J] of residuals
	Histogram []*numeric.Bins `json:"histogram"` // [J] of residuals; null if they are all equal
	Of        int             `json:"of"`
}

func pointsOf(m *model.Model, d *data.Dataset, predicted model.Predictions) points {
	p := points{Of: d.Len()}
	if m.Schema.Classes != nil {
		return p
	}
	chosen := numeric.Some(d.Len(), maxPoints)
	for _, i := range chosen {
		p.Rows = append(p.Rows, rowNumber(d, i))
	}
	for j, values := range predicted.All() {
		y := m.Observed(d, j)
		observed, of := make([]float64, len(chosen)), make([]float64, len(chosen))
		for k, i := range chosen {
			observed[k], of[k] = rounded(y[i]), rounded(values[i])
		}
		p.Observed, p.Predicted = append(p.Observed, observed), append(p.Predicted, of)
		residuals := make([]float64, len(values))
		for i, v := range values {
			residuals[i] = y[i] - v
		}
		axis, errs := numeric.ErrorAxes(values, y)
		p.Axes, p.Errors = append(p.Axes, axis), append(p.Errors, errs)
		p.Histogram = append(p.Histogram, numeric.NewBins(residuals, numeric.MostBins))
	}
	return p
}
