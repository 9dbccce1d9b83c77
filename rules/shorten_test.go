package rules

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

func TestShorten(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([][]float64, 300)
	for n := range x {
		x[n] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
	}
	for _, shape := range []membership.Function{membership.Gaussian{}, membership.Trapezoid{}} {
		rb := New(shape, &Clusters{
			Centers: [][]float64{{0, 0, 0}, {0.5, 0, -0.5}},
			Spreads: [][]float64{{1, 30, 3}, {20, 1.2, 40}}, Targets: []float64{0, 0},
		})
		got := testenv.Must(Shorten(t.Context(), rb, x, nil, 1.5, nil))
		slices.SortFunc(got, func(a, b Antecedent) int { return 3*(a.Rule-b.Rule) + a.Feature - b.Feature })
		testenv.Equal(t, got, []Antecedent{{0, 1}, {1, 0}, {1, 2}}, "%s", shape.Name())
		for _, a := range got {
			rb.Flatten(a.Rule, a.Feature)
		}
		testenv.Equal(t, rb.Length(nil), 1.5, "%s: length", shape.Name())
		if more := testenv.Must(Shorten(t.Context(), rb, x, nil, 1.5, nil)); more != nil {
			t.Errorf("%s: second call: %v", shape.Name(), more)
		}
	}
}

// Two samples on which the rule fires fully: log grades 0 and -2, weights 1 and
// exp(-2) after normalisation with another rule of constant level one.
func TestSayByHand(t *testing.T) {
	rb := New(membership.Gaussian{}, &Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{0}})
	levels := []float64{0.5, 0.25}
	all, _ := influences(rb, nil)
	one := all[0]
	one.add([]float64{0, -2}, levels)
	got := one.of(2)
	mean := (0.25 * -2) / 0.75
	variance := (0.25*4)/0.75 - mean*mean
	if want := math.Sqrt(variance * 0.75 / 2); math.Abs(got-want) > 1e-15 {
		t.Errorf("influence %v, want %v", got, want)
	}
}

// TestShortenCategories: the levels of a category are one condition, which stays or goes as a whole.
func TestShortenCategories(t *testing.T) {
	x := make([][]float64, 40)
	for n := range x {
		x[n] = []float64{float64(n%2) - 0.5, float64(n%4/2) - 0.5, float64(n%8/4) - 0.5}
	}
	rb := New(membership.Gaussian{}, &Clusters{
		Centers: [][]float64{{-0.5, -0.5, 0.5}, {0.5, 0.5, -0.5}}, Spreads: [][]float64{{1, 1, 0.9}, {1, 1, 20}}, Targets: []float64{0, 0},
	})
	categories := [][]int{{0, 1}}
	testenv.Equal(t, rb.Length(categories), 2, "conditions per rule: a category and a number")
	got := testenv.Must(Shorten(t.Context(), rb, x, nil, 1, categories))
	testenv.Equal(t, got, []Antecedent{{1, 2}, {0, 2}}, "two levels have more influence together")
	if all := testenv.Must(Shorten(t.Context(), rb, x, nil, 0, categories)); len(all) != 6 {
		t.Errorf("%v, want all antecedents", all)
	}
}
