package onnx

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
