package table

import (
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/suggest"
)

// marks are the cells of a split column.
var marks = map[string]Mark{"train": InTrain, "validation": InValidation, "test": InTest}

// readMark reads the cell of a split column.
func readMark(t *Cursor, at int) (Mark, error) {
	cell := strings.TrimSpace(t.Cell(at))
	m, ok := marks[strings.ToLower(cell)]
	if !ok {
		return 0, t.Fault(at, "column %s: %s is not a part: want train, validation or test%s",
			escape.Quote(t.Header.Names[at]), escape.Quote(cell), suggest.Hint(cell, slices.Sorted(maps.Keys(marks))))
	}
	return m, nil
}

// mark is the part a row belongs to.
type Mark uint8

const (
	InTrain Mark = iota
	InValidation
	InTest
)
