package numeric

import (
	"math"
	"strconv"
	"strings"
)

// Round returns v rounded to n significant digits, or v itself if the result is not
// finite.
func Round(v float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Show formats v with at most n significant digits, of which none before the point is rounded away, or with the fewest that
// identify v among float64s if n is -1. It uses an exponent below 1e-4 and from [LargeNumber] on. Minus zero is shown as zero.
func Show(v float64, n int) string {
	text := strconv.FormatFloat(v+0, 'g', n, 64)
	if size := math.Abs(v); !strings.Contains(text, "e+") || size >= LargeNumber {
		return text
	}
	if n < 0 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// Short formats v for people, as [Show] does, from 10,000 on with separators of thousands and from a million on as in 1.37 M.
func Short(v float64, n int) string {
	if size := math.Abs(Round(v, n)); size >= 1e6 && size < LargeNumber {
		return Show(v/1e6, n) + " M"
	}
	return Grouped(Show(v, n))
}

// Grouped separates the thousands of a formatted number of five digits or more before the point, if it has no exponent.
func Grouped(number string) string {
	digits := strings.TrimLeft(number, "-\u2212")
	whole, _, _ := strings.Cut(digits, ".")
	if len(whole) < 5 || strings.Trim(whole, "0123456789") != "" {
		return number
	}
	sign := len(number) - len(digits)
	for at := sign + len(whole) - 3; at > sign; at -= 3 {
		number = number[:at] + "," + number[at:]
	}
	return number
}

// LargeNumber is the size from which on numbers are written with an exponent.
const LargeNumber = 1e9

// AppendShortest appends the fewest digits that identify v among float64s, for programs to read: Infinity is +Inf, and exponents are
// used below 1e-4 and from 1e15 on, beyond which float64s skip whole numbers.
func AppendShortest(text []byte, v float64) []byte {
	if size := math.Abs(v); size >= 1e-4 && size < 1e15 {
		return strconv.AppendFloat(text, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(text, v, 'g', -1, 64)
}

// RoundTo returns v rounded to a multiple of 10^place, or v itself if the result is not
// finite.
func RoundTo(v float64, place int) float64 {
	if place > 0 {
		unit := math.Pow10(place)
		if r := float64(math.Round(v/unit) * unit); math.Abs(r) <= math.MaxFloat64 {
			return r
		}
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', -place, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Shorten returns the number with the fewest significant digits whose relative distance
// from v is at most the tolerance.
func Shorten(v, tolerance float64) float64 {
	for n := 1; n < 17; n++ {
		if r := Round(v, n); math.Abs(r-v) <= tolerance*math.Abs(v) {
			return r
		}
	}
	return v
}

// Count formats a number of things for people, see [Grouped].
func Count(n int) string { return Grouped(strconv.Itoa(n)) }

// Counted returns a number of things, such as "1 row" or "3 rows".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + thing + "s"
}
