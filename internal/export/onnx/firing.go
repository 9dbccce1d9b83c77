package onnx

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
)

// firing says how the levels of rules are computed.
type firing struct {
	join     *export.Program
	start    float64 // level of a rule without conditions
	logs     bool    // levels are logarithms
	ofGrades bool    // of grades that are none
}

// newFiring returns the way of the member. Levels of 32 bits are logarithms wherever the t-norm
// can join these: a product of some grades is below the least number.
func newFiring(g *graph, m *export.Member) firing {
	norm, _ := inference.LookupTNorm(m.TNorm) // nil, and no LogTNorm, if there is none
	log, ok := norm.(inference.LogTNorm)
	if !ok || m.LogSpace || g.real != floatType {
		return firing{m.Join, m.Start(), m.LogSpace, false}
	}
	join := export.Record(2, func(b membership.Builder, a []membership.Term) membership.Term { return log.LogExpr(b, a[0], a[1]) })
	return firing{join, 0, true, true}
}

// fire returns the normalised levels [N, R] of the rules, and whether they cover the sample,
// [N, 1]: steps 3 and 4 of [export.Member]. Levels of a model without conditions are [1, R] and
// [1, 1].
//
// Condition k of all rules is one grade [N, R], of the inputs that it has in each rule. Thus the
// number of nodes grows with the largest number of conditions of a rule, but not with R. A grade
// is written before the last one is joined to the level. In this order, and in that of onnxruntime,
// which of the inputs of a node computes first the one that was written last, there are never more
// than two grades in memory.
func fire(g *graph, m *export.Member, in inputs) (levels, covered string) {
	way := newFiring(g, m)
	start := make([]float64, len(m.Rules))
	most := 0
	for r, rule := range m.Rules {
		start[r] = way.start
		most = max(most, len(rule.If))
	}
	level := g.reals("start", start, 1, len(start))
	var grade, next grades
	for k := range most + 1 {
		if k < most {
			next = way.grades(g, m, in, k)
		}
		if k > 0 {
			level = way.joined(g, level, grade)
		}
		grade = next
	}
	if m.Weight != nil {
		level = way.weigh(g, m.Weight, level)
	}
	top := ""
	if way.logs {
		top = g.reduce("ReduceMax", level, 1)
		level = g.op("Exp", g.op("Sub", level, top))
	}
	sum := g.sum(level, 1, 1)
	covered = g.op("LessOrEqual", sum, g.scalar(g.largest()))
	switch {
	case way.ofGrades:
		covered = g.op("And", covered, g.op("Greater", g.op("Add", top, g.op("Log", sum)), g.scalar(math.Log(export.MinFiring))))
	case !way.logs:
		covered = g.op("And", covered, g.op("Greater", sum, g.scalar(export.MinFiring)))
	}
	return g.op("Div", level, sum), covered
}

// weigh returns the weights of rules by their levels: logarithms if these are.
func (way firing) weigh(g *graph, weight *export.Program, level string) string {
	switch {
	case way.ofGrades:
		idle := g.op("Less", level, g.scalar(math.Log(export.LeastLevel)))
		return g.where(idle, g.scalar(math.Inf(-1)), evaluate(g, weight, level))
	case way.logs:
		return evaluate(g, weight, level)
	}
	idle := g.op("Less", level, g.scalar(export.LeastLevel))
	return g.where(idle, g.scalar(0), g.op("Exp", evaluate(g, weight, g.op("Log", level))))
}

// grades are those of one condition of each rule.
type grades struct {
	values string // [N, R]
	has    []bool // the rules that have the condition
}

// joined returns the levels joined with grades; a rule without the condition keeps its level.
func (way firing) joined(g *graph, level string, of grades) string {
	joined := evaluate(g, way.join, level, of.values)
	if !slices.Contains(of.has, false) {
		return joined
	}
	return g.where(g.truths("has", of.has, len(of.has)), joined, level)
}

// grades returns the grades of condition k of each rule.
func (way firing) grades(g *graph, m *export.Member, in inputs, k int) grades {
	has := make([]bool, len(m.Rules))
	at := make([]int, len(m.Rules))
	params := make([][]float64, m.Parameters)
	some := slices.IndexFunc(m.Rules, func(r export.Rule) bool { return k < len(r.If) })
	for r, rule := range m.Rules {
		if has[r] = k < len(rule.If); !has[r] {
			rule = m.Rules[some] // any number will do
		}
		at[r] = in.at[rule.If[k]]
		for p, v := range rule.Params[k] {
			params[p] = append(params[p], v)
		}
	}
	arguments := []string{g.columns(in.when, at...)}
	for p, values := range params {
		arguments = append(arguments, g.row(m.Shape.Params()[p].Name, values))
	}
	values := evaluate(g, m.Grade, arguments...)
	if way.ofGrades {
		values = g.op("Log", values)
	}
	return grades{values, has}
}

// evaluate returns the value of a formula, for each element of the arguments.
func evaluate(g *graph, p *export.Program, arguments ...string) string {
	v := arguments[:len(arguments):len(arguments)]
	for _, s := range p.Steps {
		var y string
		switch s.Op {
		case export.Const:
			y = g.scalar(s.Value)
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
		default: // operators of ONNX have the names of operations, with a capital letter
			name := s.Op.String()
			y = g.op(strings.ToUpper(name[:1])+name[1:], []string{v[s.X], v[s.Y]}[:s.Op.Operands()]...)
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
