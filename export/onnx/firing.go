package onnx

import (
	"math"

	"github.com/tskgraph/tskgraph/export"
	"github.com/tskgraph/tskgraph/inference"
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
// number of nodes grows with the largest number of conditions of a rule, but not with R.
func fire(g *graph, m *export.Member, in inputs) (levels, covered string) {
	way := newFiring(g, m)
	start := make([]float64, len(m.Rules))
	most := 0
	for r, rule := range m.Rules {
		start[r] = way.start
		most = max(most, len(rule.If))
	}
	level := g.reals("start", start, 1, len(start))
	for k := range most {
		level = way.condition(g, m, in, k, level)
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

// condition joins condition k of each rule to the level; a rule with fewer keeps its level.
func (way firing) condition(g *graph, m *export.Member, in inputs, k int, level string) string {
	has := make([]bool, len(m.Rules))
	at := make([]int, len(m.Rules))
	params := make([][]float64, m.Parameters)
	all, some := true, 0
	for r, rule := range m.Rules {
		if has[r] = k < len(rule.If); has[r] {
			some = r
		}
		all = all && has[r]
	}
	for r, rule := range m.Rules {
		if !has[r] {
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
	grade := evaluate(g, m.Grade, arguments...)
	if way.ofGrades {
		grade = g.op("Log", grade)
	}
	joined := evaluate(g, way.join, level, grade)
	if all {
		return joined
	}
	return g.where(g.truths("has", has, len(has)), joined, level)
}
