// Package pages finds the page of a table: a small partition of the rows by a tree of linear models with sparse, centred
// leaves, and a few tables of single columns, all with round numbers (see [page.Page]).
package pages

import "github.com/tskgraph/tskgraph/page"

// Samples are the rows of a training part, N of them.
type Samples struct {
	Columns []Column
	Y       []float64 // [N]
	Weight  []float64 // [N], all positive and of mean one; nil: all one
	Folds   []Fold    // of cross-validation, such as those of groups or of time; nil: FoldCount of them at random

	Target, Unit string
}

// Fold is a fold of cross-validation: the rows to train on, and those held out, ascending.
type Fold struct{ Train, Held []int }

// Column is an input column: numbers, or levels.
type Column struct {
	Name, Unit string
	Values     []float64 // [N] of numbers, all finite
	Levels     []string  // of a category
	Ordered    bool      // whether the levels have an order, in which they are split
	Codes      []int     // [N] of a category: the index of the level, len(Levels) for a cell that is none of them
}

// Options are the limits of a page.
type Options struct {
	Numbers    int     // page.Numbers at most
	Rules      int     // at most
	Conditions int     // of a rule at most, on different columns
	Terms      int     // of a rule at most
	Low, High  float64 // limits of the value; infinite: the range of Y, extended by a twentieth on either side, but not below zero if Y is not
	Seed       uint64  // of the folds of cross-validation
}

// Size is a size of page that cross-validation compared.
type Size = page.Size

// Found is the page of a table.
type Found struct {
	Page  *page.Page
	Sizes []Size // the best of each number of numbers, with less error than all smaller ones, ascending
}
