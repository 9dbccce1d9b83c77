package onnx

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
