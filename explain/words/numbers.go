package words

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// near rounds a value to a power of ten between a 20th and a 200th of the spread of such values.
func near(v, spread float64) string {
	if !(spread > 0) || math.IsInf(spread, 0) {
		return number(v)
	}
	decimals := int(math.Ceil(-math.Log10(spread / 20)))
	const exact = 1 << 53 // beyond it, digits say what the number does not hold
	if decimals > 8 || decimals < -8 || math.Abs(v) >= exact*math.Pow(10, -float64(decimals)) {
		return number(v)
	}
	if decimals < 0 {
		step := math.Pow(10, float64(-decimals))
		return strconv.FormatFloat(float64(math.Round(v/step)*step)+0, 'f', -1, 64)
	}
	return trimZero(strconv.FormatFloat(v, 'f', decimals, 64))
}

// signed formats a value like near, with its sign.
func signed(v, spread float64) string {
	text := near(math.Abs(v), spread)
	if v < 0 && strings.Trim(text, "0.") != "" {
		return "-" + text
	}
	return "+" + text
}

// slight formats a value like signed, with a significant digit where near makes it zero, unless it is as small as a rounding error.
func slight(v, spread float64) string {
	text := signed(v, spread)
	if shown, err := strconv.ParseFloat(text, 64); err == nil && shown == 0 && math.Abs(v) > 1e-9*spread {
		sign := "+"
		if v < 0 {
			sign = "-"
		}
		return sign + plainly(math.Abs(v), 1)
	}
	return text
}

// trimmed removes trailing zeros after the decimal point.
func trimmed(text string) string {
	if !strings.Contains(text, ".") || strings.Contains(text, "e") {
		return text
	}
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// trimZero removes the sign of a zero.
func trimZero(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == 0 && text[0] == '-' {
		return text[1:]
	}
	return text
}

// plainly formats n significant digits, very small and large numbers with an exponent.
func plainly(v float64, n int) string {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e7) {
		return numeric.Show(v, n)
	}
	return strconv.FormatFloat(numeric.Round(v, n)+0, 'f', -1, 64)
}

// tolerance is the relative error of the numbers of a rounded model as printed. It hides
// the rounding errors of the conversion to the units of the data.
const tolerance = 1e-11

// isRounded reports whether the numbers of a model were rounded (model.round), so that they are printed with all their digits.
func isRounded(m *model.Model) bool {
	n, err := strconv.Atoi(m.Training.Options["model.round"])
	return err == nil && n > 0
}

// precision says how numbers of rules are printed.
type precision struct {
	complete bool // with all their digits
}

// figure formats a number for predictions by hand.
func (p precision) figure(v float64) string { return p.rounded(v, sixDigits(v)) }

// rounded returns v with all its digits if the model was rounded, else v as text.
func (p precision) rounded(v float64, text string) string {
	if p.complete {
		return allDigits(v)
	}
	return text
}

// sixDigits formats a number with six significant digits, enough to compute predictions by hand to some digits.
func sixDigits(v float64) string { return numeric.Show(v, 6) }

// shorten sets numbers to those that are printed, see allDigits.
func shorten(values ...*float64) {
	for _, v := range values {
		*v = numeric.Shorten(*v, tolerance)
	}
}

// allDigits formats the number with the fewest digits within the tolerance of v, very small and large numbers with an exponent.
func allDigits(v float64) string {
	v = numeric.Shorten(v, tolerance)
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e15) {
		return numeric.Show(v, -1)
	}
	return strconv.FormatFloat(v+0, 'f', -1, 64)
}

// number formats four significant digits.
func number(v float64) string { return numeric.Show(v, 4) }

// exactly formats a training value with all its digits.
func exactly(v float64) string { return numeric.Show(v, -1) }

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return text + " " + plain(unit)
}

// percent formats a probability or a share; only those of exactly zero and one are 0% and 100%.
func percent(p float64) string {
	switch {
	case p == 0 || p == 1:
		return fmt.Sprintf("%.0f%%", 100*p)
	case p > 0.995:
		return ">99%"
	case p < 0.005:
		return "<1%"
	}
	return fmt.Sprintf("%.0f%%", 100*p)
}

// percentage formats the level of a quantile, such as "2.5%".
func percentage(level float64) string { return plainly(float64(100*level), 4) + "%" }

// shareText formats a share of samples, which is a whole percentage only if it says so.
func shareText(p float64) string { return numeric.Show(float64(100*p), 3) + "%" }

// plain escapes a name from the data.
func plain(s string) string { return escape.Text(s) }

func label(name, unit string) string {
	name = plain(name)
	if unit == "" {
		return name
	}
	return name + " [" + plain(unit) + "]"
}

// listed joins words: a, b and c for the last word "and".
func listed(words []string, and string) string {
	n := len(words)
	if n == 1 {
		return words[0]
	}
	return strings.Join(words[:n-1], ", ") + " " + and + " " + words[n-1]
}

// either lists names, such as "a, b or c".
func either(names []string) string {
	var all []string
	for _, name := range names {
		all = append(all, plain(name))
	}
	return listed(all, "or")
}

// namedRules formats a list of rules: rule 3, or rules 3, 5 and 6.
func namedRules(some []int) string {
	if len(some) == 1 {
		return fmt.Sprintf("rule %d", some[0])
	}
	var all []string
	for _, n := range some {
		all = append(all, fmt.Sprint(n))
	}
	return "rules " + listed(all, "and")
}

// ruleNumbers returns the numbers of rules, from 1.
func ruleNumbers(some []int) []int {
	all := make([]int, len(some))
	for i, r := range some {
		all[i] = r + 1
	}
	return all
}

// thirdPerson returns a verb in the third person, for one thing or several.
func thirdPerson(n int, plural string) string {
	if n == 1 {
		return plural + "s"
	}
	return plural
}

// Than compares an error with another one, given their ratio: "6% more than", "8% less than", "as much as" or "3.5 times as much as".
func Than(ratio float64) string {
	percent := math.Round(100 * (ratio - 1))
	switch {
	case ratio > 1e4: // of an error that is all rounding
		return "more than 10000 times as much as"
	case ratio >= 2:
		return strconv.FormatFloat(numeric.Round(ratio, 2), 'f', -1, 64) + " times as much as"
	case percent == 0:
		return "as much as"
	case percent < 0:
		return fmt.Sprintf("%.0f%% less than", -percent)
	}
	return fmt.Sprintf("%.0f%% more than", percent)
}
