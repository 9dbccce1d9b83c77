package pages

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// fewRules are the limits of a small page of values from 0 to 4.
var fewRules = Options{Numbers: 20, Rules: 2, Conditions: 1, Terms: 2, Low: 0, High: 4, Seed: 1}

// limited has the target x - 2z with noise, limited to [0, 4], where a good half of the targets lie.
func limited(n int) Samples {
	r := rand.New(rand.NewPCG(5, 6))
	s := Samples{Target: "y", Columns: []Column{{Name: "x"}, {Name: "z"}}}
	for range n {
		x, z := 10*r.Float64(), 2*r.Float64()
		s.Columns[0].Values, s.Columns[1].Values = append(s.Columns[0].Values, x), append(s.Columns[1].Values, z)
		s.Y = append(s.Y, min(max(x-2*z+0.3*numeric.Normal(r), 0), 4))
	}
	return s
}

// TestClipped: where targets lie at limits, least squares of the limited values finds the line, which that of the values as they are does
// not, and a small page errs less.
func TestClipped(t *testing.T) {
	plain, o := limited(300), fewRules
	clipped := plain
	clipped.Loss = Clipped{0, 4}
	line := testenv.Must(page.Parse("y is the value of the one rule whose IF holds.\n" +
		"Rule 1 IF always THEN about 3 at x 5, z 1 + 1 per x - 1 per z"))
	slopes := func(s Samples) []float64 {
		terms := testenv.Must(Refit(s, line, o)).Rules[0].Terms
		return []float64{terms[0].Slope, terms[1].Slope}
	}
	if got := slopes(clipped); !near(got, []float64{1, -2}, 0.12) {
		t.Errorf("slopes %v, want 1 and -2", got)
	}
	if got := slopes(plain); near(got, []float64{1, -2}, 0.2) {
		t.Errorf("slopes %v without limits: nothing is tested", got)
	}
	if a, b := testenv.Must(CrossValidated(clipped, line, o)), testenv.Must(CrossValidated(plain, line, o)); !(a < 0.3 && b > 2*a) {
		t.Errorf("RMSE %v, and %v without limits", a, b)
	}
	with, without := testenv.Must(Find(t.Context(), clipped, o)), testenv.Must(Find(t.Context(), plain, o))
	if !(with.Error() < 0.6*without.Error()) {
		t.Errorf("%d numbers and RMSE %v, %d and %v without limits", with.Page.Numbers(), with.Error(), without.Page.Numbers(), without.Error())
	}
	testenv.Equal(t, with.Page.Measure, "RMSE", "measure")
}

func near(a, b []float64, by float64) bool {
	return !slices.ContainsFunc(a, func(v float64) bool { return math.Abs(v-b[slices.Index(a, v)]) > by })
}

// TestClippedLoss: a value beyond the limit that its target lies at errs as the limit does.
func TestClippedLoss(t *testing.T) {
	for _, c := range [][3]float64{{-2, 0, 0}, {-2, 1, 9}, {3, 0, 9}, {7, 4, 0}, {7, 5, 1}, {3, 5, 4}, {7, 3, 16}, {-2, 4, 36}} {
		if got := (Clipped{0, 4}).value(c[0], c[1]); got != c[2] {
			t.Errorf("value %v, target %v: %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestClippedEnds: targets that all lie at limits, rules all of whose rows do, and factors have finite numbers.
func TestClippedEnds(t *testing.T) {
	s, o := limited(200), fewRules
	s.Loss = Clipped{0, 4}
	for i, x := range s.Columns[0].Values {
		s.Y[i] = 0
		if x > 5 {
			s.Y[i] = 4
		}
	}
	if found := testenv.Must(Find(t.Context(), s, o)); !(found.Error() < 0.1) {
		t.Errorf("RMSE %v of targets at limits", found.Error())
	}
	ends := testenv.Must(page.Parse("y is the value of the one rule whose IF holds.\nRule 1 IF x is at most 5 THEN about 1\n" +
		"Rule 2 IF x is above 5 THEN about 3 at z 1 - 1 per z"))
	for i, v := range s.values(testenv.Must(Refit(s, ends, o)), s.shares(ends)) {
		if math.Abs(v-s.Y[i]) > 0.05 {
			t.Fatalf("row %d: %v, want %v", i, v, s.Y[i])
		}
	}
	products := testenv.Must(page.Parse("y is the value of the one rule whose IF holds, times the factors of the tables.\n" +
		"Rule 1 IF always THEN about 3, without the tables\nTable x (between entries in proportion) 0: x0.5, 10: x1.5"))
	without := s
	without.Loss = nil
	testenv.Equal(t, testenv.Must(Refit(s, products, o)), testenv.Must(Refit(without, products, o)), "a page of factors")
}
