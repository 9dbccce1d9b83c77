package jsonform

import (
	"math"
	"strconv"
	"strings"
)

// number is a number of 64 bits.
type number float64

// MarshalJSON returns the shortest decimals that read back to the same bits, and a text for what is
// not finite. Minus zero is -0.0, which readers do not take for an integer.
func (n number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	}
	text := strconv.FormatFloat(float64(n), 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return []byte(text), nil
}

// numbers converts a list, of which nil is an empty one.
func numbers(list []float64) []number {
	converted := make([]number, len(list))
	for i, v := range list {
		converted[i] = number(v)
	}
	return converted
}

// matrix converts rows; nil stays nil.
func matrix(rows [][]float64) [][]number {
	if rows == nil {
		return nil
	}
	converted := make([][]number, len(rows))
	for i, row := range rows {
		converted[i] = numbers(row)
	}
	return converted
}
