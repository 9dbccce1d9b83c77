// Package rowterms evaluates the expressions of shapes, losses and t-norms: its terms are rows of numbers.
package rowterms

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Builder is a membership.Builder and loss.Builder whose terms are the rows [C] of one sample, []float64; a number is a
// row of one element, which is repeated.
type Builder struct{}

// Number returns the term of a number.
func Number(v float64) any { return []float64{v} }

// Numbers returns the terms of numbers.
func Numbers(all []float64) []any {
	t := make([]any, len(all))
	for i, v := range all {
		t[i] = Number(v)
	}
	return t
}

// Sum returns the sum of a row, of a number the number.
func Sum(t any) float64 {
	sum := 0.0
	for _, v := range t.([]float64) {
		sum += v
	}
	return sum
}

// each applies f to the elements of two rows.
func each(a, b any, f func(a, b float64) float64) any {
	x, y := a.([]float64), b.([]float64)
	v := make([]float64, max(len(x), len(y)))
	for c := range v {
		v[c] = f(x[min(c, len(x)-1)], y[min(c, len(y)-1)])
	}
	return v
}

// one applies f to the elements of a row.
func one(a any, f func(v float64) float64) any {
	return each(a, a, func(v, _ float64) float64 { return f(v) })
}

func (Builder) Const(v float64) any { return Number(v) }

func (Builder) Add(a, b any) any { return each(a, b, func(a, b float64) float64 { return a + b }) }
func (Builder) Sub(a, b any) any { return each(a, b, func(a, b float64) float64 { return a - b }) }
func (Builder) Mul(a, b any) any { return each(a, b, func(a, b float64) float64 { return a * b }) }
func (Builder) Div(a, b any) any { return each(a, b, func(a, b float64) float64 { return a / b }) }
func (Builder) Min(a, b any) any { return each(a, b, math.Min) }
func (Builder) Max(a, b any) any { return each(a, b, math.Max) }

func (Builder) Neg(a any) any    { return one(a, func(v float64) float64 { return -v }) }
func (Builder) Square(a any) any { return one(a, func(v float64) float64 { return v * v }) }
func (Builder) Exp(a any) any    { return one(a, numeric.Exp) }
func (Builder) Log(a any) any    { return one(a, math.Log) }
func (Builder) Sqrt(a any) any   { return one(a, math.Sqrt) }
func (Builder) Abs(a any) any    { return one(a, math.Abs) }
func (Builder) Relu(a any) any   { return one(a, func(v float64) float64 { return math.Max(v, 0) }) }
func (Builder) Tanh(a any) any   { return one(a, numeric.Tanh) }
func (Builder) Sigmoid(a any) any {
	return one(a, func(v float64) float64 { return 1 / (1 + numeric.Exp(-v)) })
}
func (Builder) Cos(a any) any { return one(a, numeric.Cos) }

// RowMeans is described at loss.Builder.
func (Builder) RowMeans(v any) any {
	row := v.([]float64)
	return slices.Repeat([]float64{Sum(row) / float64(len(row))}, len(row))
}

// RowMax is described at loss.Builder.
func (Builder) RowMax(v any) any {
	row := v.([]float64)
	return slices.Repeat([]float64{slices.Max(row)}, len(row))
}

// Row is described at loss.Builder.
func (Builder) Row(row []float64, like any) any {
	if len(row) != len(like.([]float64)) {
		panic("rowterms: a row of another length")
	}
	return row
}
