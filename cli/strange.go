package cli

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// strangeIn counts the missing cells and unknown categories of one row, as a Lenient reader encodes them.
func strangeIn(m *model.Model, x []float64, place string) data.Missing {
	row := data.Missing{Policy: "mean"}
	for _, c := range m.Schema.Columns {
		features := x[:c.Width()]
		x = x[c.Width():]
		column := map[string]int{c.Name: 1}
		switch {
		case c.Unused:
		case math.IsNaN(features[0]):
			what := "missing"
			if c.Encoding == data.Ordinal {
				what += ", or no known level"
			}
			row.Add(data.Missing{Cells: 1, Imputed: 1, Columns: column, First: fmt.Sprintf("%s: column %s: %s", place, escape.Quote(c.Name), what)})
		case c.Encoding == data.OneHot && !slices.Contains(features, 1):
			row.Add(data.Missing{Unknown: column, First: fmt.Sprintf("%s: column %s: no known category", place, escape.Quote(c.Name))})
		}
	}
	return row
}
