package onnx

import "github.com/tskgraph/tskgraph/internal/export"

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
				values := m.Curves[i/R]
				if m.OwnCurves() {
					values = m.Curves[i]
				}
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
