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
		if rb.Length() != 2 {
			t.Errorf("%s: length %v before", name, rb.Length())
		}
		x := [][]float64{{0.1, 1.1}, {0.1, -3}}
		rb.Flatten(0, 1)
		if !rb.IsFlat(0, 1) || rb.IsFlat(1, 1) || rb.Length() != 1.5 {
			t.Errorf("%s: flat %v, %v, length %v", name, rb.IsFlat(0, 1), rb.IsFlat(1, 1), rb.Length())
		}
		if err := rb.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		g, p := []float64{0}, rb.Function(make([]float64, len(rb.Antecedents)), 0, 0)
		shape.Grades(g, []float64{0.1}, p)
		for n, levels := range rb.levels(x) {
			got := levels[0]
			if _, log := shape.(membership.LogFunction); log {
				got = math.Exp(got)
			}
			if math.Abs(got-g[0]) > 1e-15 {
				t.Errorf("%s, sample %d: rule 1 fires %v, its first grade is %v", name, n, got, g[0])
			}
		}
	}
	half, err := membership.Formula{Name: "half", Expr: "0.5/(1+((x-c)/s)^2)", Params: []membership.FormulaParam{{Name: "c"}, {Name: "s"}}}.Shape()
	if err != nil || CanBeFlat(half) {
		t.Errorf("a shape that is nowhere one can be flat (%v)", err)
	}
}
