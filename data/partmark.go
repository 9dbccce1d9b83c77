package data

import (
	"maps"
	"slices"
	"strings"
)

// marks are the cells of a split column.
var marks = map[string]mark{"train": inTrain, "validation": inValidation, "test": inTest}

// readMark reads the cell of a split column.
func readMark(t *table, at int) (mark, error) {
	cell := strings.TrimSpace(t.cell(at))
	m, ok := marks[strings.ToLower(cell)]
	if !ok {
		return 0, t.fault(at, "column %s: %s is not a part: want train, validation or test%s",
			quote(t.header.Names[at]), quote(cell), didYouMean(cell, slices.Sorted(maps.Keys(marks))))
	}
	return m, nil
}
