package data

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Dataset is a table as numbers: N samples of M features and a target, or C of them. Functions and methods without an error
// result require one that [Dataset.Validate] accepts.
type Dataset struct {
	Schema table.Schema
	// [N,M], M = len(Schema.Features()); the rows share one backing array. NaN marks a missing cell, only under Missing
	// "mean"
	X       [][]float64
	Y       []float64   // [N]; the index of the class, 0..K-1, where the Schema has Classes
	Others  [][]float64 // [C-1][N] the further targets, Schema.Others; nil: none
	Weights []float64   // [N], finite, >= 0, of positive sum; nil: all one
	Groups  []int       // [N] rows of the same number belong together, see Options.Group; nil: each row for itself
	// the rows are in time order: every split tests on later rows than it trains on, see Split, Folds and HoldOut; then
	// there are no Groups
	Ordered bool
	Rows    []int         // [N] the data row of the source, from 1 (the header is not counted), ascending
	Missing table.Missing // the missing cells of the whole source; a Subset shares it, and so it does the next two
	Commas  []string      // the columns of the source whose numbers have decimal commas

	Clock *Clock // when the rows of the source are; nil unless they are samples of a table of time stamps

	Whole Whole // all rows of the part, of which these are a uniform random sample; nil: these are all. A Subset and a Target have none

	// Weightless counts the rows of the source whose weight is zero. They are not read: no sample, no level and no
	// missing cell comes from them.
	Weightless int

	table *original // the rows of a sample, or of a query, as they stand in the table; nil: it is read again for them
	// the first missing cell of a row, by its number, where only the test part may have some; see Options.testBlanks
	late   map[int]*table.Error
	marks  []table.Mark // [N] the part each row belongs to; nil without a split column
	marked string       // the name of the split column
}

