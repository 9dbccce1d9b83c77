package rules

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

// square has range 0 to 4 and standard deviation 2 in feature 0, -3 to 1 and 2 in
// feature 1.
func square() [][]float64 {
	return [][]float64{{0, -3}, {4, 1}, {2, -3}, {0, 1}, {4, -1}, {2, -1}}
}

// TestGridByHand: there is a rule for every combination of functions at the ends of the
// range.
func TestGridByHand(t *testing.T) {
	rb, err := Grid(membership.Gaussian{}, square(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float64{{0, -3}, {4, -3}, {0, 1}, {4, 1}}; !reflect.DeepEqual(rb.Antecedents[0], want) {
		t.Errorf("centers %v, want %v", rb.Antecedents[0], want)
	}
	sd := math.Sqrt(16.0 / 5) // of both features
	for r, row := range rb.Antecedents[1] {
		for m, v := range row {
			if math.Abs(v-sd) > 1e-12 {
				t.Errorf("sigma[%d,%d] = %v, want %v", r, m, v, sd)
			}
		}
	}
	if math.Abs(rb.SpreadFloor-sd) > 1e-12 {
		t.Errorf("floor %v, want the smallest initial sigma", rb.SpreadFloor)
	}
	if want := [][]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}; !reflect.DeepEqual(rb.Tie, want) {
		t.Errorf("ties %v, want %v", rb.Tie, want)
	}
	for _, w := range rb.Consequents {
		if !slices.Equal(w, []float64{0, 0, 0}) {
			t.Errorf("consequents %v", w)
		}
	}

	rb, err = Grid(membership.Trapezoid{}, square(), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Five points from 0 to 4: 0 1 2 3 4.
	for r, want := range map[int][]float64{0: {0, 1, 2, 3}, 1: {1, 2, 3, 4}} {
		if got := rb.Function(make([]float64, 4), r, 0); !slices.Equal(got, want) {
			t.Errorf("rule %d: %v, want %v", r, got, want)
		}
	}
	if _, covered, _ := rb.Forward(square(), nil); slices.Contains(covered, true) == false || covered[0] {
		t.Errorf("covered: %v; want all but the ends of the range", covered)
	}
}

// TestGridOfEveryShape: grids of all shapes are valid, even with constant features.
func TestGridOfEveryShape(t *testing.T) {
	for _, name := range membership.Names() {
		shape, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range [][][]float64{square(), {{1, 2, 3}}, {{0, 5}, {1, 5}}} {
			rb, err := Grid(shape, x, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := rb.Validate(); err != nil || rb.Rules() != 1<<len(x[0]) {
				t.Errorf("%s: %d rules, %v", name, rb.Rules(), err)
			}
		}
	}
}

func TestGridRefuses(t *testing.T) {
	if _, err := Grid(membership.Gaussian{}, [][]float64{make([]float64, MaxGridInputs+1)}, nil); !errors.Is(err, ErrGrid) {
		t.Errorf("error %v", err)
	}
	if _, err := Grid(membership.Gaussian{}, nil, nil); err == nil {
		t.Error("no samples, no error")
	}
}

func TestTied(t *testing.T) {
	rb := two()
	if g := rb.Shared(); g != nil {
		t.Errorf("%v without ties", g)
	}
	rb, err := Grid(membership.Gaussian{}, square(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rb.Tie[3][1] = 7 // not shared
	want := [][]Element{
		{{0, 0, 0}, {0, 2, 0}}, {{1, 0, 0}, {1, 2, 0}},
		{{0, 1, 0}, {0, 3, 0}}, {{1, 1, 0}, {1, 3, 0}},
		{{0, 0, 1}, {0, 1, 1}}, {{1, 0, 1}, {1, 1, 1}},
	}
	if got := rb.Shared(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	c := rb.Clone()
	c.Tie[0][0] = 99
	if rb.Tie[0][0] == 99 {
		t.Error("a clone shares memory with the original's ties")
	}
}

func TestValidateTies(t *testing.T) {
	for want, spoil := range map[string]func(rb *RuleBase){
		"tie: 3 rows": func(rb *RuleBase) { rb.Tie = rb.Tie[:3] },
		"tie[r=1]: 1": func(rb *RuleBase) { rb.Tie[1] = rb.Tie[1][:1] },
		"tie[r=2,m=1] = -1: must lie between 0 and 2147483647": func(rb *RuleBase) { rb.Tie[2][1] = -1 },
		"sigma[r=2,m=0] = 9, but it is tied to":                func(rb *RuleBase) { rb.Antecedents[1][2][0] = 9 },
	} {
		rb, err := Grid(membership.Gaussian{}, square(), nil)
		if err != nil {
			t.Fatal(err)
		}
		spoil(rb)
		refusedWith(t, rb, want)
	}
}

// TestPruningTies: removing a rule keeps the ties of the others; a merged rule keeps the
// labels that both had in common and gets its own for the averages.
func TestPruningTies(t *testing.T) {
	grid := func() *RuleBase {
		rb, err := Grid(membership.Gaussian{}, square(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return rb
	}
	rb := grid()
	deleteRule(rb, 1)
	if want := [][]int{{0, 0}, {0, 1}, {1, 1}}; !reflect.DeepEqual(rb.Tie, want) {
		t.Errorf("ties %v, want %v", rb.Tie, want)
	}
	rb = grid()
	mergeRules(rb, 0, 1) // low and high of feature 0, both low of feature 1
	deleteRule(rb, 1)
	if want := [][]int{{2, 0}, {0, 1}, {1, 1}}; !reflect.DeepEqual(rb.Tie, want) {
		t.Errorf("ties %v, want %v", rb.Tie, want)
	}
	if c := rb.Antecedents[0]; c[0][0] != 2 || c[1][0] != 0 || c[0][1] != -3 {
		t.Errorf("centers %v", c)
	}
	if err := rb.Validate(); err != nil {
		t.Error(err)
	}
	pruned, account := must2(PruneOne(context.Background(), grid(), square(), []float64{1, 2, 3, 4, 5, 6}, nil, nil))
	if err := pruned.Validate(); err != nil || account.After != 3 {
		t.Errorf("%+v: %v", account, err)
	}
}
