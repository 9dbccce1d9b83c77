package layers

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// op is a Gorgonia operation made of a kernel and its slices. It owns its output, which
// every run overwrites, so that runs do not allocate. An op belongs to one node and must
// not run concurrently.
type op struct {
	name  string
	id    uint64 // unique, so that Gorgonia does not merge nodes
	shape tensor.Shape
	typ   hm.Type

	value gorgonia.Value // the output
	cells []float64      // its elements

	in  [][]float64 // the inputs' elements in the current run
	run func(in [][]float64)

	wrt  []bool // the inputs that it is differentiable by
	diff func(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes
}

var (
	_   gorgonia.SDOp = (*op)(nil)
	ops atomic.Uint64
)

// newOp returns an op with an output of the given shape, a scalar if there is none. Its
// run writes to cells.
func newOp(name string, shape ...int) *op {
	o := &op{name: name, id: ops.Add(1), shape: tensor.Shape(shape)}
	if len(shape) == 0 {
		o.shape = tensor.ScalarShape()
		v := new(gorgonia.F64)
		o.value, o.cells = v, scalar(v)
		return o
	}
	t := tensor.New(tensor.WithShape(shape...), tensor.Of(tensor.Float64))
	o.value, o.cells = t, t.Float64s()
	return o
}

// scalar returns the cell of a scalar value.
func scalar(v *gorgonia.F64) []float64 { return unsafe.Slice((*float64)(v), 1) }

// apply makes the node of an op.
func (b *Builder) apply(o *op, inputs ...node) node {
	return b.do(func() (node, error) {
		types := make([]hm.Type, 0, len(inputs)+1)
		for _, n := range inputs {
			types = append(types, n.Type())
		}
		var out hm.Type = tensor.Float64
		if len(o.shape) > 0 {
			out = gorgonia.TensorType{Dims: len(o.shape), Of: tensor.Float64}
		}
		o.typ, o.in = hm.NewFnType(append(types, out)...), make([][]float64, len(inputs))
		n, err := gorgonia.ApplyOp(o, inputs...)
		if err == nil && n.Op() != gorgonia.Op(o) {
			err = fmt.Errorf("layers: %s: Gorgonia merged its node with another one, %v", o.name, n)
		}
		return n, err
	})
}

// part makes a node for a further output of another node's op, which writes o's cells.
func (b *Builder) part(o *op, of node) node { return b.apply(o, of) }

// Do runs the op.
func (o *op) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	if len(inputs) != len(o.in) {
		return nil, fmt.Errorf("layers: %s needs %d inputs, got %d", o.name, len(o.in), len(inputs))
	}
	if o.run == nil {
		return o.value, nil
	}
	for i, v := range inputs {
		switch v := v.(type) {
		case *tensor.Dense:
			if v.RequiresIterator() {
				return nil, fmt.Errorf("layers: %s: input %d is not contiguous", o.name, i)
			}
			o.in[i] = v.Float64s()
		case *gorgonia.F64:
			o.in[i] = scalar(v)
		default:
			return nil, fmt.Errorf("layers: %s: input %d is a %T", o.name, i, v)
		}
	}
	o.run(o.in)
	return o.value, nil
}

// SymDiff makes the nodes of the gradients by the inputs.
func (o *op) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	b := &Builder{}
	grads := o.diff(b, inputs, output, grad)
	return grads, b.Err()
}

// DiffWRT reports which inputs the op is differentiable by.
func (o *op) DiffWRT(inputs int) []bool {
	if o.wrt == nil {
		return make([]bool, inputs)
	}
	return slices.Clone(o.wrt)
}

func (o *op) Arity() int                                            { return len(o.in) }
func (o *op) Type() hm.Type                                         { return o.typ }
func (o *op) ReturnsPtr() bool                                      { return true }
func (o *op) OverwritesInput() int                                  { return -1 }
func (o *op) CallsExtern() bool                                     { return false }
func (o *op) String() string                                        { return o.name }
func (o *op) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) { return o.shape.Clone(), nil }

// WriteHash writes the unique identity of the op.
func (o *op) WriteHash(h hash.Hash) {
	h.Write([]byte("tskgraph"))
	h.Write(binary.LittleEndian.AppendUint64(nil, o.id))
}

func (o *op) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}
