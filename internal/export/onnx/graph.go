package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// graph builds a GraphProto: its tensors, nodes in the order of computation, inputs and outputs.
// Values are referred to by name.
type graph struct {
	tensors
	ml bool // operators of mlDomain are used
}

// mlDomain is the domain of the operators of classical machine learning.
const mlDomain = "ai.onnx.ml"

// Fields of GraphProto, and of NodeProto.
const (
	graphNode, graphName, graphInput, graphOutput                            int = 1, 2, 11, 12
	nodeInput, nodeOutput, nodeName, nodeOperator, nodeAttribute, nodeDomain int = 1, 2, 3, 4, 5, 7
)

// op adds a node of an operator without attributes and returns its output.
func (g *graph) op(operator string, inputs ...string) string { return g.node(operator, inputs) }

// node adds a node of an operator with one output, and returns that.
func (g *graph) node(operator string, inputs []string, attributes ...message) string {
	return g.add("", operator, inputs, g.unique(operator), attributes)
}

// add adds a node of an operator of the domain, which is empty or mlDomain, and returns its output.
func (g *graph) add(domain, operator string, inputs []string, output string, attributes []message) string {
	var n message
	for _, name := range inputs {
		n.text(nodeInput, name)
	}
	n.text(nodeOutput, output)
	n.text(nodeName, output)
	n.text(nodeOperator, operator)
	for _, a := range attributes {
		n.bytes(nodeAttribute, a)
	}
	if domain != "" {
		n.text(nodeDomain, domain)
		g.ml = true
	}
	g.bytes(graphNode, n)
	return output
}

// input declares an input [N, width] and returns its name.
func (g *graph) input(name string, of dataType, width int, doc string) string {
	name = g.unique(name)
	g.bytes(graphInput, valueInfo(name, of, []int{width}, doc))
	return name
}

// output declares an output of the value, of N rows of the given dimensions, and returns its name.
func (g *graph) output(name, value string, of dataType, dims []int, doc string) string {
	name = g.unique(name)
	g.bytes(graphOutput, valueInfo(name, of, dims, doc))
	return g.add("", "Identity", []string{value}, name, nil)
}

// valueInfo returns a ValueInfoProto (name 1, type 2, doc 3) of a tensor (type 1, shape 2) [N, dims...]
// for any N.
func valueInfo(name string, of dataType, dims []int, doc string) message {
	var info, typ, tensor, shape, any message
	any.text(2, "N")
	shape.bytes(1, any)
	for _, d := range dims {
		var dim message
		dim.integer(1, int64(d))
		shape.bytes(1, dim)
	}
	tensor.integer(1, int64(of))
	tensor.bytes(2, shape)
	typ.bytes(1, tensor)
	info.text(1, name)
	info.bytes(2, typ)
	info.text(3, doc)
	return info
}

// tensors builds the initializers of a GraphProto, and gives all its values their names.
type tensors struct {
	message
	real    dataType          // of numbers
	names   export.Names      // of all values
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

// unique returns the name, with a number if it is taken.
func (t *tensors) unique(name string) string { return t.names.Free(name, export.Exact) }

// largest returns the largest finite number of the graph's type.
func (t *tensors) largest() float64 {
	if t.real == floatType {
		return math.MaxFloat32
	}
	return math.MaxFloat64
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

// message is a protocol buffer in its wire format: fields, each a key, which is the field's number
// and the encoding of its value, and the value.
type message []byte

// Encodings of values.
const (
	varint  = 0
	chunk   = 2 // a length, and so many bytes
	fixed32 = 5
)

func (m *message) key(field, encoding int) {
	*m = binary.AppendUvarint(*m, uint64(field)<<3|uint64(encoding))
}

func (m *message) integer(field int, v int64) {
	m.key(field, varint)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) float(field int, v float32) {
	m.key(field, fixed32)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}

func (m *message) bytes(field int, v []byte) {
	m.key(field, chunk)
	*m = append(binary.AppendUvarint(*m, uint64(len(v))), v...)
}

// text writes a string, in which bytes that are not UTF-8 are replaced: readers refuse them.
func (m *message) text(field int, v string) {
	m.bytes(field, []byte(strings.ToValidUTF8(v, "\uFFFD")))
}

// Fields of AttributeProto and values of its type.
const (
	attributeName, attributeFloat, attributeInt, attributeFloats, attributeInts, attributeStrings, attributeType = 1, 2, 3, 7, 8, 9, 20
	typeFloat, typeInt, typeFloats, typeInts, typeStrings                                                        = 1, 2, 6, 7, 8
)

func newAttribute(name string, of int64) message {
	var a message
	a.text(attributeName, name)
	a.integer(attributeType, of)
	return a
}

func intAttribute(name string, v int64) message {
	a := newAttribute(name, typeInt)
	a.integer(attributeInt, v)
	return a
}

// where returns a where the condition holds, else b.
func (g *graph) where(condition, a, b string) string { return g.op("Where", condition, a, b) }

// reduce returns the maximum or minimum of x over an axis, which is kept. The axis is not negative:
// onnxruntime does not reduce a negative one of zero rows.
func (g *graph) reduce(operator, x string, axis int64) string {
	axes := newAttribute("axes", typeInts)
	axes.integer(attributeInts, axis)
	return g.node(operator, []string{x}, axes)
}

// sum returns the sum of x over an axis, which is kept if so.
func (g *graph) sum(x string, axis int, keep int64) string {
	return g.node("ReduceSum", []string{x, g.integers("axes", axis)}, intAttribute("keepdims", keep))
}

// columns returns columns of x [N, ...].
func (g *graph) columns(x string, at ...int) string {
	return g.node("Gather", []string{x, g.integers("columns", at...)}, intAttribute("axis", 1))
}

// concat returns values [N, ...] side by side.
func (g *graph) concat(values ...string) string {
	if len(values) == 1 {
		return values[0]
	}
	return g.node("Concat", values, intAttribute("axis", 1))
}

// cast converts x.
func (g *graph) cast(x string, to dataType) string {
	return g.node("Cast", []string{x}, intAttribute("to", int64(to)))
}

// finite reports whether all of x [N, K] are finite: a truth [N, 1].
func (g *graph) finite(x string) string {
	return g.all(g.op("LessOrEqual", g.op("Abs", x), g.scalar(g.largest())))
}

// all returns whether all of each row of x [N, .] hold, [N, 1].
func (g *graph) all(x string) string {
	return g.cast(g.reduce("ReduceMin", g.cast(x, g.real), 1), boolType)
}

// limit returns x within low and high, which are numbers or rows of them.
func (g *graph) limit(x, low, high string) string { return g.op("Max", low, g.op("Min", high, x)) }
