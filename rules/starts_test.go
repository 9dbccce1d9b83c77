package rules

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// stepData returns samples of three features and, as y, the sign of the second.
func stepData(n int) (x [][]float64, y []float64) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range n {
		row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		x, y = append(x, row), append(y, math.Copysign(1, row[1]))
	}
	return x, y
}

func TestOneFeature(t *testing.T) {
	x, y := stepData(400)
	c := testenv.Must(OneFeature(t.Context(), Samples{X: x, Y: y}, 7, rng(1)))
	narrow := make([]int, 3) // rules by the feature they are narrow on
	for r, row := range c.Spreads {
		var on []int
		for m, s := range row {
			if s < 3 {
				on = append(on, m)
			} else if s > 5 {
				t.Errorf("rule %d: spread %v of feature %d is not nearly flat", r, s, m)
			}
		}
		testenv.Equal(t, len(on), 1, "rule %d is narrow on features %v", r, on)
		narrow[on[0]]++
		if want := math.Copysign(1, c.Centers[r][1]); on[0] == 1 && math.Abs(c.Centers[r][1]) > 0.5 && c.Targets[r]*want < 0.3 {
			t.Errorf("rule %d at %v has target %v", r, c.Centers[r][1], c.Targets[r])
		}
	}
	if narrow[1] != 3 || narrow[0]+narrow[2] != 4 {
		t.Errorf("rules by feature: %v; the second feature, the most relevant, has the extra rule", narrow)
	}
	few := testenv.Must(OneFeature(t.Context(), Samples{X: x, Y: y}, 1, rng(1)))
	column := make([]float64, len(x))
	for n, row := range x {
		column[n] = row[1]
	}
	if width := 0.6 * (slices.Max(column) - slices.Min(column)); math.Abs(few.Spreads[0][1]-width) > 1e-12 ||
		math.Abs(few.Centers[0][1]) > 0.2 {
		t.Errorf("one rule: %v: want it on the second feature, spread %v", few, width)
	}
}

func TestOneFeatureOfTwoValues(t *testing.T) {
	x := [][]float64{{-1, 0.5}, {1, 0.5}, {1, 0.5}, {-1, 0.5}}
	c := testenv.Must(OneFeature(t.Context(), Samples{X: x, Y: []float64{0, 1, 1, 0}}, 4, rng(1)))
	for r, row := range c.Spreads {
		for m, s := range row {
			if !(s > 0) || math.IsInf(s, 0) || math.IsNaN(c.Centers[r][m]+c.Targets[r]) {
				t.Errorf("rule %d, feature %d: center %v, spread %v, target %v", r, m, c.Centers[r][m], s, c.Targets[r])
			}
		}
	}
}

func TestCorrelationRatio(t *testing.T) {
	x, y := stepData(400)
	var by [3]float64
	column := make([]float64, len(x))
	for m := range by {
		for n, row := range x {
			column[n] = row[m]
		}
		by[m] = correlationRatio(column, y, numeric.EachWeight(nil, len(y)))
	}
	if by[1] < 0.85 || by[1] > 1 || by[0] > 0.1 || by[2] > 0.1 {
		t.Errorf("correlation ratios %v: want the second near one, the others near zero", by)
	}
	testenv.Equal(t, correlationRatio(column, make([]float64, len(x)), numeric.EachWeight(nil, len(x))), 0, "constant y")
}

// TestKMeansByClass checks that a rare class inside another has clusters of its own, which k-means on all
// samples does not give it, that clusters are divided by the weights of the classes, and that two classes
// are the same in one column as in two.
func TestKMeansByClass(t *testing.T) {
	r := rng(9)
	var x [][]float64
	var one, two []float64
	for n := range 200 {
		rare := n%20 == 0
		row := []float64{r.NormFloat64(), 3 * r.NormFloat64()}
		if rare {
			row[0], row[1] = 0.5+0.01*r.NormFloat64(), 0.5+0.01*r.NormFloat64()
		}
		x = append(x, row)
		if rare {
			one, two = append(one, 1), append(two, 0, 1)
		} else {
			one, two = append(one, 0), append(two, 1, 0)
		}
	}
	c := testenv.Must(KMeansByClass(t.Context(), Samples{X: x, Y: one}, 6, rng(1)))
	near := func(center []float64) bool { return squaredDistance(center, []float64{0.5, 0.5}) < 0.001 }
	at := slices.IndexFunc(c.Centers, near)
	if at < 0 || c.Targets[at] < 0.25 { // 0.05 of all samples
		t.Fatalf("centers %v, targets %v: none of the rare class", c.Centers, c.Targets)
	}
	if k := testenv.Must(KMeans(t.Context(), Samples{X: x, Y: one}, 6, rng(1))); slices.ContainsFunc(k.Centers, near) {
		t.Fatal("the test proves nothing: k-means finds the rare class, too")
	}
	d := testenv.Must(KMeansByClass(t.Context(), Samples{X: x, Y: two}, 6, rng(1)))
	if !reflect.DeepEqual(c.Centers, d.Centers) || d.Outputs() != 2 || d.Targets[2*at+1] != c.Targets[at] {
		t.Errorf("one column: %+v; two: %+v", c, d)
	}
	weight := slices.Repeat([]float64{0.5}, 200)
	for n := 0; n < 200; n += 20 {
		weight[n] = 10.5 // half of the weight
	}
	rare := 0
	for _, center := range testenv.Must(KMeansByClass(t.Context(), Samples{X: x, Y: one, Weight: weight}, 6, rng(1))).Centers {
		if squaredDistance(center, []float64{0.5, 0.5}) < 0.1 {
			rare++
		}
	}
	if rare < 3 {
		t.Errorf("%d of 6 centers are in the class with half of the weight", rare)
	}
	few := testenv.Must(KMeansByClass(t.Context(), Samples{X: x, Y: two}, 1, rng(1)))
	testenv.Equal(t, few, testenv.Must(KMeans(t.Context(), Samples{X: x, Y: two}, 1, rng(1))), "fewer clusters than classes")
}

