package onnx

import "github.com/tskgraph/tskgraph/internal/export"

var operators = map[export.Op]string{
	export.Add: "Add", export.Sub: "Sub", export.Mul: "Mul", export.Div: "Div", export.Min: "Min", export.Max: "Max",
	export.Neg: "Neg", export.Exp: "Exp", export.Sqrt: "Sqrt", export.Abs: "Abs",
	export.Relu: "Relu", export.Tanh: "Tanh", export.Cos: "Cos",
}

// evaluate returns the value of a formula, for each element of the arguments.
func evaluate(g *graph, p *export.Program, arguments ...string) string {
	v := arguments[:len(arguments):len(arguments)]
	for _, s := range p.Steps {
		var y string
		switch s.Op {
		case export.Const:
			y = g.scalar(s.Value)
		case export.Add, export.Sub, export.Mul, export.Div, export.Min, export.Max:
			y = g.op(operators[s.Op], v[s.X], v[s.Y])
		case export.Square:
			y = g.op("Mul", v[s.X], v[s.X])
		case export.Sigmoid:
			y = sigmoid(g, v[s.X])
		case export.Log:
			if at := s.X - p.Arguments; g.real == floatType && at >= 0 && p.Steps[at].Op == export.Sigmoid {
				y = logSigmoid(g, v[p.Steps[at].X])
			} else {
				y = g.op("Log", v[s.X])
			}
		default:
			y = g.op(operators[s.Op], v[s.X])
		}
		v = append(v, y)
	}
	return v[p.Result]
}

// sigmoid returns 1/(1+e^-x), accurate on both sides of zero; runtimes limit their operator to a
// range.
func sigmoid(g *graph, x string) string {
	one := g.scalar(1)
	far := g.op("Exp", g.op("Neg", g.op("Abs", x)))
	return g.op("Div", g.where(g.op("Less", x, g.scalar(0)), far, one), g.op("Add", one, far))
}

// logSigmoid returns log(1/(1+e^-x)) where the sigmoid itself is below the least number of 32 bits.
func logSigmoid(g *graph, x string) string {
	far := g.op("Exp", g.op("Neg", g.op("Abs", x)))
	return g.op("Sub", g.op("Min", x, g.scalar(0)), g.op("Log", g.op("Add", g.scalar(1), far)))
}
