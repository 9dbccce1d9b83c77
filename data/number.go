package data

import "strconv"

// parseNumber reads a trimmed cell as a plain finite decimal: an optional sign, digits with an optional point, an
// optional exponent. What underflows is 0 or denormal; what overflows is not a number.
func parseNumber(cell string) (float64, bool) {
	if v, ok := parseShort(cell); ok {
		return v, true
	}
	for i := range len(cell) {
		switch b := cell[i]; {
		case '0' <= b && b <= '9', b == '.', b == '-', b == '+', b == 'e', b == 'E':
		default:
			return 0, false // no hexadecimal, no underscore, no NaN, no Inf
		}
	}
	v, err := strconv.ParseFloat(cell, 64)
	return v, err == nil
}

// powersOfTen are those that a float64 holds exactly, as far as parseShort needs them.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// parseShort reads the common number in one pass: at most 19 digits, less than 2^53 without the point, no exponent.
// Digits and power of ten are exact, so their quotient is the nearest float64 (Clinger 1990), as in strconv.
func parseShort(cell string) (v float64, ok bool) {
	digits := cell
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		digits = cell[1:]
	}
	if len(digits) > 20 {
		return 0, false
	}
	whole, point := uint64(0), -1
	for i := range len(digits) {
		b := digits[i] - '0'
		switch {
		case b <= 9:
			whole = 10*whole + uint64(b)
		case digits[i] == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	count, decimals := len(digits), 0
	if point >= 0 {
		count--
		decimals = count - point
	}
	if count == 0 || count > 19 || whole >= 1<<53 {
		return 0, false
	}
	v = float64(whole) / powersOfTen[decimals]
	if cell[0] == '-' {
		v = -v
	}
	return v, true
}