func TestShares(t *testing.T) {
	for _, c := range []struct {
		sizes []float64
		R     int
		want  []int
	}{{[]float64{1, 1, 1}, 3, []int{1, 1, 1}}, {[]float64{100, 1, 50}, 10, []int{6, 1, 3}}, {[]float64{5}, 4, []int{4}}} {
		testenv.Equal(t, shares(c.sizes, c.R), c.want, "%v in %d", c.sizes, c.R)
	}
}

// square has range 0 to 4 and standard deviation 2 in feature 0, -3 to 1 and 2 in
// feature 1.
func square() [][]float64 {
	return [][]float64{{0, -3}, {4, 1}, {2, -3}, {0, 1}, {4, -1}, {2, -1}}
}

// grid returns the Gaussian grid over square.
func grid() *RuleBase { return testenv.Must(Grid(membership.Gaussian{}, square(), nil)) }

// TestGridByHand: there is a rule for every combination of functions at the ends of the
// range.
func TestGridByHand(t *testing.T) {
	rb := grid()
	testenv.Equal(t, rb.Antecedents[0], [][]float64{{0, -3}, {4, -3}, {0, 1}, {4, 1}}, "centers")
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
	testenv.Equal(t, rb.Tie, [][]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, "ties")
	for _, w := range rb.Consequents {
		testenv.Equal(t, w, []float64{0, 0, 0}, "consequents")
	}

	rb = testenv.Must(Grid(membership.Trapezoid{}, square(), nil))
	// Five points from 0 to 4: 0 1 2 3 4.
	for r, want := range map[int][]float64{0: {0, 1, 2, 3}, 1: {1, 2, 3, 4}} {
		testenv.Equal(t, rb.Function(make([]float64, 4), r, 0), want, "rule %d", r)
	}
	if _, covered, _ := rb.Forward(square(), nil); slices.Contains(covered, true) == false || covered[0] {
		t.Errorf("covered: %v; want all but the ends of the range", covered)
	}
}

// TestGridOfEveryShape: grids of all shapes are valid, even with constant features.
func TestGridOfEveryShape(t *testing.T) {
	eachShape(t, func(t *testing.T, shape membership.Function) {
		for _, x := range [][][]float64{square(), {{1, 2, 3}}, {{0, 5}, {1, 5}}} {
			rb := testenv.Must(Grid(shape, x, nil))
			if err := rb.Validate(); err != nil || rb.Rules() != 1<<len(x[0]) {
				t.Errorf("%d rules, %v", rb.Rules(), err)
			}
		}
	})
	testenv.FailsIs(t, testenv.Err(Grid(membership.Gaussian{}, [][]float64{make([]float64, MaxGridInputs+1)}, nil)), ErrGrid, "")
	testenv.FailsWith(t, testenv.Err(Grid(membership.Gaussian{}, nil, nil)), "", "no samples, no error")
}

func TestTied(t *testing.T) {
	rb := two()
	if g := rb.Shared(); g != nil {
		t.Errorf("%v without ties", g)
	}
	rb = grid()
	rb.Tie[3][1] = 7 // not shared
	want := [][]Element{
		{{0, 0, 0}, {0, 2, 0}}, {{1, 0, 0}, {1, 2, 0}},
		{{0, 1, 0}, {0, 3, 0}}, {{1, 1, 0}, {1, 3, 0}},
		{{0, 0, 1}, {0, 1, 1}}, {{1, 0, 1}, {1, 1, 1}},
	}
	testenv.Equal(t, rb.Shared(), want)
}

// TestPruningTies: removing a rule keeps the ties of the others; a merged rule keeps the
// labels that both had in common and gets its own for the averages.
func TestPruningTies(t *testing.T) {
	rb := grid()
	deleteRule(rb, 1)
	testenv.Equal(t, rb.Tie, [][]int{{0, 0}, {0, 1}, {1, 1}}, "ties")
	rb = grid()
	mergeRules(rb, 0, 1) // low and high of feature 0, both low of feature 1
	deleteRule(rb, 1)
	testenv.Equal(t, rb.Tie, [][]int{{2, 0}, {0, 1}, {1, 1}}, "ties")
	if c := rb.Antecedents[0]; c[0][0] != 2 || c[1][0] != 0 || c[0][1] != -3 {
		t.Errorf("centers %v", c)
	}
	testenv.OK(t, rb.Validate())
	pruned, account := must2(PruneOne(context.Background(), grid(), square(), []float64{1, 2, 3, 4, 5, 6}, nil, nil))
	if err := pruned.Validate(); err != nil || account.After != 3 {
		t.Errorf("%+v: %v", account, err)
	}
}
