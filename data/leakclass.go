package data

import (
	"cmp"
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"slices"
)

// How a column gives away the class, in every row.
const (
	namesClass = iota + 1 // one value for each class
	givesClass            // one class for each value, of which each has some ten rows
	partsClass            // a range of values for each class
)

// classLeaks returns the columns that determine the class. Columns with missing values are skipped.
func classLeaks(d *Dataset) (leaks []Leak) {
	if d.Len() < leakRows {
		return nil
	}
	at := 0
	for _, c := range d.Schema.Columns {
		if how := classGivenBy(d.Y, cells(d, c, at)); how != 0 && (how != partsClass || c.Encoding == table.Numeric) {
			leaks = append(leaks, Leak{Columns: []string{c.Name}, target: d.Schema.Target, class: how})
		}
		at += c.Width()
	}
	return leaks
}

// cells returns a number for each cell of a column that begins with a feature: its value, or that of its level.
func cells(d *Dataset, c table.Column, at int) []float64 {
	if c.Encoding != table.OneHot {
		return feature(d, at)
	}
	values := make([]float64, d.Len())
	for i, row := range d.X {
		values[i] = float64(slices.Index(row[at:at+c.Width()], 1))
		if math.IsNaN(row[at]) {
			values[i] = math.NaN()
		}
	}
	return values
}

// classGivenBy returns how values determine the classes y; 0 if they do not.
func classGivenBy(y, values []float64) int {
	order := inOrder(len(y))
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(values[i], values[j]), cmp.Compare(y[i], y[j])) })
	if math.IsNaN(values[order[0]]) {
		return 0
	}
	classes, different, changes := map[float64]bool{y[order[0]]: true}, 1, 0
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		if values[i] != values[j] {
			different++
		} else if y[i] != y[j] {
			return 0
		}
		if classes[y[j]] = true; y[i] != y[j] {
			changes++
		}
	}
	switch {
	case len(classes) < 2:
		return 0
	case different == len(classes):
		return namesClass
	case leakValues*different <= len(y):
		return givesClass
	case len(y) >= monotoneRows && changes == len(classes)-1:
		return partsClass
	}
	return 0
}
