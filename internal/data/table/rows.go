package table

import (
	"context"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Rows reads a table row by row: the values of the features, the target and the weight, as far as they are
// requested. Rows with missing cells are dropped as the policy says; each column counts its own. Rows of weight zero are
// passed over.
type Rows struct {
	T        *Cursor
	Features []*Coder
	Targets  []*Coder       // [C]; none: not read
	Weight   *Coder         // nil: not read; the exposures with an Offset
	Group    int            // cell that names the group; -1: not read
	Split    int            // cell that names the part; -1: not read
	Groups   map[string]int // the number of each group
	Numbered []int          // of the groups of a piece of a table, in their order: the numbers in the table; nil: the same
	Missing  Missing
	known    bool           // the columns are those of a schema
	Late     map[int]*Error // under missingError, the first missing feature of a row, by row, to be judged later; nil: an error at once

	Records *Recorder // of the rows as they stand, for Dataset.table; nil: they are not kept

	Weightless int // rows of weight zero

	exposed *Offset // nil: the target is no rate

	numbers [][]float64 // [len(features)], the numbers of the current block as far as they need no further look; nil: all do

	// the current row
	Raw []float64 // [len(features)] as Coder.Value gives them
	Y   []float64 // [C]
	W   float64

	exposure float64

	Member int // number of the group
	Mark   Mark
}

func newRows(t *Cursor, policy string) *Rows {
	switch policy {
	case "":
		policy = MissingError
	case MissingOwn:
		policy = MissingMean // of the columns that have no missing cells of their own, see Coder.Own
	}
	return &Rows{T: t, Group: -1, Split: -1, Missing: Missing{Policy: policy}}
}

// passOver makes the reading Lenient, see ReaderOptions.
func (r *Rows) passOver() {
	if r.Missing.Policy == MissingError {
		r.Missing.Policy = MissingMean
	}
	for _, c := range r.Columns() {
		c.passed = &r.Missing
	}
}

// Next reads the next row that is kept; io.EOF after the last.
func (r *Rows) Next() error {
	for {
		if err := r.T.Next(); err != nil {
			return err
		}
		if r.T.At == 0 {
			r.enter()
		}
		if err := r.readWeight(); err != nil {
			return err
		}
		if r.Weight != nil && r.W == 0 {
			r.Weightless++
			continue
		}
		keep, err := r.read()
		if err != nil {
			return err
		}
		if keep {
			return nil
		}
		r.Missing.Dropped++
	}
}

// Each calls do for every row that is kept, until the end of the table, a fault, an error of do, or the end of the context.
func (r *Rows) Each(ctx context.Context, do func() error) error {
	for n := 1; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return Interrupted(ctx)
		}
		switch err := r.Next(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if err := do(); err != nil {
			return err
		}
	}
}

// enter finds the numbers of a block.
func (r *Rows) enter() {
	r.numbers = r.numbers[:0]
	for _, c := range r.Features {
		r.numbers = append(r.numbers, c.numbersOf(r.T))
	}
}

func (r *Rows) read() (keep bool, err error) {
	blanks, at := 0, r.T.At
	for i, c := range r.Features {
		if numbers := r.numbers[i]; numbers != nil {
			if v := numbers[at]; v-v == 0 { // finite
				r.Raw[i] = v
				continue
			}
		}
		if r.Raw[i], err = r.value(c); err != nil {
			return false, err
		}
		if math.IsNaN(r.Raw[i]) && !c.Own {
			blanks++
		}
	}
	keep = blanks == 0 || r.Missing.Policy == MissingMean || r.Late != nil
	r.Y = r.Y[:0]
	for _, c := range r.Targets {
		y, err := r.value(c)
		if err != nil {
			return false, err
		}
		if r.exposed != nil {
			y /= r.exposure
		}
		r.Y = append(r.Y, y)
		keep = keep && !math.IsNaN(y)
	}
	keep = keep && !math.IsNaN(r.W)
	if r.Group >= 0 {
		if r.Member, err = r.readGroup(); err != nil {
			return false, err
		}
	}
	if r.Split >= 0 {
		if r.Mark, err = readMark(r.T, r.Split); err != nil {
			return false, err
		}
	}
	if keep {
		r.Missing.Imputed += blanks
	}
	return keep, nil
}

// readWeight reads the weight, if there is one: before all other cells, which do not count in a row of weight zero.
func (r *Rows) readWeight() (err error) {
	if r.Weight == nil {
		return nil
	}
	r.W, err = r.value(r.Weight)
	if err == nil && r.exposed != nil {
		return r.weighExposure()
	}
	if err == nil && r.W < 0 {
		return r.T.Fault(r.Weight.At, "column %s: the weight %v is negative: want it 0 or greater", escape.Quote(r.Weight.Name), r.W)
	}
	return err
}

// expose makes the target a rate of the exposures in a column.
func (r *Rows) expose(o Offset, exposures *Coder) { r.exposed, r.Weight = &o, exposures }

