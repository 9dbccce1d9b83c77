package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/export"
)

// tensors builds the initializers of a GraphProto, and gives all its values their names.
type tensors struct {
	message
	real    dataType          // of numbers
	counts  map[string]int    // of taken names, the number of the last one that begins so
	scalars map[uint64]string // names, by the bits of the number
	err     error             // the first number that real cannot hold
}

// dataType is a TensorProto.DataType.
type dataType int64

const (
	floatType  dataType = 1
	int64Type  dataType = 7
	stringType dataType = 8
	boolType   dataType = 9
	doubleType dataType = 11
)

// graphInitializer is a field of GraphProto.
const graphInitializer = 5

// Fields of TensorProto.
const tensorDims, tensorType, tensorStrings, tensorName, tensorRaw = 1, 2, 6, 8, 9

func newGraph(real dataType) *graph {
	return &graph{tensors: tensors{real: real, counts: map[string]int{}, scalars: map[uint64]string{}}}
}

// unique returns the name, with a number if it is taken.
func (t *tensors) unique(name string) string {
	free := name
	for t.counts[free] > 0 {
		t.counts[name]++
		free = name + "_" + strconv.Itoa(t.counts[name])
	}
	t.counts[free]++
	return free
}

// largest returns the largest finite number of the graph's type.
func (t *tensors) largest() float64 {
	if t.real == floatType {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

// farthest returns the z-score from which on there is no prediction.
func (t *tensors) farthest() float64 {
	if t.real == floatType {
		return export.FarthestSingle
	}
	return export.Farthest
}

// tensor adds an initializer of raw little-endian data and returns its name.
func (t *tensors) tensor(name string, of dataType, raw []byte, dims ...int) string {
	name = t.unique(name)
	one := tensorHeader(name, of, dims)
	one.bytes(tensorRaw, raw)
	t.bytes(graphInitializer, one)
	return name
}

func tensorHeader(name string, of dataType, dims []int) message {
	var t message
	for _, d := range dims {
		t.integer(tensorDims, int64(d))
	}
	t.integer(tensorType, int64(of))
	t.text(tensorName, name)
	return t
}

// reals adds numbers of the graph's type.
func (t *tensors) reals(name string, values []float64, dims ...int) string {
	var raw []byte
	for _, v := range values {
		if t.real == doubleType {
			raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
			continue
		}
		if narrow := float64(float32(v)); math.IsInf(narrow, 0) && !math.IsInf(v, 0) && t.err == nil {
			t.err = fmt.Errorf("%g is too large for a number of 32 bits", v)
		}
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(v)))
	}
	return t.tensor(name, t.real, raw, dims...)
}

// row adds numbers [len(values)].
func (t *tensors) row(name string, values []float64) string {
	return t.reals(name, values, len(values))
}

// scalar adds a number once.
func (t *tensors) scalar(v float64) string {
	bits := math.Float64bits(v)
	if _, ok := t.scalars[bits]; !ok {
		t.scalars[bits] = t.reals("constant", []float64{v})
	}
	return t.scalars[bits]
}

// integers adds integers [len(values)].
func (t *tensors) integers(name string, values ...int) string {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return t.tensor(name, int64Type, raw, len(values))
}

// truths adds booleans.
func (t *tensors) truths(name string, values []bool, dims ...int) string {
	raw := make([]byte, len(values))
	for i, v := range values {
		if v {
			raw[i] = 1
		}
	}
	return t.tensor(name, boolType, raw, dims...)
}

// texts adds texts [len(values)].
func (t *tensors) texts(name string, values []string) string {
	name = t.unique(name)
	one := tensorHeader(name, stringType, []int{len(values)})
	for _, v := range values {
		one.text(tensorStrings, v)
	}
	t.bytes(graphInitializer, one)
	return name
}
