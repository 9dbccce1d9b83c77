package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Bounds on the levels of a categorical column.
const (
	MaxFoundLevels = 50     // of a column without an option
	maxLevels      = 10_000 // of a column named by Options.Categorical
)

// Coder reads the cells of one column. It begins open (its first cell decides), numeric or categorical.
type Coder struct {
	Column // Encoding is empty while the column is open; Levels are in order of appearance until finish

	At      int            // cell of the record; -1 for an unused column, which is not read
	needed  bool           // a target or a weight: a row without it is dropped
	Own     bool           // a missing cell is a value, see Column.Missing
	blank   bool           // a cell was missing
	class   bool           // the target: its levels are classes
	numbers bool           // all of the classes that are given are numbers
	levels  encoding       // nil while the encoding is Numeric or open
	number  map[string]int // of each level, from 0
	Closed  bool           // the levels are given: any other level is an error
	first   *Error         // for a column found categorical: its first cell, which is at fault if the column proves numeric
	Rank    []int          // of each level number in the final order; nil when the levels are closed
	passed  *Missing       // counts levels that are not given; nil: they are an error
	na      *markers       // of missing values; nil: only those of IsMissing
	decimal Decimal        // of a numeric column
	places  []*Error       // of each class found, where it is first; with located of each level
	Located bool
	opened  string // the cell that decided the encoding; empty where it was given
	trained bool   // the column is that of a model
}

// unknownLevel is the number of a level that is not one of those given.
const unknownLevel = -1

// numericColumn is a target or a weight.
func numericColumn(name string, at int, na *markers) *Coder {
	return &Coder{Column: Column{Name: name, Encoding: Numeric}, At: at, na: na, needed: true}
}

// knownColumn reads a column of a schema.
func knownColumn(c Column, at int, na *markers) *Coder {
	k := &Coder{Column: c, At: at, na: na, Own: c.Missing, trained: true}
	k.code(c.Encoding, c.Levels)
	return k
}

// code sets the encoding; levels, unless empty, are the only ones allowed.
func (c *Coder) code(e Encoding, levels []string) {
	c.Encoding, c.Levels, c.Closed = e, slices.Clone(levels), len(levels) > 0
	c.levels = c.encoding()
	c.numbers = c.class && c.Closed && allNumbers(levels)
	if e == Numeric {
		return
	}
	c.number = make(map[string]int, len(levels))
	for i, level := range levels {
		c.number[level] = i
	}
}

// Value reads the column's cell of the current row: the number, or the number of its level from 0; NaN when it is
// missing.
func (c *Coder) Value(t *Cursor) (float64, error) {
	if c.At < 0 {
		return 0, nil
	}
	values := &t.Block.Columns[c.At]
	if values.Numbers != nil {
		return c.ofNumber(t, values.Numbers[t.At])
	}
	if values.Parsed != nil && c.Encoding == Numeric && !t.Commas {
		if v := values.Parsed[t.At]; !math.IsNaN(v) { // the common case
			if c.na.number(v) {
				return math.NaN(), nil
			}
			return v, nil
		}
	}
	return c.read(t, strings.TrimSpace(values.Cell(t.At)))
}

// numbersOf returns the numbers of the current block that, where they are finite, are what value returns; nil if there are none.
func (c *Coder) numbersOf(t *Cursor) []float64 {
	if c.At < 0 || c.Encoding != Numeric || c.na != nil || c.Limits != nil || t.Commas {
		return nil
	}
	values := &t.Block.Columns[c.At]
	if values.Numbers != nil {
		return values.Numbers
	}
	return values.Parsed
}

// ofNumber is value for a column of numbers.
func (c *Coder) ofNumber(t *Cursor, v float64) (float64, error) {
	switch {
	case math.IsNaN(v):
		return v, nil
	case c.Encoding != Numeric && c.Encoding != "" || !numeric.Finite(v):
		return c.read(t, NumberText(v))
	}
	if c.Encoding == "" {
		c.Encoding, c.opened = Numeric, NumberText(v)
	}
	if c.na.number(v) {
		return math.NaN(), nil
	}
	return v, nil
}

// read is value of a trimmed cell.
func (c *Coder) read(t *Cursor, cell string) (float64, error) {
	missing := IsMissing(cell) || c.na.text(cell) || c.class && c.na.numberOf(cell)
	if c.Encoding == "" && !missing {
		c.opened = strings.Clone(cell)
		if !IsWord(cell) {
			c.code(Numeric, nil)
		} else {
			c.code(OneHot, nil)
			c.first = c.notANumber(t, cell)
		}
	}
	switch {
	case missing:
		return math.NaN(), nil
	case c.Encoding != Numeric:
		return c.level(t, cell)
	}
	v, ok := t.Number(cell)
	if !ok {
		return 0, c.notANumber(t, cell)
	}
	return c.found(t, v), nil
}

// notANumber is the error about a cell that should be a number.
func (c *Coder) notANumber(t *Cursor, cell string) *Error {
	remedy := OfFeature
	switch {
	case c.trained: // all else is of keys of training
		remedy = ""
	case c.class:
		remedy = ofTarget
	case c.needed:
		remedy = ofNumber
	}
	return t.Fault(c.At, "column %s: %s", escape.Quote(c.Name), WhyNotNumber(cell, remedy))
}

