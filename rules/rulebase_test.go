package rules

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
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
		testenv.Equal(t, trapezoid.Antecedents[j][0][0], want, "parameter %d", j)
	}
	for _, rb := range []*RuleBase{g, trapezoid} {
		testenv.OK(t, rb.Validate())
	}
}

func TestProjectSpreadFloor(t *testing.T) {
	rb := two()
	rb.Antecedents[1][0][0] = -3
	rb.Antecedents[0][0][0] = -3 // a center may be negative
	rb.Project()
	testenv.Equal(t, rb.Antecedents[1][0][0], rb.SpreadFloor, "sigma")
	testenv.Equal(t, rb.Antecedents[0][0][0], -3, "center was changed")
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
	testenv.OK(t, rb.Validate())
}

// TestProjectKinds: each parameter of a generalised bell is projected to the domain of
// its kind.
func TestProjectKinds(t *testing.T) {
	rb := New(membership.GBell{}, &Clusters{Centers: [][]float64{{1}}, Spreads: [][]float64{{2}}, Targets: []float64{0}})
	for j, v := range []float64{-1, -2, -3} {
		rb.Antecedents[j][0][0] = v
	}
	testenv.FailsIs(t, rb.Validate(), ErrInvalid, "a[r=0,m=0] = -1")
	rb.Project()
	if p := rb.Function(make([]float64, 3), 0, 0); p[0] != rb.SpreadFloor || p[1] != membership.MinExponent || p[2] != -3 {
		t.Errorf("projected to %v", p)
	}
	testenv.OK(t, rb.Validate())
}

// TestValidateNamesTheFault spoils valid rules: of two rules, with own curves, of a tree, and of a grid.
func TestValidateNamesTheFault(t *testing.T) {
	curved := func() *RuleBase { rb, _ := curved(3, true); return rb }
	leaves := func() *RuleBase { return leaves(t, membership.Sigmoid{}) }
	for _, c := range []struct {
		rules func() *RuleBase
		spoil func(rb *RuleBase)
		want  string
	}{
		{two, func(rb *RuleBase) { rb.Shape = nil }, "shape"},
		{two, func(rb *RuleBase) { rb.Antecedents[1][0][0] = 0.01 }, "sigma[r=0,m=0] = 0.01"},
		{two, func(rb *RuleBase) { rb.Antecedents[0][1][0] = math.NaN() }, "c[r=1,m=0] = NaN"},
		{two, func(rb *RuleBase) { rb.Consequents[1][1] = math.Inf(1) }, "w[r=1,m=1] = +Inf"},
		{two, func(rb *RuleBase) { rb.Antecedents[0] = rb.Antecedents[0][:1] }, "c: 1 rows"},
		{two, func(rb *RuleBase) { rb.Antecedents[0][1] = nil }, "c[r=1]: 0 values"},
		{two, func(rb *RuleBase) { rb.Antecedents = rb.Antecedents[:1] }, "1 antecedent parameters"},
		{two, func(rb *RuleBase) { rb.Consequents = nil }, "0 rules"},
		{two, func(rb *RuleBase) { rb.SpreadFloor = 0 }, "spread floor"},
		{curved, func(rb *RuleBase) { rb.Curves = nil }, "curves: 0 rows; want 1 or 3"},
		{curved, func(rb *RuleBase) { rb.Knots = nil }, "knots of 0 features; there are 3"},
		{curved, func(rb *RuleBase) { rb.Knots, rb.Curves = make([][]float64, 3), [][]float64{{}} }, "curves[0]: 0 values; there are 0 knots"},
		{curved, func(rb *RuleBase) { rb.Knots = append(rb.Knots, nil) }, "knots of 4 features"},
		{curved, func(rb *RuleBase) { rb.Knots[0] = rb.Knots[0][:2] }, "knots[m=0]: 2; want at least 3"},
		{curved, func(rb *RuleBase) { rb.Curves[2] = rb.Curves[2][1:] }, "curves[2]: 17 values; there are 18 knots"},
		{curved, func(rb *RuleBase) { rb.Curves = rb.Curves[1:] }, "curves: 2 rows; want 1 or 3"},
		{curved, func(rb *RuleBase) { rb.Knots[2][1] = rb.Knots[2][0] }, "must increase"},
		{curved, func(rb *RuleBase) {
			rb.Knots[2] = []float64{-1.7e308, 1.7e308, 1.75e308, 1.76e308, 1.77e308, 1.78e308, 1.785e308, 1.786e308, 1.787e308}
		}, "must increase"},
		{curved, func(rb *RuleBase) { rb.Knots[2][4] = math.NaN() }, "knots[m=2,q=4]: NaN"},
		{curved, func(rb *RuleBase) { rb.Curves[1][4] = math.Inf(1) }, "curves[1,q=4]: +Inf"},
		{leaves, func(rb *RuleBase) { rb.Splits[0].Feature = 3 }, "splits[0]: feature 3; there are 3"},
		{leaves, func(rb *RuleBase) { rb.Splits[1].Feature = -1 }, "splits[1]: feature -1"},
		{leaves, func(rb *RuleBase) { rb.Splits[1].Threshold = math.NaN() }, "splits[1]: threshold NaN"},
		{leaves, func(rb *RuleBase) { rb.Splits[3].Below, rb.Splits[3].Above = nil, nil }, "splits[3]: no rules"},
		{leaves, func(rb *RuleBase) { rb.Splits[3].Above = []int{5} }, "splits[3]: above: 5: must be increasing"},
		{leaves, func(rb *RuleBase) { rb.Splits[0].Below = []int{0, 2, 1} }, "splits[0]: below: 1: must be"},
		{leaves, func(rb *RuleBase) { rb.Splits[0].Below[0] = -1 }, "splits[0]: below: -1: must be"},
		{leaves, func(rb *RuleBase) { rb.Splits[3].Above = []int{3, 4} }, "splits[3]: 3 is in both below and above"},
		{leaves, func(rb *RuleBase) { rb.Splits[2].Not[0][0] = 3 }, "splits[2]: not[0]: 3: must be"},
		{leaves, func(rb *RuleBase) { rb.Splits[2].Not[0][0] = 1 }, "splits[2]: 1 is in both not[0] and"},
		{leaves, func(rb *RuleBase) { rb.Splits[2].Not[0] = nil }, "splits[2]: not: 0 and 1 columns"},
		{leaves, func(rb *RuleBase) { rb.Splits[2].Above = []int{3} }, "splits[2]: rules [1 3] are not those of"},
		{leaves, func(rb *RuleBase) { rb.Splits[3].Above = nil }, "splits[3]: rules [3] are not those of"},
		{leaves, func(rb *RuleBase) { rb.Splits[0].Above = []int{}; rb.Splits[1] = rb.Splits[3] }, "splits[1]: rules [3 4] are not those"},
		{leaves, func(rb *RuleBase) { rb.Tie = slices.Repeat([][]int{{0, 0, 0}}, 5) }, "splits: rules that are tied have none"},
		{leaves, func(rb *RuleBase) { rb.Antecedents[0][1][0] = -1.5 }, "low[r=1,m=0] = -1.5, but it is tied to"},
		{leaves, func(rb *RuleBase) { rb.Antecedents[1][4][0] = 9 }, "rise[r=4,m=0] = 9, but it is tied to"},
		{grid, func(rb *RuleBase) { rb.Tie = rb.Tie[:3] }, "tie: 3 rows"},
		{grid, func(rb *RuleBase) { rb.Tie[1] = rb.Tie[1][:1] }, "tie[r=1]: 1"},
		{grid, func(rb *RuleBase) { rb.Tie[2][1] = -1 }, "tie[r=2,m=1] = -1: must lie between 0 and 2147483647"},
		{grid, func(rb *RuleBase) { rb.Antecedents[1][2][0] = 9 }, "sigma[r=2,m=0] = 9, but it is tied to"},
	} {
		rb := c.rules()
		testenv.OK(t, rb.Validate())
		c.spoil(rb)
		testenv.FailsIs(t, rb.Validate(), ErrInvalid, c.want)
	}
}

