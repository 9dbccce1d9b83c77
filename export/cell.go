package export

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
)

// Encode returns the features [F] of cells, one for each column, with the conventions of
// [Feature]; NaN for a missing value. A number is written with a decimal point; what is not a
// number is missing, and so is an empty cell.
func (f *Form) Encode(cells []string) []float64 {
	row := make([]float64, len(f.Features))
	for i, c := range f.Columns {
		of := row[c.First : c.First+c.Width]
		if c.Encoding == data.Numeric {
			v, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
			if of[0] = v; err != nil {
				of[0] = math.NaN()
			}
			continue
		}
		cell := strings.TrimSpace(cells[i])
		level := slices.Index(c.Levels, cell)
		switch {
		case cell == "" || level < 0 && c.Encoding == data.Ordinal:
			for k := range of {
				of[k] = math.NaN()
			}
		case c.Encoding == data.Ordinal:
			of[0] = float64(level + 1)
		case level >= 0:
			of[level] = 1
		}
	}
	return row
}
