package table

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// isWord reports whether a trimmed cell can only be the level of a category: it begins with a letter and does not denote
// a number.
func IsWord(cell string) bool {
	first, _ := utf8.DecodeRuneInString(cell)
	return unicode.IsLetter(first) && !isInfinite(cell)
}

func isInfinite(cell string) bool {
	lower := strings.ToLower(strings.TrimLeft(cell, "+-"))
	return lower == "inf" || lower == "infinity"
}

// What to do about a cell that is not a number.
const (
	OfFeature = "or ignore the column (data.ignore), or code it (data.categorical)" // if it is a word
	ofNumber  = "or list it in data.na if it marks a missing value"
	ofMark    = ofNumber + ", or code the column (data.categorical)" // if it is neither a number nor a word, in a feature
	ofTarget  = ofNumber + ", or set task: classification to predict classes"
)

// whyNotNumber describes what is wrong with a trimmed cell that parseNumber refuses, and the remedy for a column of its kind.
func WhyNotNumber(cell, remedy string) string {
	problem := escape.Quote(cell) + " is not a plain decimal number"
	switch _, err := strconv.ParseFloat(cell, 64); {
	case isInfinite(cell):
		return escape.Quote(cell) + " is not finite"
	case err != nil && err.(*strconv.NumError).Err == strconv.ErrRange:
		return escape.Quote(cell) + " is beyond the range of a 64-bit number"
	}
	mark := strings.IndexByte(cell, ',')
	switch _, comma := ParseComma(cell); {
	case comma && grouped(cell, mark):
		return eitherMark(cell, "comma")
	case Thousands.MatchString(cell):
		return escape.Quote(cell) + " has thousands separators: write it without them"
	case comma:
		return problem + ": is the comma a decimal point? Write a point"
	}
	if _, ok := ParseNumber(separators.Replace(cell)); ok {
		return problem + ": write it without separators"
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return problem + ": write it in decimal" // hexadecimal
	}
	if remedy == OfFeature && !IsWord(cell) {
		remedy = ofMark
	}
	return problem + ": correct it, " + remedy
}

// separators removes what separates digits.
var separators = strings.NewReplacer("_", "", ",", "", " ", "", "'", "", "\u00a0", "")