// New makes a Dataset from memory: the names of the M features, the name of the target, x [N,M] and y [N], which
// are copied. Shapes that do not match, repeated names, no rows and values that are not finite are errors.
func New(names []string, target string, x [][]float64, y []float64) (*Dataset, error) {
	schema := table.Schema{Target: target}
	for _, name := range names {
		schema.Columns = append(schema.Columns, table.NewColumn(name, "", nil, false))
	}
	d := &Dataset{Schema: schema, X: x, Y: y, Missing: table.Missing{Policy: table.MissingError}}
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
// new Dataset. An index out of range panics, as in a slice.
func (d *Dataset) Subset(rows []int) *Dataset {
	s := &Dataset{
		Schema:  d.Schema,
		X:       matrix(len(rows), d.width()),
		Y:       pick(d.Y, rows),
		Others:  pickAll(d.Others, rows),
		Weights: pick(d.Weights, rows),
		Groups:  pick(d.Groups, rows),
		Ordered: d.Ordered,
		Rows:    pick(d.Rows, rows),
		Missing: d.Missing, Commas: d.Commas, Weightless: d.Weightless,
		Clock:  d.Clock,
		late:   d.late,
		marks:  pick(d.marks, rows),
		marked: d.marked,
		table:  d.table.pick(rows),
	}
	for i, row := range rows {
		copy(s.X[i], d.X[row])
	}
	return s
}

// Total is the number of rows of the Whole; Len without one.
func (d *Dataset) Total() int {
	if d.Whole != nil {
		return d.Whole.Len()
	}
	return d.Len()
}

// WithoutWhole returns the sample d alone, as if these were all rows; d, perhaps nil, if it has no Whole.
func (d *Dataset) WithoutWhole() *Dataset {
	if d == nil || d.Whole == nil {
		return d
	}
	sample := *d
	sample.Whole = nil
	return &sample
}

// Target returns d with target c alone, 0 <= c < C, as its Y; what both have is shared.
func (d *Dataset) Target(c int) *Dataset {
	if len(d.Others) == 0 {
		return d
	}
	one := *d
	one.Others, one.Schema.Others, one.Whole = nil, nil, nil
	if c > 0 {
		other := d.Schema.Others[c-1]
		one.Y, one.Schema.Target, one.Schema.TargetUnit = d.Others[c-1], other.Name, other.Unit
	}
	return &one
}

// Validate checks a Dataset that was not read from a table, as training and evaluation do: a valid schema; at least one
// sample; as many targets, and weights, Groups and Rows where there are any; M values in each row, finite except
// missing ones (NaN) under Missing "mean"; finite targets, which are indices of classes where the schema has some; no
// Groups where it is Ordered; weights as Weights says. A fault is an *Error, which names row and column.
func (d *Dataset) Validate() error {
	if d == nil {
		return errNil
	}
	if err := d.Schema.Validate(); err != nil {
		return &table.Error{Message: err.Error(), Err: err}
	}
	if err := d.check(); err != nil {
		return err
	}
	if d.Groups != nil && d.Ordered {
		return table.Faultf("",
			"groups cannot be combined with samples in time order: leave out data.group, or set data.split and tune.split to random")
	}
	names := d.Schema.Features()
	for i, row := range d.X {
		for m, v := range row {
			if !numeric.Finite(v) && !(math.IsNaN(v) && d.Missing.Policy == table.MissingMean) {
				return table.Faultf("", "row %d, %s: %v is not finite", i+1, escape.Quote(names[m]), v)
			}
		}
	}
	for i, w := range d.Weights {
		if !numeric.Finite(w) || w < 0 {
			return table.Faultf("", "row %d: the weight %v: must be finite and at least 0", i+1, w)
		}
	}
	if err := checkWeights(d.Weights); err != nil {
		return table.Faultf("", "%v", err)
	}
	return nil
}

var errNil = table.Faultf("", "the data set is nil")

// check checks the sizes and the targets, which dividing the samples requires.
func (d *Dataset) check() error {
	if d == nil {
		return errNil
	}
	if len(d.X) == 0 || len(d.X) != len(d.Y) {
		return table.Faultf("", "%d rows of x and %d of y: want the same number, at least one", len(d.X), len(d.Y))
	}
	M := d.width()
	for i, row := range d.X {
		if len(row) != M {
			return table.Faultf("", "row %d has %d values, want %d", i+1, len(row), M)
		}
	}
	for _, list := range []struct {
		what  string
		given bool
		n     int
	}{{"row numbers", d.Rows != nil, len(d.Rows)}, {"groups", d.Groups != nil, len(d.Groups)}, {"weights", d.Weights != nil, len(d.Weights)}} {
		if list.given && list.n != len(d.X) {
			return table.Faultf("", "%d %s for %d rows", list.n, list.what, len(d.X))
		}
	}
	return checkTargets(d)
}

// Fingerprint identifies a data set: the number of samples, and a hash of all that training can see, which is names and
// encodings, values to the last bit, weights, groups, time order and the treatment of missing cells.
func (d *Dataset) Fingerprint() string {
	h := sha256.New()
	schema, _ := json.Marshal(d.Schema) // texts only
	fmt.Fprintf(h, "%s %q %v %v\n", schema, d.Missing.Policy, d.Weights, d.Groups)
	if d.Ordered {
		fmt.Fprintln(h, "ordered")
	}
	if d.Whole != nil {
		fmt.Fprintf(h, "of %s\n", d.Whole.Fingerprint())
	}
	var row []byte
	for i, y := range d.Y {
		row = row[:0]
		for _, v := range append(d.X[i][:len(d.X[i]):len(d.X[i])], y) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		for _, values := range d.Others {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(values[i]))
		}
		h.Write(row)
	}
	return fmt.Sprintf("%d samples, sha256 %s", d.Len(), hex.EncodeToString(h.Sum(nil)[:8]))
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

// checkTargets checks the values of the targets, N of each.
func checkTargets(d *Dataset) error {
	if len(d.Others) != len(d.Schema.Others) {
		return table.Faultf("", "values of %d further targets, the schema names %d", len(d.Others), len(d.Schema.Others))
	}
	for c, name := range d.Schema.Targets() {
		values := d.Y
		if c > 0 {
			values = d.Others[c-1]
		}
		if len(values) != d.Len() {
			return table.Faultf("", "%d values of %s for %d rows", len(values), escape.Quote(name), d.Len())
		}
		for i, v := range values {
			if !numeric.Finite(v) {
				return table.Faultf("", "row %d, %s: %v is not finite", i+1, escape.Quote(name), v)
			}
		}
	}
	if k := len(d.Schema.Classes); k > 0 {
		for i, y := range d.Y {
			if y != math.Trunc(y) || y < 0 || y >= float64(k) {
				return table.Faultf("", "row %d, %s: %v is not the index of one of %d classes", i+1, escape.Quote(d.Schema.Target), y, k)
			}
		}
	}
	return nil
}

// pickAll picks from each of several columns.
func pickAll(from [][]float64, rows []int) [][]float64 {
	if from == nil {
		return nil
	}
	to := make([][]float64, len(from))
	for c, values := range from {
		to[c] = pick(values, rows)
	}
	return to
}

// SampleRows is the largest number of rows of positive weight of a table from which everything is computed. Of a larger table,
// what sorts, clusters, compares settings or describes uses a random sample of so many rows of each part, see Dataset.Whole.
const SampleRows = 200_000

// Whole is a part of a table with more than SampleRows rows: all of them, of which a Dataset is the sample. The rows lie in
// random buckets, of which one at a time need be in memory.
type Whole interface {
	Len() int                // N, the number of rows, all of positive weight
	Weight() float64         // the sum of their weights as given; N without weights
	Features() []Moments     // [M], of each of Schema.Features()
	Targets() []Moments      // [C]; of classes zero values
	ClassWeights() []float64 // [K], the sum of the weights of each class; nil without classes
	Buckets() int
	// Bucket returns the rows of bucket i in the order of the table, with the Schema and Missing of the sample and weights
	// as given; nil if there are none. It may be called concurrently. A bucket that cannot be read is an *Error.
	Bucket(i int) (*Dataset, error)
	Fingerprint() string // identifies the rows, see Dataset.Fingerprint
}

// original holds rows as they stand in their table.
type original struct {
	header  string
	records []string // [N]
}

// pick returns some of the rows; nil of nil.
func (o *original) pick(rows []int) *original {
	if o == nil {
		return nil
	}
	return &original{header: o.header, records: pick(o.records, rows)}
}
