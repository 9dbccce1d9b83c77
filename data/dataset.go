package data

import (
	"math"
	"slices"
)

// Dataset is a table as numbers: N samples of M features and a target.
type Dataset struct {
	Schema  Schema
	X       [][]float64 // [N,M], M = len(Schema.Features()); the rows share one backing array. NaN marks a missing cell, only under Missing "mean"
	Y       []float64   // [N]
	Weights []float64   // [N], finite, >= 0, of positive sum; nil: all one
	Groups  []int       // [N] rows of the same number belong together, see Options.Group; nil: each row for itself
	Ordered bool        // the rows are in time order: whatever divides them tests on later ones than it trains on, see Split, Folds and HoldOut; then there are no Groups
	Rows    []int       // [N] the data row of the source, from 1 (the header is not counted), ascending
	Missing Missing     // the missing cells of the whole source; a Subset shares it, and so it does the next two
	Commas  []string    // the columns of the source whose numbers have decimal commas

	// Weightless counts the rows of the source whose weight is zero. They are not read: no sample, no level and no
	// missing cell comes from them.
	Weightless int

	late   map[int]*Error // the first missing cell of a row, by its number, where only the test part may have some; see Options.testBlanks
	marks  []mark         // [N] the part each row belongs to; nil without a split column
	marked string         // the name of the split column
}

// New makes a Dataset from memory: the names of the M features, the name of the target, x [N,M] and y [N], which
// are copied. Shapes that do not fit, names that repeat, no row at all and values that are not finite are errors.
func New(names []string, target string, x [][]float64, y []float64) (*Dataset, error) {
	schema := Schema{Target: target}
	for _, name := range names {
		schema.Columns = append(schema.Columns, Column{Name: name, Encoding: Numeric})
	}
	d := &Dataset{Schema: schema, X: x, Y: y, Missing: Missing{Policy: missingError}}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	d.X, d.Y, d.Rows = matrix(len(x), len(names)), slices.Clone(y), make([]int, len(x))
	for i, row := range x {
		copy(d.X[i], row)
		d.Rows[i] = i + 1
	}
	return d, nil
}

// Len is N, the number of samples.
func (d *Dataset) Len() int { return len(d.Y) }

// Subset copies the samples of the given indices (from 0, below Len, ascending if Rows is to stay so and the Dataset is Ordered) into a
// Dataset of their own. An index out of range panics, as in a slice.
func (d *Dataset) Subset(rows []int) *Dataset {
	s := &Dataset{
		Schema:  d.Schema,
		X:       matrix(len(rows), d.width()),
		Y:       pick(d.Y, rows),
		Weights: pick(d.Weights, rows),
		Groups:  pick(d.Groups, rows),
		Ordered: d.Ordered,
		Rows:    pick(d.Rows, rows),
		Missing: d.Missing, Commas: d.Commas, Weightless: d.Weightless,
		late:   d.late,
		marks:  pick(d.marks, rows),
		marked: d.marked,
	}
	for i, row := range rows {
		copy(s.X[i], d.X[row])
	}
	return s
}

// width is M.
func (d *Dataset) width() int {
	m := 0
	for _, c := range d.Schema.Columns {
		m += c.Width()
	}
	return m
}

// emptyColumn returns the name of a column that is missing in each row, or nothing; so also where missing cells are
// judged later.
func (d *Dataset) emptyColumn() string {
	if d.Missing.Imputed == 0 || d.late != nil {
		return ""
	}
	m := 0
	for _, c := range d.Schema.Columns {
		if !slices.ContainsFunc(d.X, func(x []float64) bool { return !math.IsNaN(x[m]) }) {
			return c.Name
		}
		m += c.Width()
	}
	return ""
}

// matrix is an [n,m] matrix of zeros on one backing array.
func matrix(n, m int) [][]float64 { return rowsOf(make([]float64, n*m), n, m) }

// rowsOf views a backing array as the rows of an [n,m] matrix.
func rowsOf(backing []float64, n, m int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = backing[i*m : (i+1)*m : (i+1)*m]
	}
	return rows
}

func pick[T any](from []T, rows []int) []T {
	if from == nil {
		return nil
	}
	to := make([]T, len(rows))
	for i, row := range rows {
		to[i] = from[row]
	}
	return to
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