// TestCloneIsDeep changes all that a clone has.
func TestCloneIsDeep(t *testing.T) {
	own, _ := curved(3, true)
	for name, c := range map[string]struct {
		rb     *RuleBase
		change func(rb *RuleBase)
	}{
		"parameters": {two(), func(rb *RuleBase) { rb.Antecedents[0][0][0], rb.Consequents[0][0] = 99, 99 }},
		"curves":     {own, func(rb *RuleBase) { rb.Knots[0][0], rb.Curves[0][0] = -9, 9 }},
		"ties":       {grid(), func(rb *RuleBase) { rb.Tie[0][0] = 99 }},
		"splits":     {leaves(t, membership.Sigmoid{}), func(rb *RuleBase) { rb.Splits[0].Below[0] = 9 }},
	} {
		clone, again := c.rb.Clone(), c.rb.Clone()
		testenv.Equal(t, clone, c.rb, "%s: a clone differs", name)
		if c.change(clone); !reflect.DeepEqual(again, c.rb) {
			t.Errorf("%s: a clone shares memory with its original", name)
		}
	}
}

func TestFlatten(t *testing.T) {
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		if !CanBeFlat(shape) {
			t.Errorf("%s cannot be flat", name)
			continue
		}
		rb := New(shape, &Clusters{
			Centers: [][]float64{{0, 1}, {-1, 2}}, Spreads: [][]float64{{0.5, 0.4}, {0.3, 0.2}}, Targets: []float64{1, 2},
		})
		testenv.Equal(t, rb.Length(nil), 2, "%s: length before", name)
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
