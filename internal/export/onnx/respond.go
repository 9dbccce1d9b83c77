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
	mean, scale := m.Scales()
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
	if J := len(f.Outputs); len(responses) > 1 && f.Ordered {
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

// consequents returns the outputs [N, C] of a member by the normalised levels [N, R]: step 5 of
// [export.Member]. A curve is linear in the shares of the intervals between knots that lie below
// its input, so that the outputs of all rules are one product of matrices.
func consequents(g *graph, m *export.Member, in inputs, levels string) string {
	C, R := m.Outputs, len(m.Rules)
	inputs, rows := in.then, m.Width()
	bias := make([]float64, C*R)
	weights := make([][]float64, rows)
	for c := range C {
		for r, rule := range m.Rules {
			bias[c*R+r] = rule.Weights[c][0]
			for i, w := range rule.Weights[c][1:] {
				weights[i] = append(weights[i], w)
			}
		}
	}
	if m.Curves != nil {
		inputs = g.concat(inputs, shares(g, m, in.then))
		weights = append(weights, bend(m, bias)...)
	}
	var flat []float64
	for _, w := range weights {
		flat = append(flat, w...)
	}
	each := g.op("Add", g.op("MatMul", inputs, g.reals("slopes", flat, len(weights), C*R)), g.row("intercepts", bias))
	each = g.op("Reshape", each, g.integers("shape", 0, C, R))
	level := g.op("Unsqueeze", levels, g.integers("axes", 1))
	idle := g.op("Equal", level, g.scalar(0))
	return g.sum(g.where(idle, g.scalar(0), g.op("Mul", level, each)), 2, 0)
}

// shares returns the share of each interval between knots that lies below the input z [N, Width],
// for all inputs with knots.
func shares(g *graph, m *export.Member, z string) string {
	var at []int
	var low, width []float64
	for i, knots := range m.Knots {
		for q := 1; q < len(knots); q++ {
			at, low, width = append(at, i), append(low, knots[q-1]), append(width, knots[q]-knots[q-1])
		}
	}
	share := g.op("Div", g.op("Sub", g.columns(z, at...), g.row("knots", low)), g.row("intervals", width))
	return g.limit(share, g.scalar(0), g.scalar(1))
}

// bend returns the rise of each curve over each interval, [intervals][C R], and adds the values at
// the first knots to the bias [C R].
func bend(m *export.Member, bias []float64) (rise [][]float64) {
	R, first := len(m.Rules), 0
	for _, knots := range m.Knots {
		for q := range knots {
			step := make([]float64, len(bias))
			for i := range step {
				values := m.Curve(i/R, i%R)
				if q == 0 {
					bias[i] += values[first]
					continue
				}
				step[i] = values[first+q] - values[first+q-1]
			}
			if q > 0 {
				rise = append(rise, step)
			}
		}
		first += len(knots)
	}
	return rise
}

// Names of the outputs of classes.
const labelOutput, probabilitiesOutput = "label", "probabilities"

// predict adds the outputs of responses [N, J], and returns their names. Rows that are not known,
// [N, 1], have no prediction.
func predict(g *graph, f *export.Form, responses, known string) (names []string) {
	predictions := g.where(known, responses, g.scalar(math.NaN()))
	if f.Kind == export.Classes {
		label := g.output(labelOutput, label(g, f, responses, known), stringType, nil, "the most probable class")
		return []string{label, g.output(probabilitiesOutput, predictions, g.real, []int{len(f.Outputs)}, "in the order of the metadata")}
	}
	for j, o := range f.Outputs {
		names = append(names, g.output(o.Key, g.columns(predictions, j), g.real, []int{1}, f.About(j)))
	}
	return names
}

// label returns the first most probable class [N], or an empty text for a row that is not known.
func label(g *graph, f *export.Form, probabilities, known string) string {
	var classes []string
	for _, o := range f.Outputs {
		classes = append(classes, o.Name)
	}
	most := g.node("ArgMax", []string{probabilities}, intAttribute("axis", 1))
	at := g.where(known, most, g.integers("none", len(classes)))
	return g.op("Gather", g.texts("classes", append(classes, "")), g.op("Squeeze", at, g.integers("axes", 1)))
}
