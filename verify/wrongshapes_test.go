package verify

import "github.com/tskgraph/tskgraph/membership"

// Shapes with one method replaced. They are in log space, and bordered, if and only if the
// correct shape is, so that every route treats both alike. A bordered shape is in log space.

// logFunction is a shape in log space.
type logFunction interface {
	membership.Function
	membership.LogFunction
}

// asBordered returns the wrong shape with the borders of the correct one, if it has some.
func asBordered(shape membership.Function, wrong logFunction) membership.Function {
	if b, ok := shape.(membership.Bordered); ok {
		return struct {
			logFunction
			membership.Bordered
		}{wrong, b}
	}
	return wrong
}

// withGradients replaces Gradients.
func withGradients(shape membership.Function, g gradients) membership.Function {
	if l, ok := shape.(logFunction); ok {
		if b, ok := shape.(membership.Bordered); ok {
			return struct {
				logFunction
				membership.Bordered
				gradients
			}{l, b, g}
		}
		return struct {
			logFunction
			gradients
		}{l, g}
	}
	return struct {
		membership.Function
		gradients
	}{shape, g}
}

type gradients func(dst [][]float64, x, p []float64)

func (g gradients) Gradients(dst [][]float64, x, p []float64) { g(dst, x, p) }

// withExpr changes Expr and LogExpr.
func withExpr(shape membership.Function, change func(formula) formula) membership.Function {
	f := changedExpr{shape, change(shape.Expr)}
	if l, ok := shape.(membership.LogFunction); ok {
		return asBordered(shape, struct {
			changedExpr
			changedLogExpr
		}{f, changedLogExpr{l, change(l.LogExpr)}})
	}
	return f
}

// formula is the type of the methods Expr and LogExpr.
type formula func(b membership.Builder, x membership.Term, p []membership.Term) membership.Term

type changedExpr struct {
	membership.Function
	expr formula
}

func (c changedExpr) Expr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return c.expr(b, x, p)
}

type changedLogExpr struct {
	membership.LogFunction
	logExpr formula
}

func (c changedLogExpr) LogExpr(b membership.Builder, x membership.Term, p []membership.Term) membership.Term {
	return c.logExpr(b, x, p)
}

// withGrades changes every grade, and its logarithm.
func withGrades(shape membership.Function, change, changeLog func(float64) float64) membership.Function {
	f := changedGrades{shape, change}
	if l, ok := shape.(membership.LogFunction); ok {
		return asBordered(shape, struct {
			changedGrades
			changedLogGrades
		}{f, changedLogGrades{l, changeLog}})
	}
	return f
}

type changedGrades struct {
	membership.Function
	change func(float64) float64
}

func (c changedGrades) Grades(dst, x, p []float64) {
	c.Function.Grades(dst, x, p)
	for i, v := range dst {
		dst[i] = c.change(v)
	}
}

type changedLogGrades struct {
	membership.LogFunction
	changeLog func(float64) float64
}

func (c changedLogGrades) LogGrades(dst, x, p []float64) {
	c.LogFunction.LogGrades(dst, x, p)
	for i, v := range dst {
		dst[i] = c.changeLog(v)
	}
}
