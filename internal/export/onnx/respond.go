package onnx

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// respond returns the response [N, J] of a member to its outputs y [N, C]: step 6 of
// [export.Member].
func respond(g *graph, m *export.Member, y, covered string) string {
	covered = g.op("And", covered, g.finite(y))
	var response string
	switch m.Link {
	case "logit":
		response = g.concat(sigmoid(g, g.op("Neg", y)), sigmoid(g, y))
	case "softmax":
		response = g.node("Softmax", []string{y}, intAttribute("axis", 1))
	case "log":
		response = g.op("Mul", g.scalar(m.Targets[0].Mean), g.op("Exp", g.op("Min", y, g.scalar(loss.MaxLog))))
	case "ordered":
		response = unscale(g, m, sorted(g, y, m.Outputs))
	default:
		response = unscale(g, m, y)
	}
	if m.Low != nil {
		covered = g.op("And", covered, g.finite(response))
		response = g.limit(response, g.row("low", m.Low), g.row("high", m.High))
	}
	return g.where(covered, response, g.row("uncovered", m.Uncovered))
}

// unscale returns the targets [N, C] of outputs y.
func unscale(g *graph, m *export.Member, y string) string {
	var mean, scale []float64
	for _, t := range m.Targets {
		mean, scale = append(mean, t.Mean), append(scale, t.Scale)
	}
	return g.op("Add", g.row("target_mean", mean), g.op("Mul", g.row("target_scale", scale), y))
}

// sorted returns y [N, C] in ascending order in each row, by C rounds in which neighbours change
// places (odd-even transposition sort): onnxruntime's TopK crashes on zero rows.
func sorted(g *graph, y string, C int) string {
	for round := range C {
		at, lower := make([]int, C), make([]bool, C)
		for c := range at {
			at[c] = c
		}
		for c := round % 2; c+1 < C; c += 2 {
			at[c], at[c+1], lower[c] = c+1, c, true
		}
		other := g.columns(y, at...)
		y = g.where(g.truths("lower", lower, C), g.op("Min", y, other), g.op("Max", y, other))
	}
	return y
}

// mean returns the mean response [N, J] of members, as that of [export.Form]. Means of quantiles
// are at least that of the quantile before.
func mean(g *graph, f *export.Form, responses []string) string {
	m := responses[0]
	for k, v := range responses[1:] {
		m = g.op("Add", m, g.op("Div", g.op("Sub", v, m), g.scalar(float64(k+2))))
	}
	if J := len(f.Outputs); len(responses) > 1 && f.Kind == export.Quantiles {
		before := make([]bool, 0, J*J)
		for j := range J {
			for i := range J {
				before = append(before, i <= j)
			}
		}
		each := g.op("Unsqueeze", m, g.integers("axes", 1)) // [N, 1, J]
		upTo := g.where(g.truths("before", before, J, J), each, g.scalar(math.Inf(-1)))
		m = g.op("Squeeze", g.reduce("ReduceMax", upTo, 2), g.integers("axes", 2))
	}
	return m
}