// found returns a number of the current row, or NaN if it marks a missing value.
func (c *Coder) found(t *Cursor, v float64) float64 {
	if c.na.number(v) {
		return math.NaN()
	}
	if t.Commas {
		t.Mark(&c.decimal, c.At)
	}
	return v
}

// level returns the number of a level, a new one if it was not seen before.
func (c *Coder) level(t *Cursor, cell string) (float64, error) {
	if n, ok := c.number[cell]; ok {
		return float64(n), nil
	}
	if v, ok := ParseNumber(cell); ok && c.numbers {
		if n, ok := c.number[className(v)]; ok {
			return float64(n), nil
		}
	}
	n := len(c.Levels)
	switch {
	case c.Closed && c.passed != nil && !c.class:
		c.passed.addUnknown(c.Name, func() *Error { return c.notALevel(t, cell) })
		return unknownLevel, nil
	case c.first != nil && !IsWord(cell):
		return 0, c.noCategory(cell)
	case c.Closed:
		return 0, c.notALevel(t, cell)
	case !utf8.ValidString(cell):
		return 0, t.Fault(c.At, "column %s: %s is not valid UTF-8: save the table as UTF-8", escape.Quote(c.Name), escape.Quote(cell))
	}
	if full := c.full(); full != "" {
		return 0, t.Fault(c.At, "%s", full)
	}
	cell = strings.Clone(cell) // not to keep the whole row
	c.Levels = append(c.Levels, cell)
	c.number[cell] = n
	if c.class || c.Located {
		c.places = append(c.places, t.Fault(c.At, ""))
	}
	return float64(n), nil
}

// noCategory is the error about a column found categorical that has a cell which is no word.
func (c *Coder) noCategory(cell string) *Error {
	fault := *c.first
	fault.Message += " (" + escape.Quote(cell) + " in a later row is not a category)"
	return &fault
}

// full says why a column cannot have a further level; empty if it can.
func (c *Coder) full() string {
	switch n := len(c.Levels); {
	case c.class && n == MaxClasses:
		return fmt.Sprintf("column %s has more than %d classes: choose another target (data.target), or set task: regression to predict "+
			"numbers", escape.Quote(c.Name), n)
	case c.first != nil && n == MaxFoundLevels && !c.class:
		return fmt.Sprintf("column %s has more than %d levels, too many for one feature each: ignore it (data.ignore) or code it "+
			"(data.categorical)", escape.Quote(c.Name), n)
	case n == maxLevels:
		return fmt.Sprintf("column %s has more than %d levels: ignore it (data.ignore)", escape.Quote(c.Name), n)
	}
	return ""
}

// notALevel is the error about a cell that is not one of the levels.
func (c *Coder) notALevel(t *Cursor, cell string) *Error {
	what := "levels"
	if c.class {
		what = "classes"
	}
	return t.Fault(c.At, "column %s: %s is not one of its %s%s (%s)", escape.Quote(c.Name), escape.Quote(cell), what,
		registry.Hint(cell, c.Levels), escape.List(c.Levels))
}

// Finish sorts the levels found, and fixes the encoding.
func (c *Coder) Finish() {
	if c.Encoding == "" {
		c.Encoding = Numeric
	}
	c.Missing = c.Missing || c.Own && c.blank
	if c.Encoding == Numeric || c.Closed {
		return
	}
	if _, there := c.number[MissingLevel]; c.Missing && !there {
		c.number[MissingLevel] = len(c.Levels)
		c.Levels = append(c.Levels, MissingLevel)
	}
	slices.SortFunc(c.Levels, compareLevels)
	c.Rank = make([]int, len(c.Levels))
	for i, level := range c.Levels {
		c.Rank[c.number[level]] = i
	}
	c.Closed = true
}

// Encode writes the features of a value to dst, [Width]. A missing value makes all of them NaN, unless it is a value, see
// [Column.Missing]; see [Column.Values] for an unknown level.
func (c *Coder) Encode(dst []float64, v float64) {
	switch {
	case c.Unused:
		clear(dst)
	case c.Encoding == Numeric:
		if dst[0] = v; c.Missing {
			dst[1] = 0
			if math.IsNaN(v) {
				dst[1] = 1
			}
		}
	case math.IsNaN(v) && !c.Missing:
		for i := range dst {
			dst[i] = v
		}
	default:
		level := c.Numbered(v)
		if c.Rank != nil && level != unknownLevel {
			level = c.Rank[level]
		}
		c.levels.encode(dst, c.known(level))
	}
}

// Numbered returns the number of the level that a value is, in the order of appearance; -1 if it is none of them.
func (c *Coder) Numbered(v float64) int {
	if !math.IsNaN(v) {
		return int(v)
	}
	if n, there := c.number[MissingLevel]; there && c.Missing {
		return n
	}
	return unknownLevel
}

// compareLevels orders numbers by value and before texts.
func compareLevels(a, b string) int {
	x, aNumber := ParseNumber(a)
	y, bNumber := ParseNumber(b)
	switch {
	case aNumber && bNumber && x != y:
		if x < y {
			return -1
		}
		return 1
	case aNumber != bNumber:
		if aNumber {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}
