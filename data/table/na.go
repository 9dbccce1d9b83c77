package table

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// NA lists texts that mark a missing value as blank cells do, by column; those of "*" do in all columns. In a numeric
// column a text that is a number marks that number however it is written: "-200" also -200.0.
type NA map[string][]string

const allColumns = "*"

// validate checks the texts.
func (na NA) validate() error {
	for _, column := range slices.Sorted(maps.Keys(na)) {
		for _, text := range na[column] {
			if err := checkName(text); err != nil {
				return fmt.Errorf("%s: a text that marks missing values: %w", escape.Quote(column), err)
			}
		}
	}
	return nil
}

// columns are the columns that are named.
func (na NA) columns() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(na)), func(name string) bool { return name == allColumns })
}

// of returns what marks missing values in a column; nil: nothing does.
func (na NA) of(column string) *markers {
	texts := slices.Concat(na[column], na[allColumns])
	if len(texts) == 0 {
		return nil
	}
	m := &markers{texts: texts}
	for _, text := range texts {
		v, ok := ParseNumber(text)
		if !ok {
			v, ok = ParseComma(text)
		}
		if ok {
			m.numbers = append(m.numbers, v)
		}
	}
	return m
}

// Marks returns the texts, sorted and without repetitions, and the numbers that mark a missing value in a column.
func (na NA) Marks(column string) (texts []string, numbers []float64) {
	m := na.of(column)
	if m == nil {
		return nil, nil
	}
	slices.Sort(m.texts)
	return slices.Compact(m.texts), m.numbers
}

// markers mark the missing values of a column; nil marks none.
type markers struct {
	texts   []string
	numbers []float64
}

func (m *markers) text(cell string) bool { return m != nil && slices.Contains(m.texts, cell) }

// numberOf reports whether a cell is a number that is marked.
func (m *markers) numberOf(cell string) bool {
	v, ok := ParseNumber(cell)
	return ok && m.number(v)
}

func (m *markers) number(v float64) bool { return m != nil && slices.Contains(m.numbers, v) }