// weighExposure turns the exposure into the weight of the row.
func (r *Rows) weighExposure() error {
	if math.IsNaN(r.W) {
		return r.T.Fault(r.Weight.At, "column %s: the exposure is missing: give each row one", escape.Quote(r.Weight.Name))
	}
	if !(r.W > 0) {
		return r.T.Fault(r.Weight.At, "column %s: the exposure %v: want it above 0, or leave the row out",
			escape.Quote(r.Weight.Name), r.W)
	}
	r.exposure, r.W = r.W, r.exposed.weight(r.W)
	return nil
}

// readGroup returns the number of the row's group, from 0 in order of appearance.
func (r *Rows) readGroup() (int, error) {
	name := strings.TrimSpace(r.T.Cell(r.Group))
	if name == "" {
		return 0, r.T.Fault(r.Group, "the group is blank: give each row one (data.group)")
	}
	number, known := r.Groups[name]
	if !known {
		number = len(r.Groups)
		r.Groups[strings.Clone(name)] = number
	}
	if r.Numbered == nil {
		return number, nil
	}
	if number >= len(r.Numbered) {
		return 0, r.T.Fault(r.Group, "the group %s is not in the outline of these rows: the file changed", escape.Quote(name))
	}
	return r.Numbered[number], nil
}

// value reads one cell and counts it if it is missing or beyond the limits of its column.
func (r *Rows) value(c *Coder) (float64, error) {
	v, err := c.Value(r.T)
	if err != nil || !math.IsNaN(v) {
		if c.Limits != nil && c.Limits.Of(v) != v {
			r.Missing.addLimited(c.Name)
			v = c.Limits.Of(v)
		}
		return v, err
	}
	c.blank = true
	later := r.Late != nil && !c.needed && !c.Own
	if r.Missing.Policy == MissingError && !later && !c.Own {
		return 0, r.blank(c)
	}
	if later && r.Late[r.T.Row] == nil {
		r.Late[r.T.Row] = r.blank(c)
	}
	if (later || c.passed != nil && !c.Own) && r.Missing.First == "" {
		r.Missing.First = r.blank(c).Error()
	}
	if r.Missing.Columns == nil {
		r.Missing.Columns = map[string]int{}
	}
	if c.Own {
		r.Missing.Own++
	}
	r.Missing.Cells++
	r.Missing.Columns[c.Name]++
	return v, nil
}

// blank is the fault of a missing cell.
func (r *Rows) blank(c *Coder) *Error {
	what := "the cell is blank"
	if cell := strings.TrimSpace(r.T.Cell(c.At)); cell != "" {
		what = escape.Quote(cell) + " marks a missing value"
	}
	remedy := ": give it a value"
	switch {
	case r.known: // data.missing is a key of training
	case c.needed:
		remedy += ", or set data.missing to drop"
	default:
		remedy += ", or set data.missing to own, mean or drop"
	}
	return r.T.Fault(c.At, "column %s: %s%s", escape.Quote(c.Name), what, remedy)
}

// Width is M.
func (r *Rows) Width() int {
	m := 0
	for _, c := range r.Features {
		m += c.Width()
	}
	return m
}

// Plain reports whether the values are the features as they are.
func (r *Rows) Plain() bool {
	return !slices.ContainsFunc(r.Features, func(c *Coder) bool { return c.Encoding != Numeric || c.Unused || c.Missing })
}

// Encode writes the features of the values raw to x [M].
func (r *Rows) Encode(x, raw []float64) {
	for i, c := range r.Features {
		n := c.Width()
		c.Encode(x[:n], raw[i])
		x = x[n:]
	}
}

// Decimals returns the columns, target and weight among them, and what was seen of their decimal marks.
func (r *Rows) Decimals() (names []string, decimals []Decimal) {
	for _, c := range r.Columns() {
		names, decimals = append(names, c.Name), append(decimals, c.decimal)
	}
	return names, decimals
}

// Columns returns features, targets and weight, as far as they are read.
func (r *Rows) Columns() []*Coder {
	all := slices.Concat(r.Features, r.Targets)
	if r.Weight != nil {
		all = append(all, r.Weight)
	}
	return all
}

// marks are the cells of a split column.
var marks = map[string]Mark{"train": InTrain, "validation": InValidation, "test": InTest}

// readMark reads the cell of a split column.
func readMark(t *Cursor, at int) (Mark, error) {
	cell := strings.TrimSpace(t.Cell(at))
	m, ok := marks[strings.ToLower(cell)]
	if !ok {
		return 0, t.Fault(at, "column %s: %s is not a part: want train, validation or test%s",
			escape.Quote(t.Header.Names[at]), escape.Quote(cell), registry.Hint(cell, slices.Sorted(maps.Keys(marks))))
	}
	return m, nil
}

// Mark is the part a row belongs to.
type Mark uint8

const (
	InTrain Mark = iota
	InValidation
	InTest
)
