package export

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/scan"
)

// Blanks are the characters around a cell that do not count in any target: the white space of Unicode.
const Blanks = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// Missing returns the texts, in lower case, that mark a missing value in targets that read tables, in any case of letters.
func Missing() []string { return []string{"", "?", "na", "n/a", "nan", "null"} }

// Encode returns the features [F] of cells, one for each column, with the conventions of [Feature]; NaN for a
// missing value. [Blanks] around a cell do not count. A text that is neither a number with a decimal point nor one of
// [Missing] counts as an infinite number, which has no prediction.
func (f *Form) Encode(cells []string) []float64 {
	row := make([]float64, len(f.Features))
	for i, c := range f.Columns {
		of := row[c.First : c.First+c.Width]
		cell := strings.Trim(cells[i], Blanks)
		level := slices.Index(c.Levels, cell)
		missing := slices.Contains(Missing(), strings.ToLower(cell))
		switch {
		case missing, level < 0 && c.Encoding == data.Ordinal:
			for k := range of {
				of[k] = math.NaN()
			}
		case c.Encoding == data.Numeric:
			if of[0] = scan.Number(cell, 0, len(cell)); math.IsNaN(of[0]) {
				of[0] = math.Inf(1)
			}
		case c.Encoding == data.Ordinal:
			of[0] = float64(level + 1)
		case level >= 0:
			of[level] = 1
		}
	}
	return row
}
