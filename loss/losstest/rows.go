package losstest

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/loss"
)

// rows is a Builder whose terms are the rows [C] of one sample, []float64; a constant is a
// row of one element.
type rows struct{}

// each applies f to the elements of two rows, of which a constant is repeated.
func each(a, b loss.Term, f func(a, b float64) float64) loss.Term {
	x, y := a.([]float64), b.([]float64)
	v := make([]float64, max(len(x), len(y)))
	for c := range v {
		v[c] = f(x[min(c, len(x)-1)], y[min(c, len(y)-1)])
	}
	return v
}

// one applies f to the elements of a row.
func one(a loss.Term, f func(v float64) float64) loss.Term {
	return each(a, a, func(v, _ float64) float64 { return f(v) })
}

func (rows) Const(v float64) loss.Term { return []float64{v} }

func (rows) Add(a, b loss.Term) loss.Term {
	return each(a, b, func(a, b float64) float64 { return a + b })
}
func (rows) Sub(a, b loss.Term) loss.Term {
	return each(a, b, func(a, b float64) float64 { return a - b })
}
func (rows) Mul(a, b loss.Term) loss.Term {
	return each(a, b, func(a, b float64) float64 { return a * b })
}
func (rows) Div(a, b loss.Term) loss.Term {
	return each(a, b, func(a, b float64) float64 { return a / b })
}
func (rows) Min(a, b loss.Term) loss.Term { return each(a, b, math.Min) }
func (rows) Max(a, b loss.Term) loss.Term { return each(a, b, math.Max) }

func (rows) Neg(a loss.Term) loss.Term    { return one(a, func(v float64) float64 { return -v }) }
func (rows) Square(a loss.Term) loss.Term { return one(a, func(v float64) float64 { return v * v }) }
func (rows) Exp(a loss.Term) loss.Term    { return one(a, math.Exp) }
func (rows) Log(a loss.Term) loss.Term    { return one(a, math.Log) }
func (rows) Sqrt(a loss.Term) loss.Term   { return one(a, math.Sqrt) }
func (rows) Abs(a loss.Term) loss.Term    { return one(a, math.Abs) }
func (rows) Tanh(a loss.Term) loss.Term   { return one(a, math.Tanh) }
func (rows) Cos(a loss.Term) loss.Term    { return one(a, math.Cos) }
func (rows) Relu(a loss.Term) loss.Term {
	return one(a, func(v float64) float64 { return math.Max(v, 0) })
}
func (rows) Sigmoid(a loss.Term) loss.Term {
	return one(a, func(v float64) float64 { return 1 / (1 + math.Exp(-v)) })
}

func (rows) RowMeans(v loss.Term) loss.Term {
	row := v.([]float64)
	return slices.Repeat([]float64{total(row) / float64(len(row))}, len(row))
}

func (rows) RowMax(v loss.Term) loss.Term {
	row := v.([]float64)
	return slices.Repeat([]float64{slices.Max(row)}, len(row))
}

func (rows) Row(row []float64, like loss.Term) loss.Term {
	if len(row) != len(like.([]float64)) {
		panic("a row of another length")
	}
	return row
}

// total returns the sum of a row.
func total(row []float64) float64 {
	sum := 0.0
	for _, v := range row {
		sum += v
	}
	return sum
}
