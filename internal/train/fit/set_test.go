package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// numbered returns a part of n samples of one feature, the number of the sample, whose target is twice the feature and whose
// weights are 1 and 3 in turn.
func numbered(n int) *data.Dataset {
	d := &data.Dataset{Schema: data.Schema{Columns: []data.Column{{Name: "x", Encoding: data.Numeric}}, Target: "y", Weight: "w"}}
	for i := range n {
		d.X, d.Y, d.Weights = append(d.X, []float64{float64(i)}), append(d.Y, float64(2*i)), append(d.Weights, float64(1+2*(i%2)))
	}
	return d
}

// TestSamplesOfALargePartAreThinnedForClusters: clusters of a sample are those of some of its rows at random, those of a
// whole part of all.
func TestSamplesOfALargePartAreThinnedForClusters(t *testing.T) {
	all := numbered(clusterRows + 5000)
	sample := wholetest.Sample(all, slices.Collect(func(yield func(int) bool) {
		for n := range all.Len() - 10 {
			if !yield(n) {
				return
			}
		}
	}), 2)
	r := recipe.Robust()
	for _, c := range []struct {
		name    string
		d       *data.Dataset
		R, want int
	}{
		{"all rows", all, 8, all.Len()},
		{"a sample", sample, 8, clusterRows},
		{"a sample, many rules", sample, 110, 110 * rowsPerCluster},
		{"a sample, more rules than it has rows for", sample, 1000, sample.Len()},
	} {
		rows := make([]int, c.d.Len()-3)
		for i := range rows {
			rows[i] = i
		}
		for _, subset := range []bool{false, true} {
			weighed := testenv.Must(c.d.Weighed())
			set, err := Prepare(t.Context(), weighed, r)
			want := c.want
			if subset {
				set, err = PrepareSubset(t.Context(), c.d, rows, r)
				want = min(want, len(rows))
			}
			if err != nil {
				t.Fatal(err)
			}
			s := set.clustered(c.R, rand.New(rand.NewPCG(1, 1)))
			if len(s.X) != want || len(s.Y) != want || len(s.Weight) != want || s.Drawn != (c.d == sample) {
				t.Fatalf("%s: %d samples, %d targets, %d weights, drawn %v; want %d", c.name, len(s.X), len(s.Y), len(s.Weight), s.Drawn, want)
			}
			total := 0.0
			for i, w := range s.Weight {
				total += w
				if f := set.prep.Features[0]; math.Abs(f.Unscaled(s.X[i][0])-(set.prep.Target.Mean+s.Y[i]*set.prep.Target.Scaling())/2) > 1e-6 {
					t.Fatalf("%s: sample %d has the target of another", c.name, i)
				}
				if i > 0 && !(s.X[i][0] > s.X[i-1][0]) {
					t.Fatalf("%s: sample %d is drawn twice or out of order", c.name, i)
				}
			}
			if math.Abs(total/float64(want)-1) > 1e-9 {
				t.Errorf("%s: the mean weight is %v", c.name, total/float64(want))
			}
		}
	}
}

// TestCheckMemory: rules over more inputs than there is memory for are refused in words.
func TestCheckMemory(t *testing.T) {
	if err := checkMemory(300, 100, 1<<30); err != nil {
		t.Error(err)
	}
	err := checkMemory(32, 99_999, 4<<30)
	if err == nil || !strings.Contains(err.Error(),
		"32 rules over 99999 inputs take about 7.7 GB of memory to train, of 4.3 GB here: take fewer rules") {
		t.Error(err)
	}
}

