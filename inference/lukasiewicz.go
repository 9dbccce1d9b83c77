package inference

import "github.com/tskgraph/tskgraph/membership"

// Lukasiewicz is the bounded difference:
//
//	f_r = max(0, mu_{r,1} + ... + mu_{r,M} - (M-1))
//
// It is one minus the sum of what the grades lack of one, and zero where they lack one or
// more in total: over many features almost everywhere, for every shape. A sample for which
// all rules are zero is uncovered, as with shapes of bounded support. Firing levels are
// therefore never computed as logarithms.
type Lukasiewicz struct{}

func init() { RegisterTNorm(Lukasiewicz{}) }

func (Lukasiewicz) Name() string { return "lukasiewicz" }

// Meaning describes the bounded difference.
func (Lukasiewicz) Meaning() string {
	return "one minus the sum of what their grades lack of one (at least zero)"
}

// Join writes max(0, f + mu - 1) to f.
func (Lukasiewicz) Join(f, mu []float64) {
	for i, g := range mu {
		f[i] = max(0, f[i]+g-1)
	}
}

// Gradient writes ones if the firing level is positive, otherwise zeros.
func (t Lukasiewicz) Gradient(dst, mu []float64) {
	by := float64(t.Piece(mu))
	for m := range dst {
		dst[m] = by
	}
}

// Piece returns 1 if the firing level is positive, otherwise 0.
func (t Lukasiewicz) Piece(mu []float64) int {
	f := []float64{1}
	for m := range mu {
		t.Join(f, mu[m:m+1])
	}
	if f[0] > 0 {
		return 1
	}
	return 0
}

// Expr returns max(0, x + y - 1).
func (Lukasiewicz) Expr(b membership.Builder, x, y membership.Term) membership.Term {
	return b.Relu(b.Sub(b.Add(x, y), b.Const(1)))
}
