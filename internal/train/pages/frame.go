package pages

import "context"

// frame is a training part as the search sees it: candidate terms, and columns in bins.
type frame struct {
	n       int
	weight  []float64   // [n], of mean one
	columns []column    // those of the samples, in their order
	terms   []term      // P candidates, those of one column side by side
	z       [][]float64 // [P][n] the terms' values less their mean, over their standard deviation; of a level 0 or 1
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
	distinct int // numbers of different values, of a category with all bins that are not empty
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
func newFrame(s Samples, o Options) *frame {
	return &frame{n: len(s.Y), weight: s.Weight}
}

// applied is the frame of other samples with the same columns, with the borders and terms of f.
func (f *frame) applied(s Samples) *frame {
	return &frame{n: len(s.Y), weight: s.Weight, columns: f.columns, terms: f.terms}
}

// trees finds the best trees of 1, 2, ... at most o.Rules leaves for the target y [n] of mean zero and variance one; there are fewer if
// no split helps. If ctx ends, the error is that of ctx.
func (f *frame) trees(ctx context.Context, y []float64, o Options) ([]tree, error) {
	return nil, ctx.Err()
}

// selectTerms selects at most o.Terms terms of a leaf with these rows, forwards, the most useful first.
func (f *frame) selectTerms(y []float64, rows []int32, o Options) []int { return nil }

// leafOf returns the leaf of each row of f, which may be a frame of other samples than those of the tree.
func (f *frame) leafOf(t tree) []int {
	at := make([]int, f.n)
	for l, leaf := range t {
	rows:
		for i := range f.n {
			for _, s := range leaf.path {
				if s.bins[f.columns[s.column].codes[i]] == s.right {
					continue rows
				}
			}
			at[i] = l
		}
	}
	return at
}
