package verify

import (
	"math"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// curveMutants have a wrong layer of curves or a wrong step of the closed form.
func curveMutants(shape membership.Function) []Mutant {
	mutant := func(wrong string, outputs func(b *layers.Builder, n *nodes) gorgonia.Nodes) Mutant {
		return inLayer(wrong, "curves", func(b *layers.Builder, n *nodes) {
			if n.curve != nil {
				n.outputs = outputs(b, n)
			}
		})
	}
	mutants := []Mutant{
		mutant("curves missing", func(_ *layers.Builder, n *nodes) gorgonia.Nodes { return n.outputs }),
		mutant("curves of the wrong features", func(b *layers.Builder, n *nodes) gorgonia.Nodes {
			last := len(n.knots) - 1
			n.knots = slices.Concat(n.knots[last:], n.knots[:last])
			return n.withCurves(b, n.curve)
		}),
		mutant("steps, not lines, between knots", stairs),
		mutant("not constant beyond the last knot", extrapolated),
		mutant("own curves replaced by their mean", func(b *layers.Builder, n *nodes) gorgonia.Nodes {
			return n.withCurves(b, b.RowMeans(n.curve).(*gorgonia.Node))
		}),
		mutant("curves weighted by the firing levels twice", func(b *layers.Builder, n *nodes) gorgonia.Nodes {
			with := n.withCurves(b, n.curve)
			return n.each(func(c int) *gorgonia.Node {
				curves := b.Sub(with[c], n.outputs[c])
				return b.Add(n.outputs[c], b.Mul(n.level, curves)).(*gorgonia.Node)
			})
		}),
		inLayer("curves missing in penalties", "loss", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.outputs = n.consequents(b, n.bias)
			n.addPenalty(b)
		}),
	}
	if _, ok := shape.(membership.Gradients); !ok {
		return mutants
	}
	return append(mutants, []Mutant{
		{"shares of the two knots exchanged", "closed form: dy/dV", ClosedForm{func(s *steps) {
			s.curve = func(at rules.Place) (low, high float64) { return at.Share, 1 - at.Share }
		}}},
		{"the nearest knot only", "closed form: dy/dV", ClosedForm{func(s *steps) {
			s.curve = func(at rules.Place) (low, high float64) { high = math.Round(at.Share); return 1 - high, high }
		}}},
		{"penalty missing", "closed form: dL/dV", ClosedForm{func(s *steps) {
			s.curves = func([][]float64) [][]float64 { return nil }
		}}},
	}...)
}

// stairs returns the rule outputs with curves that keep the value of a knot up to the next.
func stairs(b *layers.Builder, n *nodes) gorgonia.Nodes {
	right := n.z
	defer func() { n.z = right }()
	M := len(n.knots)
	z := slices.Clone(right.Value().Data().([]float64))
	for i, v := range z {
		if k := n.knots[i%M]; len(k) > 0 {
			q, t := rules.Between(k, v)
			z[i] = k[q+int(t)]
		}
	}
	n.z = matrix(right.Graph(), "knots below z", len(z)/M, M, z)
	return n.withCurves(b, n.curve)
}

// extrapolated returns the rule outputs with curves whose last pieces continue far beyond
// the last knots: to another knot, with a value on the same line.
func extrapolated(b *layers.Builder, n *nodes) gorgonia.Nodes {
	const far = 100
	var lines [][]float64 // of the values with the other knots, by the values [Q]
	Q := n.curve.Shape()[0] / n.C
	line := func(q int, t float64) { // a share t of the way from knot q to the next
		of := make([]float64, Q)
		of[q], of[q+1] = 1-t, t
		lines = append(lines, of)
	}
	knots, first := slices.Clone(n.knots), 0
	for m, k := range n.knots {
		if len(k) == 0 {
			continue
		}
		last := len(k) - 1
		for q := range last {
			line(first+q, 0)
		}
		line(first+last-1, 1)
		line(first+last-1, 1+far/(k[last]-k[last-1]))
		knots[m] = append(slices.Clone(k), k[last]+far)
		first += len(k)
	}
	n.knots = knots
	extended := matrix(n.curve.Graph(), "lines", len(lines), Q, slices.Concat(lines...))
	return n.each(func(c int) *gorgonia.Node {
		values := gorgonia.Must(gorgonia.Mul(extended, layers.OfOutput(b, n.curve, c, n.C)))
		return layers.Curves(b, n.outputs[c], n.z, values, n.knots)
	})
}