// TestSpreadQuantiles checks that biases move by the quantiles of the residuals in each rule, where the spread
// differs between two rules, that a rule with too few samples moves by those of all, and that weights count.
func TestSpreadQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	var x [][]float64
	var y, weights []float64
	for n := range 4000 {
		side, spread := -5.0, 1.0
		if n%2 == 1 {
			side, spread = 5, 3
		}
		v := 2*side + spread*rng.Float64()
		x, y, weights = append(x, []float64{side + 0.1*rng.NormFloat64()}), append(y, v, v), append(weights, 1)
	}
	x, y, weights = append(x, []float64{50}), append(y, 7, 7), append(weights, 1)
	start := func() *rules.RuleBase {
		return rules.New(membership.Gaussian{}, &rules.Clusters{
			Centers: [][]float64{{-5}, {5}, {50}}, Spreads: [][]float64{{1}, {1}, {1}}, Targets: []float64{-10, -10, 10, 10, 7, 7},
		})
	}
	rb := start()
	spreadQuantiles(rb, x, y, nil, []float64{0.1, 0.5})
	for r, want := range [][]float64{{-9.9, -9.5}, {10.3, 11.5}, {7.19, 7.75}} { // of all: 0.1 of u/2 + u/6 is 0.15, with half of each
		for c, v := range want {
			if got := rb.Output(c).Consequents[r][0]; math.Abs(got-v) > 0.08 {
				t.Errorf("rule %d, output %d: %v, want %v", r, c, got, v)
			}
		}
	}
	for n := range weights[:4000] {
		if n%2 == 0 && y[2*n] > -9.5 {
			weights[n] = 1e-6
		}
	}
	rb = start()
	spreadQuantiles(rb, x, y, weights, []float64{0.1, 0.5})
	if got := rb.Output(1).Consequents[0][0]; math.Abs(got+9.75) > 0.05 {
		t.Errorf("with the upper half weightless: median %v, want -9.75", got)
	}
}

// TestCurvatures compares the curvatures of a cross-entropy with p(1-p), and those of
// weighted squared errors with the weights.
func TestCurvatures(t *testing.T) {
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{1}}, Targets: []float64{0.7}})
	x, weights := [][]float64{{0.3}, {-1}}, []float64{1, 3}
	p := 1 / (1 + math.Exp(-0.7))
	for n, got := range curvatures(rb, loss.Logistic{}, x, []float64{0, 1}, weights)[0] {
		if want := weights[n] * p * (1 - p); math.Abs(got-want) > 1e-6 {
			t.Errorf("sample %d: %v, want %v", n, got, want)
		}
	}
	rb.SetOutputs(2)
	all := curvatures(rb, loss.Joint(loss.Squared{}, []float64{0.5, 2}), x, make([]float64, 4), weights)
	if math.Abs(all[0][1]-1.5) > 1e-9 || math.Abs(all[1][1]-6) > 1e-9 {
		t.Errorf("squared errors: %v", all)
	}
	if linear := curvatures(rb, loss.Joint(loss.Absolute{}, nil), x, []float64{1, 1, 1, 1}, weights); linear[0][1] != 3e-3 {
		t.Errorf("absolute errors: %v", linear)
	}
}

// TestPageFolds: folds of pages keep groups and equal rows together, and predict later rows from earlier ones where these are in time
// order; samples are drawn by groups, or by blocks.
func TestPageFolds(t *testing.T) {
	d := numbered(60)
	d.X[7], d.Y[7] = d.X[50], d.Y[50]
	for _, f := range testenv.Must(pageFolds(d, 1)) {
		testenv.Equal(t, slices.Contains(f.Held, 7), slices.Contains(f.Held, 50), "whether a row is held out, and an equal one")
	}
	testenv.Equal(t, pageGroups(d), nil, "groups of rows without groups")
	d = numbered(60)
	for i := range d.X {
		d.Groups = append(d.Groups, i/9) // seven groups
	}
	testenv.Equal(t, pageGroups(d), d.Groups, "groups of samples")
	folds := testenv.Must(pageFolds(d, 1))
	testenv.Equal(t, len(folds), 7, "folds of seven groups")
	for _, f := range folds {
		for _, r := range f.Held {
			if slices.ContainsFunc(f.Train, func(s int) bool { return d.Groups[s] == d.Groups[r] }) {
				t.Fatalf("group %d is divided: %v", d.Groups[r], f)
			}
		}
	}
	d.Groups, d.Ordered = nil, true
	testenv.Equal(t, pageGroups(d)[59], 59, "the last block of few rows")
	for _, f := range testenv.Must(pageFolds(d, 1)) {
		if slices.Max(f.Train) > slices.Min(f.Held) {
			t.Errorf("trained on %v, held out %v", f.Train, f.Held)
		}
	}
}
