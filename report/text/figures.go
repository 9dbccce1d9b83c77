package text

import (
	"math"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/digits"
)

// figure shows five significant digits.
func figure(v float64) string { return digits.Show(v, 5) }

// setting shows the value of a setting, four significant digits.
func setting(v float64) string { return digits.Show(v, 4) }

// r2 shows four decimals, unless it is absurd, and no minus before a zero.
func r2(v float64) string {
	if math.Abs(v) >= 1e6 {
		return figure(v)
	}
	return strconv.FormatFloat(math.Round(v*1e4)/1e4+0, 'f', 4, 64)
}

// percent shows a share with one decimal.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }
