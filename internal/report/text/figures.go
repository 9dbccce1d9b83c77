package text

import (
	"strconv"

	"github.com/tskgraph/tskgraph/internal/base/digits"
)

// figure formats a number with five significant digits.
func figure(v float64) string { return digits.Show(v, 5) }

// setting formats the value of a setting with four significant digits.
func setting(v float64) string { return digits.Show(v, 4) }

// percent formats a share in percent with one decimal.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + "%" }
