package graph

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// loop computes an operation of Gorgonia in allocated memory, with the same bits except for
// the sign of zeros. Gorgonia's own implementation clones an input first.
type loop func(dst []float64, in [][]float64)

// loopOf returns the loop of an operation for values of these shapes, or nil if there is
// none and Gorgonia's implementation must be used. It identifies operations by name, since
// their types are not exported.
func loopOf(op gorgonia.Op, in []gorgonia.Value, out gorgonia.Value) loop {
	switch name := fmt.Sprint(op); fmt.Sprintf("%T", op) {
	case "gorgonia.elemBinOp":
		return binaryLoopOf(name, in[0].Shape(), in[1].Shape())
	case "gorgonia.elemUnaryOp":
		if f := unaryLoops[name]; f != nil {
			return func(dst []float64, in [][]float64) { f(dst, in[0][:len(dst)]) }
		}
	case "*gorgonia.repeatOp":
		var axis int
		if _, err := fmt.Sscanf(name, "Repeat%d", &axis); err == nil && axis < out.Shape().Dims() &&
			in[0].Shape().Dims() == out.Shape().Dims() && in[0].Shape()[axis] == 1 {
			inner := out.Shape()[axis+1:].TotalSize()
			return func(dst []float64, in [][]float64) { repeat(dst, in[0], out.Shape()[axis], inner) }
		}
	case "gorgonia.sumOp":
		var axis int
		if _, err := fmt.Sscanf(name, "Σ[%d]", &axis); err == nil && axis < in[0].Shape().Dims() {
			along, inner := in[0].Shape()[axis], in[0].Shape()[axis+1:].TotalSize()
			return func(dst []float64, in [][]float64) { sumAlong(dst, in[0], along, inner) }
		}
	case "gorgonia.sliceIncrOp":
		var from, to int
		if _, err := fmt.Sscanf(name, "T[%d:%d:", &from, &to); err == nil {
			inner := out.Shape()[1:].TotalSize()
			return func(dst []float64, in [][]float64) {
				clear(dst)
				copy(dst[from*inner:to*inner], in[1])
			}
		}
	case "gorgonia.concatOp":
		if name == "Concat(axis=0)" {
			return func(dst []float64, in [][]float64) {
				for _, part := range in {
					dst = dst[copy(dst, part):]
				}
			}
		}
	}
	return nil
}

// binaryLoopOf returns the loop of an elementwise operation of arrays of shapes x and y.
func binaryLoopOf(name string, x, y tensor.Shape) loop {
	operator, same, _ := strings.Cut(name, " ")
	f, ok := binaryLoops[operator]
	switch compares := operator == ">" || operator == "=="; {
	case !ok || compares != (same == "true"):
		return nil
	case x.IsScalar():
		return func(dst []float64, in [][]float64) { f.scalarLeft(dst, in[0][0], in[1]) }
	case y.IsScalar():
		return func(dst []float64, in [][]float64) { f.scalarRight(dst, in[0], in[1][0]) }
	case x.Eq(y):
		return func(dst []float64, in [][]float64) { f.elements(dst, in[0], in[1]) }
	}
	return nil
}

// cells returns the elements of a value in the order of their indices, or nil if they are
// not contiguous in that order. It stores a scalar in room.
func cells(v gorgonia.Value, room []float64) []float64 {
	switch v := v.(type) {
	case *gorgonia.F64:
		room[0] = float64(*v)
		return room
	case *tensor.Dense:
		if v.Dtype() != tensor.Float64 || v.RequiresIterator() || v.DataOrder().IsColMajor() {
			return nil
		}
		if v.IsScalar() {
			room[0] = v.Data().(float64)
			return room
		}
		if all := v.Float64s(); len(all) == v.Shape().TotalSize() {
			return all
		}
	}
	return nil
}

// binaryLoop is a binary operation on two arrays, or on an array and a number.
type binaryLoop struct {
	elements    func(dst, x, y []float64)
	scalarLeft  func(dst []float64, x float64, y []float64)
	scalarRight func(dst, x []float64, y float64)
}

var binaryLoops = map[string]binaryLoop{
	"+": {add, func(dst []float64, x float64, y []float64) { addScalar(dst, y, x) }, addScalar},
	"-": {subtract, subtractFrom, func(dst, x []float64, y float64) { addScalar(dst, x, -y) }},
	"⊙": {multiply, func(dst []float64, x float64, y []float64) { scale(dst, y, x) }, scale},
	"÷": {divide, divideBy, func(dst, x []float64, y float64) {
		for i, v := range x {
			dst[i] = v / y
		}
	}},
	">": {greater, func(dst []float64, x float64, y []float64) {
		for i, v := range y {
			dst[i] = oneIf(x > v)
		}
	}, func(dst, x []float64, y float64) {
		for i, v := range x {
			dst[i] = oneIf(v > y)
		}
	}},
	"==": {equal, func(dst []float64, x float64, y []float64) { equalTo(dst, y, x) }, equalTo},
}

var unaryLoops = map[string]func(dst, x []float64){
	"neg": func(dst, x []float64) {
		for i, v := range x {
			dst[i] = -v
		}
	},
	"square": func(dst, x []float64) { multiply(dst, x, x) },
	"exp":    each(numeric.Exp),
	"ln":     each(math.Log),
	"sqrt":   each(math.Sqrt),
	"abs":    each(math.Abs),
	"tanh":   each(numeric.Tanh),
	"cos":    each(numeric.Cos),
	"sin":    each(numeric.Sin),
}

func each(f func(float64) float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

func add(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v + y[i]
	}
}

func addScalar(dst, x []float64, y float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v + y
	}
}

func subtract(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v - y[i]
	}
}

func subtractFrom(dst []float64, x float64, y []float64) {
	dst = dst[:len(y)]
	for i, v := range y {
		dst[i] = x - v
	}
}

func multiply(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v * y[i]
	}
}

func scale(dst, x []float64, y float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = v * y
	}
}

func divide(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = v / y[i]
	}
}

func divideBy(dst []float64, x float64, y []float64) {
	dst = dst[:len(y)]
	for i, v := range y {
		dst[i] = x / v
	}
}

func greater(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = oneIf(v > y[i])
	}
}

func equal(dst, x, y []float64) {
	dst, y = dst[:len(x)], y[:len(x)]
	for i, v := range x {
		dst[i] = oneIf(v == y[i])
	}
}

func equalTo(dst, x []float64, y float64) {
	dst = dst[:len(x)]
	for i, v := range x {
		dst[i] = oneIf(v == y)
	}
}

func oneIf(condition bool) float64 {
	if condition {
		return 1
	}
	return 0
}

// repeat repeats each run of inner elements of x times.
func repeat(dst, x []float64, times, inner int) {
	for ; len(x) > 0; x = x[inner:] {
		if inner == 1 {
			for i := range dst[:times] {
				dst[i] = x[0]
			}
			dst = dst[times:]
			continue
		}
		for range times {
			copy(dst, x[:inner])
			dst = dst[inner:]
		}
	}
}

// sumAlong sums runs of along rows of inner elements of x.
func sumAlong(dst, x []float64, along, inner int) {
	for ; len(dst) > 0; dst = dst[inner:] {
		if inner == 1 {
			sum := x[0]
			for _, v := range x[1:along] {
				sum += v
			}
			dst[0], x = sum, x[along:]
			continue
		}
		copy(dst[:inner], x)
		x = x[inner:]
		for range along - 1 {
			add(dst[:inner], dst[:inner], x[:inner])
			x = x[inner:]
		}
	}
}
