package rules

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

func TestFlatten(t *testing.T) {
	for _, name := range membership.Names() {
		shape, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if !CanBeFlat(shape) {
			t.Errorf("%s cannot be flat", name)
			continue
		}
		rb := New(shape, &Clusters{
			Centers: [][]float64{{0, 1}, {-1, 2}}, Spreads: [][]float64{{0.5, 0.4}, {0.3, 0.2}}, Targets: []float64{1, 2},
		})
		if rb.Length(nil) != 2 {
			t.Errorf("%s: length %v before", name, rb.Length(nil))
		}
		x := [][]float64{{0.1, 1.1}, {0.1, -3}}
		rb.Flatten(0, 1)
		if !rb.IsFlat(0, 1) || rb.IsFlat(1, 1) || rb.Length(nil) != 1.5 {
			t.Errorf("%s: flat %v, %v, length %v", name, rb.IsFlat(0, 1), rb.IsFlat(1, 1), rb.Length(nil))
		}
		if err := rb.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// Rule 1 now fires by its first grade alone, rule 2 by the product of two.
		levels := rb.FiringLevels(x, nil)
		for n, row := range x {
			f := [2]float64{1, 1}
			for r := range f {
				for m, v := range row {
					if r == 1 || m == 0 {
						g := []float64{v}
						shape.Grades(g, g, rb.Function(make([]float64, len(rb.Antecedents)), r, m))
						f[r] *= g[0]
					}
				}
			}
			if want := f[0] / (f[0] + f[1]); f[0] > 0 && math.Abs(levels[n][0]-want) > 1e-12 {
				t.Errorf("%s, sample %d: rule 1 fires %v, want %v", name, n, levels[n][0], want)
			}
		}
	}
	half, err := membership.Formula{Name: "half", Expr: "0.5/(1+((x-c)/s)^2)", Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}}.Shape()
	if err != nil || CanBeFlat(half) {
		t.Errorf("CanBeFlat accepts a shape that is nowhere one (%v)", err)
	}
}
