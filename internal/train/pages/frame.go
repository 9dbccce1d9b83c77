package pages

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

// frame is a training part as the search sees it: candidate terms, and columns in bins.
type frame struct {
	n        int
	weight   []float64 // [n], of mean one
	columns  []column  // those of the samples, in their order
	terms    []term    // P candidates, those of one column side by side
	together [][]int   // see Samples
	pure     split     // that the root of each tree has, see pureSplit; bins is nil: none
}

// column is a column of the samples, in bins that conditions tell apart. A column of one bin is in no condition.
type column struct {
	Column             // Values and Codes are those of the frame's rows
	borders  []float64 // of numbers: round, ascending; bin i holds x with borders[i-1] < x <= borders[i]
	levels   []int     // of a category: the level of each bin but the last, which holds all other cells
	codes    []uint8   // [n] the bin
	bins     int       // len(borders)+1 or len(levels)+1; 1 for a constant column
	low      float64   // range that terms and tables take a number within
	high     float64
	closed   []bool // [borders] that no condition may have; nil: none
	distinct int    // numbers of different values, of a category with all bins that are not empty

	located func() (at []uint8, share []float64) // of numbers: the places of the rows among the knots, see [among]
}

// isCategory reports whether the column holds levels.
func (c *column) isCategory() bool { return c.Levels != nil }

// term is a candidate for a term of a rule.
type term struct {
	column   int
	level    int     // of a category; -1: a number, within [from, to]
	from, to float64 // within the column's low and high
	capped   [2]bool // whether from is above low, and to below high
	mean, sd float64 // of the value within [from, to]; 0 and 1 of a level
}

// side is the side of a split of a column that a path takes.
type side struct {
	column int
	bins   []bool // that go left
	right  bool
}

// leaf is where a path ends. The leaves of a tree hold each row once.
type leaf struct {
	path  []side
	rows  []int32 // ascending
	terms []int   // indices of frame.terms, at most one of a column of numbers, the most useful first
}

type tree []leaf

// newFrame finds borders and terms.
func newFrame(s Samples) *frame {
	f := &frame{n: len(s.Y), weight: numeric.EachWeight(s.Weight, len(s.Y)), columns: make([]column, len(s.Columns)), together: s.Together}
	terms := make([][]term, len(f.columns))
	parallel.Each(len(f.columns), func(j int) {
		c := s.Columns[j]
		if c.Levels != nil {
			f.columns[j] = levelColumn(c, f.weight)
			terms[j] = levelTerms(&f.columns[j], j, f.weight)
			return
		}
		sorted := s.sorted(c)
		f.columns[j] = numberColumn(c, sorted, f.weight).placed()
		terms[j] = numberTerms(&f.columns[j], j, sorted, f.weight)
	})
	f.terms = slices.Concat(terms...)
	if len(f.terms) > mostTerms {
		f.terms = pick(f.terms, f.useful(s))
	}
	if s.Loss == nil && s.truth == nil {
		f.pure = f.pureSplit(s.Y)
	}
	return f
}

// sorted returns the values of a column of numbers by [numeric.SortedByValue], without those in place of missing cells that are a level
// beside them: borders and knots are those of the others.
func (s Samples) sorted(c Column) []float64 {
	beside := s.column(c.Name, true)
	if beside == nil || !slices.ContainsFunc(beside.Codes, func(code int) bool { return code != 0 }) {
		return numeric.SortedByValue(c.Values, s.Weight)
	}
	var values, weight []float64
	for i, v := range c.Values {
		if beside.Codes[i] != 0 {
			values, weight = append(values, v), append(weight, numeric.WeightAt(s.Weight, i))
		}
	}
	return numeric.SortedByValue(values, weight)
}

// applied is the frame of other samples with the same columns, with the borders and terms of f.
func (f *frame) applied(s Samples) *frame {
	g := &frame{n: len(s.Y), weight: numeric.EachWeight(s.Weight, len(s.Y)), columns: slices.Clone(f.columns), terms: f.terms,
		together: f.together}
	for j := range g.columns {
		c := &g.columns[j]
		c.codes = c.encode(s.Columns[j])
		c.Column = s.Columns[j]
		*c = c.placed()
	}
	return g
}

// leafOf returns the leaf of each row of f, which may be a frame of other samples than those of the tree.
func (f *frame) leafOf(t tree) []int {
	at := make([]int, f.n)
	for l, leaf := range t {
		if l == 0 {
			continue // the rest
		}
		codes := make([][]uint8, len(leaf.path))
		for k, s := range leaf.path {
			codes[k] = f.columns[s.column].codes
		}
	rows:
		for i := range at {
			for k, s := range leaf.path {
				if s.bins[codes[k][i]] == s.right {
					continue rows
				}
			}
			at[i] = l
		}
	}
	return at
}
