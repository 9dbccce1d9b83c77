package text

import (
	"math"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

// figure formats a number with five significant digits.
func figure(v float64) string { return digits.Show(v, 5) }

// setting formats the value of a setting with four significant digits.
func setting(v float64) string { return digits.Show(v, 4) }

// r2 formats R² with four decimals, very large values as figure does, and no minus before a
// zero.
func r2(v float64) string {
	if math.Abs(v) >= 1e6 {
		return figure(v)
	}
	return strconv.FormatFloat(math.Round(v*1e4)/1e4+0, 'f', 4, 64)
}

// percent formats a share in percent with one decimal.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }
