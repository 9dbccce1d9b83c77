package tree_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/tree"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// step returns samples of two features whose target jumps by 5 at x_1 = 0.3 and has
// another slope in x_0 beyond it.
func step(N int) tree.Samples {
	rng := rand.New(rand.NewPCG(1, 2))
	var s tree.Samples
	for range N {
		x := []float64{rng.NormFloat64(), rng.Float64()*2 - 1}
		y := x[0]
		if x[1] >= 0.3 {
			y = 5 - 2*x[0]
		}
		s.X, s.Y = append(s.X, x), append(s.Y, y)
	}
	return s
}

// TestGrowFindsTheStep checks the split and the planes of the two leaves of a step.
func TestGrowFindsTheStep(t *testing.T) {
	s := step(2000)
	for i := range s.X { // the 65% quantile lies at the step
		s.X[i][1] = math.Round(s.X[i][1]*10) / 10
	}
	grown := testenv.Must(tree.Grow(t.Context(), s, 2))
	rb := grown.Rules(membership.Gaussian{}, 0.3)
	if len(rb.Splits) != 1 || rb.Splits[0].Feature != 1 || math.Abs(rb.Splits[0].Threshold-0.25) > 0.11 {
		t.Fatalf("splits %+v", rb.Splits)
	}
	for r, x := range [][]float64{{1, -0.3}, {1, 0.7}} { // the targets are 1 and 3
		if y := rb.Consequent(r, x); math.Abs(y-float64(1+2*r)) > 0.3 {
			t.Errorf("plane of leaf %d at %v: %v, want about %d", r, x, y, 1+2*r)
		}
		if !rb.IsFlat(r, 0) || rb.IsFlat(r, 1) {
			t.Errorf("rule %d: mentions x_0 %v, x_1 %v", r, !rb.IsFlat(r, 0), !rb.IsFlat(r, 1))
		}
	}
}

// TestWeights checks that a sample of weight 2 is equivalent to two samples.
func TestWeights(t *testing.T) {
	once, twice := step(300), step(300)
	for n := range 100 {
		twice.X, twice.Y = append(twice.X, once.X[n]), append(twice.Y, once.Y[n])
	}
	once.Weight = slices.Repeat([]float64{0.75}, 300)
	for n := range 100 {
		once.Weight[n] = 1.5
	}
	a, b := rootPlane(t, once), rootPlane(t, twice)
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-12 {
			t.Fatalf("planes %v with weights, %v with repetitions", a, b)
		}
	}
}

func rootPlane(t *testing.T, s tree.Samples) []float64 {
	grown := testenv.Must(tree.Grow(t.Context(), s, 1))
	rb := grown.Rules(membership.Gaussian{}, 0.3)
	if rb.Rules() != 1 || rb.Length(nil) != 0 || rb.Splits != nil {
		t.Errorf("a single leaf: %d rules of %v features, splits %v", rb.Rules(), rb.Length(nil), rb.Splits)
	}
	return rb.Consequents[0]
}

// categories returns samples with a feature and a category of four levels, of which the
// second and the fourth have another target.
func categories(N int) tree.Samples {
	rng := rand.New(rand.NewPCG(3, 4))
	s := tree.Samples{Categories: [][]int{{1, 2, 3, 4}}}
	for n := range N {
		x, level := []float64{rng.NormFloat64(), -0.5, -0.5, -0.5, -0.5}, n%4
		x[1+level] = 1.5
		y := x[0]
		if level%2 == 1 {
			y = -x[0]
		}
		s.X, s.Y = append(s.X, x), append(s.Y, y+float64(level%2))
	}
	return s
}

// TestCategoriesSplitAsSets checks that a category is split into two sets of levels, that
// each side excludes the levels of the other, and that of a sample's rules one fires.
func TestCategoriesSplitAsSets(t *testing.T) {
	s := categories(400)
	grown := testenv.Must(tree.Grow(t.Context(), s, 2))
	rb := grown.Rules(membership.Gaussian{}, 0.3)
	if len(rb.Splits) != 1 || !reflect.DeepEqual(rb.Splits[0].Not, [2][]int{{2, 4}, {1, 3}}) {
		t.Fatalf("splits %+v", rb.Splits)
	}
	for n, f := range rb.FiringLevels(s.X, nil) {
		if above := n % 2; f[above] < 0.99 {
			t.Fatalf("sample %d: firing levels %v", n, f)
		}
	}
}

// TestSampleWithoutLevel checks that a split by a category has levels on both sides even if the
// target depends on whether there is a level at all.
func TestSampleWithoutLevel(t *testing.T) {
	s := categories(400)
	for n, x := range s.X {
		s.Y[n] = float64(x[0])
		if n%8 > 3 {
			for _, m := range s.Categories[0] {
				x[m] = 0
			}
			s.Y[n] = -float64(x[0]) - 5
		}
	}
	grown := testenv.Must(tree.Grow(t.Context(), s, 4))
	if err := grown.Rules(membership.Gaussian{}, 0.3).Validate(); err != nil {
		t.Error(err)
	}
}

// TestFewerLeaves checks that a tree has fewer leaves than asked for where there are too
// few samples or nothing to gain or neighbours are merged, that constant data give one leaf,
// and that the notes say so.
func TestFewerLeaves(t *testing.T) {
	constant := step(500)
	for n := range constant.X {
		constant.X[n], constant.Y[n] = []float64{1, 2}, 3
	}
	waves := step(3000)
	for n, x := range waves.X {
		waves.Y[n] = math.Sin(9 * x[1])
	}
	plane := step(500)
	rng := rand.New(rand.NewPCG(3, 4))
	for n, x := range plane.X {
		plane.Y[n] = x[0] - 2*x[1] + rng.NormFloat64()
	}
	for name, c := range map[string]struct {
		s         tree.Samples
		R, leaves int
	}{"merged": {plane, 8, 5}, "19 samples": {step(19), 8, 1}, "constant": {constant, 8, 1}, "one leaf": {step(500), 1, 1},
		"one step": {step(3000), 8, 8}, "waves": {waves, 8, 8}} {
		grown := testenv.Must(tree.Grow(t.Context(), c.s, c.R))
		if grown.Rules(membership.Gaussian{}, 0.3).Rules() != c.leaves {
			t.Errorf("%s: %d leaves, want %d", name, grown.Rules(membership.Gaussian{}, 0.3).Rules(), c.leaves)
		}
		if says := strings.Contains(grown.Notes(), fmt.Sprintf("has %d of %d leaves", c.leaves, c.R)); says != (c.leaves < c.R) {
			t.Errorf("%s: notes %q", name, grown.Notes())
		}
		for _, name := range membership.Names() {
			shape, _ := membership.Lookup(name)
			if err := grown.Rules(shape, 0.3).Validate(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestEverySampleHasItsLeaf checks that with hard borders the rule of a sample's leaf
// fires most, for all shapes.
func TestEverySampleHasItsLeaf(t *testing.T) {
	s := step(2000)
	grown := testenv.Must(tree.Grow(t.Context(), s, 6))
	for _, name := range membership.Names() {
		shape, _ := membership.Lookup(name)
		rb := grown.Rules(shape, 0.05)
		right := 0
		for n, f := range rb.FiringLevels(s.X, nil) {
			leaf := 0
			for _, split := range rb.Splits { // parents first
				side := split.Below
				if s.X[n][split.Feature] >= split.Threshold {
					side = split.Above
				}
				if slices.Contains(split.Below, leaf) || slices.Contains(split.Above, leaf) {
					leaf = side[0]
				}
			}
			if f[leaf] == slices.Max(f) {
				right++
			}
		}
		if right < 1900 && name != "gaussian" && name != "cauchy" && name != "laplace" && name != "gbell" && name != "triangular" {
			t.Errorf("%s: %d of 2000 samples fire the rule of their leaf most", name, right)
		}
	}
}

// TestSameBits checks that the tree does not depend on the number of workers.
func TestSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var s tree.Samples
	for range 3000 {
		x := make([]float64, 20)
		for m := range x {
			x[m] = rng.NormFloat64()
		}
		s.X, s.Y = append(s.X, x), append(s.Y, x[0]*x[1]+math.Abs(x[2]))
	}
	var first string
	all := []int{1, 2, 7}
	if testenv.Race {
		all = []int{7}
	}
	for _, workers := range all {
		before := runtime.GOMAXPROCS(workers)
		grown, err := tree.Grow(t.Context(), s, 12)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		rb := grown.Rules(membership.Gaussian{}, 0.3)
		text := fmt.Sprint(rb.Parameters, rb.Splits)
		if first == "" {
			first = text
		} else if text != first {
			t.Errorf("%d workers grow another tree", workers)
		}
	}
}

// TestSeveralOutputs checks that a tree of two outputs splits where either steps, that each output has the plane
// that it has alone on the same splits, and that an output repeated changes nothing.
func TestSeveralOutputs(t *testing.T) {
	s := step(2000)
	var both, twice []float64
	for n, x := range s.X {
		other := x[0]
		if x[0] >= 0.2 {
			other = 8
		}
		both, twice = append(both, s.Y[n], other), append(twice, s.Y[n], s.Y[n])
	}
	grow := func(y []float64, R int) *rules.RuleBase {
		one := s
		one.Y = y
		grown := testenv.Must(tree.Grow(t.Context(), one, R))
		return grown.Rules(membership.Gaussian{}, 0.3)
	}
	features := map[int]bool{}
	for _, split := range grow(both, 4).Splits {
		features[split.Feature] = true
	}
	if !features[0] || !features[1] {
		t.Errorf("splits of features %v, want both", features)
	}
	alone, repeated := grow(s.Y, 3), grow(twice, 3)
	if repeated.OutputCount() != 2 || !reflect.DeepEqual(alone.Splits, repeated.Splits) {
		t.Fatalf("%d outputs, splits %+v, alone %+v", repeated.OutputCount(), repeated.Splits, alone.Splits)
	}
	for c := range 2 {
		if got := repeated.Output(c).Consequents; !reflect.DeepEqual(got, alone.Consequents) {
			t.Errorf("output %d: planes %v, alone %v", c, got, alone.Consequents)
		}
	}
}

// TestClassesSplitByImpurity checks that with constants on indicators of classes the split is that of the least
// Gini impurity, found by trying all thresholds.
func TestClassesSplitByImpurity(t *testing.T) {
	const N = 40
	rng := rand.New(rand.NewPCG(8, 9))
	s := tree.Samples{Constant: true}
	classes := make([]int, N)
	for n := range N {
		classes[n] = min(2, (n+rng.IntN(12))/17)
		row := make([]float64, 3)
		row[classes[n]] = 1
		s.X, s.Y = append(s.X, []float64{float64(n)}), append(s.Y, row...)
	}
	impurity := func(part []int) float64 {
		sum, count := float64(len(part)), make([]float64, 3)
		for _, k := range part {
			count[k]++
		}
		for _, c := range count {
			sum -= c * c / float64(len(part))
		}
		return sum
	}
	want := 10
	for at := 10; at <= N-10; at += 2 { // the quantiles at which a leaf may be split
		if impurity(classes[:at])+impurity(classes[at:]) < impurity(classes[:want])+impurity(classes[want:]) {
			want = at
		}
	}
	grown := testenv.Must(tree.Grow(t.Context(), s, 2))
	if splits := grown.Rules(membership.Gaussian{}, 0.3).Splits; len(splits) != 1 || splits[0].Threshold != float64(want)-0.5 {
		t.Errorf("splits %+v, want one at %v", splits, float64(want)-0.5)
	}
}

// TestGrowRefuses checks the errors.
func TestGrowRefuses(t *testing.T) {
	short := step(5)
	short.Y = short.Y[1:]
	nan, ragged, weight := step(5), step(5), step(5)
	nan.X, ragged.X = slices.Clone(nan.X), slices.Clone(ragged.X)
	nan.X[3], ragged.X[2] = slices.Repeat([]float64{math.NaN()}, len(nan.X[0])), nil
	weight.Weight = slices.Repeat([]float64{-1}, len(weight.X))
	for name, s := range map[string]tree.Samples{"no samples": {}, "too few targets": short, "NaN": nan, "ragged": ragged,
		"negative weights": weight} {
		if _, err := tree.Grow(t.Context(), s, 2); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := tree.Grow(t.Context(), step(5), 0); err == nil {
		t.Error("no leaves: no error")
	}
}

// BenchmarkGrow grows trees of 8 leaves on 45,000 rows.
func BenchmarkGrow(b *testing.B) {
	for _, M := range []int{10, 50} {
		b.Run(fmt.Sprintf("M=%d", M), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			var s tree.Samples
			for range 45_000 {
				x := make([]float64, M)
				for m := range x {
					x[m] = rng.NormFloat64()
				}
				s.X, s.Y = append(s.X, x), append(s.Y, x[0]*x[1]+math.Abs(x[2])+0.3*rng.NormFloat64())
			}
			for b.Loop() {
				if _, err := tree.Grow(b.Context(), s, 8); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestGrowEndsWithTheContext: whenever the context ends, Grow returns its error.
func TestGrowEndsWithTheContext(t *testing.T) {
	calls := testenv.ContextChecks(func(ctx context.Context) {
		if _, err := tree.Grow(ctx, step(500), 4); err != nil {
			t.Fatal(err)
		}
	})
	if calls < 7*2 { // seven nodes, two features
		t.Fatalf("%d checks of the context", calls)
	}
	for after := range calls {
		if _, err := tree.Grow(testenv.EndAfter(after), step(500), 4); !errors.Is(err, context.Canceled) {
			t.Errorf("the context ends after %d of %d checks: %v", after, calls, err)
		}
	}
}
