package graph

import (
	"fmt"
	"math"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
		if _, err := fmt.Sscanf(name, "Repeat%d", &axis); err == nil && axis < out.Shape().Dims() && in[0].Shape().Dims() == out.Shape().Dims() && in[0].Shape()[axis] == 1 {
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
