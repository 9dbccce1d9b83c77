package onnx

import "github.com/tskgraph/tskgraph/export"

// fire returns the normalised levels [N, R] of the rules, and whether they cover the sample,
// [N, 1]: steps 3 and 4 of [export.Member]. Levels of a model without conditions are [1, R] and
// [1, 1].
//
// Condition k of all rules is one grade [N, R], of the inputs that it has in each rule. Thus the
// number of nodes grows with the largest number of conditions of a rule, but not with R.
func fire(g *graph, m *export.Member, in inputs) (levels, covered string) {
	start := make([]float64, len(m.Rules))
	most := 0
	for r, rule := range m.Rules {
		start[r] = m.Start()
		most = max(most, len(rule.If))
	}
	level := g.reals("start", start, 1, len(start))
	for k := range most {
		level = condition(g, m, in, k, level)
	}
	switch {
	case m.Weight != nil && m.LogSpace:
		level = evaluate(g, m.Weight, level)
	case m.Weight != nil:
		least := g.op("Less", level, g.scalar(export.LeastLevel))
		level = g.where(least, g.scalar(0), g.op("Exp", evaluate(g, m.Weight, g.op("Log", level))))
	}
	if m.LogSpace {
		level = g.op("Exp", g.op("Sub", level, g.reduce("ReduceMax", level)))
	}
	sum := g.sum(level, 1, 1)
	covered = g.op("And", g.op("Greater", sum, g.scalar(export.MinFiring)), g.op("LessOrEqual", sum, g.scalar(g.largest())))
	return g.op("Div", level, sum), covered
}

// condition joins condition k of each rule to the level; a rule with fewer keeps its level.
func condition(g *graph, m *export.Member, in inputs, k int, level string) string {
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
	joined := evaluate(g, m.Join, level, evaluate(g, m.Grade, arguments...))
	if all {
		return joined
	}
	return g.where(g.truths("has", has, len(has)), joined, level)
}
