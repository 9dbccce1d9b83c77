package rules

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

func TestNew(t *testing.T) {
	c := &Clusters{
		Centers: [][]float64{{1, 2}, {3, 4}},
		Spreads: [][]float64{{0.5, 0.2}, {1, 1}},
		Targets: []float64{7, 8},
	}
	g := New(membership.Gaussian{}, c)
	if g.Antecedents[0][1][0] != 3 || g.Antecedents[1][0][1] != 0.2 || g.Consequents[1][0] != 8 || g.Consequents[1][1] != 0 {
		t.Errorf("parameters %v", g.Parameters)
	}
	if want := 0.02; math.Abs(g.SpreadFloor-want) > 1e-15 {
		t.Errorf("spread floor %v, want a tenth of the smallest spread, %v", g.SpreadFloor, want)
	}
	trapezoid := New(membership.Trapezoid{}, c)
	for j, want := range []float64{1 - 5, 1 - 0.25, 1 + 0.25, 1 + 5} {
		if got := trapezoid.Antecedents[j][0][0]; got != want {
			t.Errorf("parameter %d: %v, want %v", j, got, want)
		}
	}
	for _, rb := range []*RuleBase{g, trapezoid} {
		if err := rb.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestProjectSpreadFloor(t *testing.T) {
	rb := two()
	rb.Antecedents[1][0][0] = -3
	rb.Antecedents[0][0][0] = -3 // a center may be negative
	rb.Project()
	if got := rb.Antecedents[1][0][0]; got != rb.SpreadFloor {
		t.Errorf("sigma %v, want the floor %v", got, rb.SpreadFloor)
	}
	if got := rb.Antecedents[0][0][0]; got != -3 {
		t.Errorf("center %v was changed", got)
	}
}

func TestProjectTrapezoid(t *testing.T) {
	rb := trapezoids()
	for j, v := range []float64{3, 1, 2, 1} {
		rb.Antecedents[j][0][0] = v
	}
	rb.Project()
	p := rb.Function(make([]float64, 4), 0, 0)
	if p[0] != 1 || p[1] != 1+1e-9 || p[2] != 2 || p[3] != 3 {
		t.Errorf("projected to %v, want sorted with legs of at least 1e-9", p)
	}
	if err := rb.Validate(); err != nil {
		t.Error(err)
	}
}

// TestProjectKinds: each parameter of a generalised bell is projected to the domain of
// its kind.
func TestProjectKinds(t *testing.T) {
	rb := New(membership.GBell{}, &Clusters{Centers: [][]float64{{1}}, Spreads: [][]float64{{2}}, Targets: []float64{0}})
	for j, v := range []float64{-1, -2, -3} {
		rb.Antecedents[j][0][0] = v
	}
	if err := rb.Validate(); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "a[r=0,m=0] = -1") {
		t.Errorf("error %v", err)
	}
	rb.Project()
	if p := rb.Function(make([]float64, 3), 0, 0); p[0] != rb.SpreadFloor || p[1] != membership.MinExponent || p[2] != -3 {
		t.Errorf("projected to %v", p)
	}
	if err := rb.Validate(); err != nil {
		t.Error(err)
	}
}

func TestValidateNamesTheFault(t *testing.T) {
	for _, c := range []struct {
		break_ func(*RuleBase)
		want   string
	}{
		{func(rb *RuleBase) { rb.Shape = nil }, "shape"},
		{func(rb *RuleBase) { rb.Antecedents[1][0][0] = 0.01 }, "sigma[r=0,m=0] = 0.01"},
		{func(rb *RuleBase) { rb.Antecedents[0][1][0] = math.NaN() }, "c[r=1,m=0] = NaN"},
		{func(rb *RuleBase) { rb.Consequents[1][1] = math.Inf(1) }, "w[r=1,m=1] = +Inf"},
		{func(rb *RuleBase) { rb.Antecedents[0] = rb.Antecedents[0][:1] }, "c: 1 rows"},
		{func(rb *RuleBase) { rb.Antecedents[0][1] = nil }, "c[r=1]: 0 values"},
		{func(rb *RuleBase) { rb.Antecedents = rb.Antecedents[:1] }, "1 antecedent parameters"},
		{func(rb *RuleBase) { rb.Consequents = nil }, "0 rules"},
		{func(rb *RuleBase) { rb.SpreadFloor = 0 }, "spread floor"},
	} {
		rb := two()
		c.break_(rb)
		refusedWith(t, rb, c.want)
	}
}

func refusedWith(t *testing.T, rb *RuleBase, want string) {
	t.Helper()
	if err := rb.Validate(); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

func TestCloneIsDeep(t *testing.T) {
	a := two()
	b := a.Clone()
	b.Antecedents[0][0][0], b.Consequents[0][0] = 99, 99
	if a.Antecedents[0][0][0] == 99 || a.Consequents[0][0] == 99 {
		t.Error("a clone shares memory with its original")
	}
}

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
	half, err := membership.Formula{Name: "half", Expr: "0.5/(1+((x-c)/s)^2)",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}}.Shape()
	if err != nil || CanBeFlat(half) {
		t.Errorf("CanBeFlat accepts a shape that is nowhere one (%v)", err)
	}
}
