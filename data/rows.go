package data

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// rows reads a table row by row: the values of the features, the target and the weight, as far as they are
// requested. Rows with missing cells are dropped as the policy says; each column counts its own. Rows of weight zero are
// passed over.
type rows struct {
	t        *table
	features []*column
	targets  []*column      // [C]; none: not read
	weight   *column        // nil: not read
	group    int            // cell that names the group; -1: not read
	split    int            // cell that names the part; -1: not read
	groups   map[string]int // the number of each group
	numbered []int          // of the groups of a piece of a table, in their order: the numbers in the table; nil: the same
	missing  Missing
	known    bool           // the columns are those of a schema
	late     map[int]*Error // under missingError, the first missing feature of a row, by row, to be judged later; nil: an error at once

	records *recorder // of the rows as they stand, for Dataset.table; nil: they are not kept

	weightless int // rows of weight zero

	numbers [][]float64 // [len(features)], the numbers of the current block as far as they need no further look; nil: all do

	// the current row
	raw    []float64 // [len(features)] as column.value gives them
	y      []float64 // [C]
	w      float64
	member int // number of the group
	mark   mark
}

func newRows(t *table, policy string) *rows {
	if policy == "" {
		policy = missingError
	}
	return &rows{t: t, group: -1, split: -1, missing: Missing{Policy: policy}}
}

// passOver makes the reading Lenient, see ReaderOptions.
func (r *rows) passOver() {
	if r.missing.Policy == missingError {
		r.missing.Policy = missingMean
	}
	for _, c := range r.columns() {
		c.passed = &r.missing
	}
}

// next reads the next row that is kept; io.EOF after the last.
func (r *rows) next() error {
	for {
		if err := r.t.next(); err != nil {
			return err
		}
		if r.t.at == 0 {
			r.enter()
		}
		if err := r.readWeight(); err != nil {
			return err
		}
		if r.weight != nil && r.w == 0 {
			r.weightless++
			continue
		}
		keep, err := r.read()
		if err != nil {
			return err
		}
		if keep {
			return nil
		}
		r.missing.Dropped++
	}
}

// enter finds the numbers of a block.
func (r *rows) enter() {
	r.numbers = r.numbers[:0]
	for _, c := range r.features {
		r.numbers = append(r.numbers, c.numbersOf(r.t))
	}
}

func (r *rows) read() (keep bool, err error) {
	blanks, at := 0, r.t.at
	for i, c := range r.features {
		if numbers := r.numbers[i]; numbers != nil && numeric.Finite(numbers[at]) {
			r.raw[i] = numbers[at]
			continue
		}
		if r.raw[i], err = r.value(c); err != nil {
			return false, err
		}
		if math.IsNaN(r.raw[i]) {
			blanks++
		}
	}
	keep = blanks == 0 || r.missing.Policy == missingMean || r.late != nil
	r.y = r.y[:0]
	for _, c := range r.targets {
		y, err := r.value(c)
		if err != nil {
			return false, err
		}
		r.y = append(r.y, y)
		keep = keep && !math.IsNaN(y)
	}
	keep = keep && !math.IsNaN(r.w)
	if r.group >= 0 {
		if r.member, err = r.readGroup(); err != nil {
			return false, err
		}
	}
	if r.split >= 0 {
		if r.mark, err = readMark(r.t, r.split); err != nil {
			return false, err
		}
	}
	if keep {
		r.missing.Imputed += blanks
	}
	return keep, nil
}

// readWeight reads the weight, if there is one: before all other cells, which do not count in a row of weight zero.
func (r *rows) readWeight() (err error) {
	if r.weight == nil {
		return nil
	}
	if r.w, err = r.value(r.weight); err == nil && r.w < 0 {
		return r.t.fault(r.weight.at, "column %s: the weight %v is negative: want it 0 or greater", quote(r.weight.Name), r.w)
	}
	return err
}

// readGroup returns the number of the row's group, from 0 in order of appearance.
func (r *rows) readGroup() (int, error) {
	name := strings.TrimSpace(r.t.cell(r.group))
	if name == "" {
		return 0, r.t.fault(r.group, "the group is blank: give each row one (data.group)")
	}
	number, known := r.groups[name]
	if !known {
		number = len(r.groups)
		r.groups[strings.Clone(name)] = number
	}
	if r.numbered == nil {
		return number, nil
	}
	if number >= len(r.numbered) {
		return 0, r.t.fault(r.group, "the group %s is not in the outline of these rows: the file changed", quote(name))
	}
	return r.numbered[number], nil
}

// value reads one cell and counts it if it is missing.
func (r *rows) value(c *column) (float64, error) {
	v, err := c.value(r.t)
	if err != nil || !math.IsNaN(v) {
		return v, err
	}
	later := r.late != nil && !c.needed
	if r.missing.Policy == missingError && !later {
		return 0, r.blank(c)
	}
	if later && r.late[r.t.row] == nil {
		r.late[r.t.row] = r.blank(c)
	}
	if (later || c.passed != nil) && r.missing.First == "" {
		r.missing.First = r.blank(c).Error()
	}
	if r.missing.Columns == nil {
		r.missing.Columns = map[string]int{}
	}
	r.missing.Cells++
	r.missing.Columns[c.Name]++
	return v, nil
}

// blank is the fault of a missing cell.
func (r *rows) blank(c *column) *Error {
	what := "the cell is blank"
	if cell := strings.TrimSpace(r.t.cell(c.at)); cell != "" {
		what = quote(cell) + " marks a missing value"
	}
	remedy := ": give it a value"
	switch {
	case r.known: // data.missing is a key of training
	case c.needed:
		remedy += ", or set data.missing to drop"
	default:
		remedy += ", or set data.missing to drop or mean"
	}
	return r.t.fault(c.at, "column %s: %s%s", quote(c.Name), what, remedy)
}

// width is M.
func (r *rows) width() int {
	m := 0
	for _, c := range r.features {
		m += c.Width()
	}
	return m
}

// plain reports whether the values are the features as they are.
func (r *rows) plain() bool {
	return !slices.ContainsFunc(r.features, func(c *column) bool { return c.Encoding != Numeric || c.Unused })
}

// encode writes the features of the values raw to x [M].
func (r *rows) encode(x, raw []float64) {
	for i, c := range r.features {
		n := c.Width()
		c.encode(x[:n], raw[i])
		x = x[n:]
	}
}

// decimals returns the columns, target and weight among them, and what was seen of their decimal marks.
func (r *rows) decimals() (names []string, decimals []decimal) {
	for _, c := range r.columns() {
		names, decimals = append(names, c.Name), append(decimals, c.decimal)
	}
	return names, decimals
}

// columns returns features, targets and weight, as far as they are read.
func (r *rows) columns() []*column {
	all := slices.Concat(r.features, r.targets)
	if r.weight != nil {
		all = append(all, r.weight)
	}
	return all
}
