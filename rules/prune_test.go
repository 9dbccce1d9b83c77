package rules

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// plain returns R rules over R features with the firing levels f_r(x) = x_r, so that rows
// of samples are firing levels. The bias of rule r (from 1) is r.
func plain(t testing.TB, R int) *RuleBase {
	t.Helper()
	shape, err := membership.Formula{
		Name: "plain", Expr: "on*x + 1 - on", Params: []membership.FormulaParam{{Name: "on", Init: "1 + 0*center"}},
	}.Shape()
	testenv.OK(t, err)
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(1, R, R), SpreadFloor: 0.1}
	for r := range R {
		rb.Antecedents[0][r][r] = 1
		rb.Consequents[r][0] = float64(r + 1)
	}
	return rb
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

// biases returns the biases, which identify the rules of plain.
func biases(rb *RuleBase) []float64 {
	var b []float64
	for _, w := range rb.Consequents {
		b = append(b, w[0])
	}
	return b
}

// TestActivityIsTheDefinition compares the sums over blocks with the definition, and the
// result of several workers with that of one.
func TestActivityIsTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, shape := range []string{"gaussian", "trapezoid"} {
		rb, x := drawn(t, rng, shape, 7, 3), matrix(3*blockRows/2, 3)
		for _, row := range x {
			for m := range row {
				row[m] = 2 * rng.NormFloat64()
			}
		}
		x[5] = []float64{1e3, -1e3, 1e3} // covered by no trapezoid
		a, levels := testenv.Must(rb.Activity(context.Background(), x, nil)), rb.FiringLevels(x, nil)
		for i := range 7 {
			mean := 0.0
			for _, f := range levels {
				mean += f[i] / float64(len(x))
			}
			if math.Abs(a.Firing[i]-mean) > 1e-12 {
				t.Errorf("%s: firing of rule %d: %v, want %v", shape, i, a.Firing[i], mean)
			}
			for j := range 7 {
				least, most := 0.0, 0.0
				for _, f := range levels {
					least += min(f[i], f[j])
					most += max(f[i], f[j])
				}
				want := least / most
				if i == j || most == 0 {
					want = 0
				}
				if math.Abs(a.Similarity[i][j]-want) > 1e-12 {
					t.Errorf("%s: s(%d,%d) = %v, want %v", shape, i, j, a.Similarity[i][j], want)
				}
			}
		}
		before := runtime.GOMAXPROCS(1)
		alone := testenv.Must(rb.Activity(context.Background(), x, nil))
		runtime.GOMAXPROCS(5)
		many := testenv.Must(rb.Activity(context.Background(), x, nil))
		runtime.GOMAXPROCS(before)
		testenv.Equal(t, alone, many, "%s: the number of workers changes the result", shape)
		if a := testenv.Must(rb.Activity(context.Background(), nil, nil)); a.Firing[0] != 0 || a.Similarity[0][1] != 0 {
			t.Errorf("%s, without samples: %+v", shape, a)
		}
	}
}

// TestPruneByHand: what is left of rules whose levels are the samples. A level equal to the threshold is not below it, and rules of a
// similarity of theta are not merged. Similarities are those before the removal.
func TestPruneByHand(t *testing.T) {
	four := [][]float64{{0.5, 0.3, 0.15, 0.05}} // the median is 0.225
	threes := [][]float64{{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}}
	for _, c := range []struct {
		x            [][]float64
		gamma, theta float64
		left         []float64 // biases
		decisions    []string
	}{
		{four, 0, 1, []float64{1, 2, 3, 4}, nil},
		{four, 0.2, 1, []float64{1, 2, 3, 4}, nil}, // the threshold is 0.045
		{four, 0.5, 1, []float64{1, 2, 3}, []string{"rule 4 removed: mean firing level 0.05, below 0.1125, 0.5 times the median 0.225"}},
		{four, 1, 1, []float64{1, 2}, []string{"rule 3 removed: mean firing level 0.15, below 0.225, 1 times the median 0.225",
			"rule 4 removed: mean firing level 0.05, below 0.225, 1 times the median 0.225"}},
		{four, 100, 1, []float64{1}, []string{"rule 2 ", "rule 3 ", "rule 4 "}}, // all are below: the strongest stays
		{[][]float64{{0.5, 0.5}}, 1, 1, []float64{1, 2}, nil},
		{[][]float64{{0.2, 0.4, 0.4}, {0.2, 0.4, 0.4}, {0, 0.9, 0.1}}, 0.5, 0.5, []float64{2.5},
			[]string{"rule 1 removed", "rule 3 (weight 1) merged into rule 2 (weight 1): Jaccard similarity 0.5294, above 0.5"}},
		{[][]float64{{2, 1}, {1, 2}}, 0, 0.5, []float64{1, 2}, nil}, // 0.5 of 1
		{threes, 0, 0.49, []float64{2}, []string{"rule 3 ", "rule 2 "}},
		{[][]float64{{1}}, 0.5, 0, []float64{1}, nil},
		{[][]float64{{0, 0, 0}}, 0.5, 0.5, []float64{1, 2, 3}, nil}, // rules that never fire are not alike
	} {
		rb := plain(t, len(c.x[0]))
		got, p := must2(Prune(context.Background(), rb, c.x, nil, c.gamma, c.theta))
		if !slices.EqualFunc(biases(got), c.left, near) || p.Before != len(c.x[0]) || p.After != len(c.left) || got.Validate() != nil ||
			!slices.EqualFunc(p.Decisions(), c.decisions, strings.HasPrefix) {
			t.Errorf("gamma %v, theta %v: rules %v, want %v; %q", c.gamma, c.theta, biases(got), c.left, p.Decisions())
		}
		testenv.Equal(t, rb.Rules(), p.Before, "gamma %v, theta %v: rules of the original", c.gamma, c.theta)
	}
}

func TestMergingByHand(t *testing.T) {
	// s(1,2) = 0.9, s(1,3) = 0.5, s(2,3) = 0.6, and rule 4 fires alone.
	p := newPruner(plain(t, 4), Activity{Firing: make([]float64, 4)})
	p.Similarity = [][]float64{{0, 0.9, 0.5, 0}, {0.9, 0, 0.6, 0}, {0.5, 0.6, 0, 0.1}, {0, 0, 0.1, 0}}
	i, j, s := p.mostSimilar()
	if i != 0 || j != 1 || s != 0.9 {
		t.Fatalf("most similar: %d and %d, %v", i, j, s)
	}
	p.merge(i, j, 0.5)
	// Row 1 is the mean of rows 1 and 2; its diagonal stays zero.
	want := [][]float64{{0, 0.55, 0}, {0.55, 0, 0.1}, {0, 0.1, 0}}
	for a, row := range want {
		for b, v := range row {
			if !near(p.Similarity[a][b], v) {
				t.Errorf("s(%d,%d) = %v, want %v", a, b, p.Similarity[a][b], v)
			}
		}
	}
	p.merge(0, 1, 0.5) // rule 3 into the two
	rb, account := p.done()
	// Biases: (1+2)/2 = 1.5, then (2*1.5 + 1*3)/3 = 2.
	if got := biases(rb); len(got) != 2 || !near(got[0], 2) || got[1] != 4 {
		t.Errorf("biases %v, want 2 and 4", got)
	}
	if on := rb.Antecedents[0][0]; !near(on[0], 1./3) || !near(on[1], 1./3) || !near(on[2], 1./3) || on[3] != 0 {
		t.Errorf("antecedents %v, want thirds", on)
	}
	testenv.Equal(t, rb.MergeWeights, []int{3, 1}, "merge weights")
	if m := account.Merged[1]; m.Rule != 3 || m.Into != 1 || m.Weight != 1 || m.IntoWeight != 2 || !near(m.Similarity, 0.55) {
		t.Errorf("account %+v", m)
	}
	testenv.Equal(t, account.Decisions()[1], "rule 3 (weight 1) merged into rule 1 (weight 2): Jaccard similarity 0.55, above 0.5", "account")
}

// TestWeightsLiveOn: weights count in the next round and are removed with their rule.
func TestWeightsLiveOn(t *testing.T) {
	rb := plain(t, 3)
	rb.MergeWeights = []int{1, 3, 2}
	x := [][]float64{{0.5, 0.5, 0}, {0.1, 0.1, 0.8}}
	got, p := must2(Prune(context.Background(), rb, x, nil, 0, 0.9)) // rules 1 and 2 are one: (1*1 + 3*2)/4
	if b := biases(got); len(b) != 2 || !near(b[0], 1.75) || !slices.Equal(got.MergeWeights, []int{4, 2}) {
		t.Errorf("biases %v, weights %v; %+v", b, got.MergeWeights, p)
	}
	got, _ = must2(Prune(context.Background(), rb, [][]float64{{0.9, 0.01, 0.09}}, nil, 0.5, 1)) // removes rule 2
	testenv.Equal(t, got.MergeWeights, []int{1, 2}, "weights after a removal")
	rb.MergeWeights = []int{1, 3, 1}
	if got, _ = must2(Prune(context.Background(), rb, [][]float64{{0.9, 0.01, 0.09}}, nil, 0.5, 1)); got.MergeWeights != nil {
		t.Errorf("weights %v, want none: all are one", got.MergeWeights)
	}
	for _, bad := range [][]int{{1, 1}, {1, 0, 1}} {
		rb.MergeWeights = bad
		testenv.FailsIs(t, rb.Validate(), ErrInvalid, "merge weight", "weights %v", bad)
	}
}

func TestPruneOneByHand(t *testing.T) {
	// Rule 3 with output 3 has the firing level 0.1; rules 1 and 2, with outputs 1 and 2, are
	// the most similar.
	x := [][]float64{{0.5, 0.4, 0.1}, {0.4, 0.5, 0.1}}
	// Without rule 3 the outputs are 13/9 and 14/9.
	got, p := must2(PruneOne(context.Background(), plain(t, 3), x, []float64{13. / 9, 14. / 9}, nil, nil))
	if !slices.Equal(biases(got), []float64{1, 2}) || p.Decisions()[0] != "rule 3 removed: mean firing level 0.1, the "+
		"lowest; the median is 0.45" {
		t.Errorf("%v, %q", biases(got), p.Decisions())
	}
	// Targets equal to the output after merging give the merge no error.
	merged := plain(t, 3)
	mergeRules(merged, 0, 1)
	deleteRule(merged, 1)
	y, _, _ := merged.Forward(x, nil)
	got, p = must2(PruneOne(context.Background(), plain(t, 3), x, y, nil, nil))
	if !slices.Equal(biases(got), []float64{1.5, 3}) || len(p.Merged) != 1 || !near(p.Merged[0].Similarity, 0.8) {
		t.Errorf("%v, %q", biases(got), p.Decisions())
	}
	// The prediction for a sample that is no longer covered is zero.
	far := [][]float64{{0, 0, 1}, {1, 1, 0}, {1, 1, 0}, {1, 1, 0}}
	if got, p = must2(PruneOne(context.Background(), plain(t, 3), far, []float64{3, 1.5, 1.5, 1.5}, nil, nil)); got.Rules() != 2 ||
		len(p.Merged) != 1 {
		t.Errorf("the only rule that covers a sample was removed: %q", p.Decisions())
	}
	if got, p = must2(PruneOne(context.Background(), plain(t, 1), [][]float64{{1}}, []float64{1}, nil, nil)); got.Rules() != 1 ||
		p.Decisions() != nil {
		t.Errorf("one rule: %+v", p)
	}
	if got, p = must2(PruneOne(context.Background(), plain(t, 3), [][]float64{{0, 0, 0}}, []float64{1}, nil, nil)); got.Rules() != 2 ||
		len(p.Removed) != 1 {
		t.Errorf("rules that never fire: %+v", p)
	}
}

// drawn returns a rulebase of a shape with rules placed at random.
func drawn(t testing.TB, rng *rand.Rand, shape string, R, M int) *RuleBase {
	t.Helper()
	f := testenv.Must(membership.Lookup(shape))
	c := &Clusters{Centers: matrix(R, M), Spreads: matrix(R, M), Targets: make([]float64, R)}
	for r := range R {
		for m := range M {
			c.Centers[r][m], c.Spreads[r][m] = 2*rng.NormFloat64(), 0.1+rng.Float64()
		}
		c.Targets[r] = rng.NormFloat64()
	}
	rb := New(f, c)
	for r := range R {
		for m := range M {
			rb.Consequents[r][m+1] = rng.NormFloat64()
		}
	}
	return rb
}

// TestPruningProperties: for any rules, samples and thresholds, the result is a valid
// rulebase, the record is consistent, each rule leaves once, the sum of the merge weights
// is kept, and the original rulebase does not change.
func TestPruningProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		R, M := rapid.IntRange(1, 9).Draw(t, "R"), rapid.IntRange(1, 3).Draw(t, "M")
		f, _ := membership.Lookup(rapid.SampledFrom(membership.Names()).Draw(t, "shape"))
		rb := drawn(tb{}, rng, f.Name(), R, M)
		for range R {
			rb.MergeWeights = append(rb.MergeWeights, 1+rng.IntN(3))
		}
		x := matrix(rapid.IntRange(0, 20).Draw(t, "N"), M)
		for _, row := range x {
			for m := range row {
				row[m] = 3 * rng.NormFloat64()
			}
		}
		before := rb.Clone()
		gamma, theta := rapid.Float64Range(0, 3).Draw(t, "gamma"), rapid.Float64Range(0, 1).Draw(t, "theta")
		got, p := must2(Prune(context.Background(), rb, x, nil, gamma, theta))
		if rapid.Bool().Draw(t, "one") {
			got, p = must2(PruneOne(context.Background(), rb, x, make([]float64, len(x)), nil, nil))
			testenv.Equal(t, p.Before-p.After, min(1, R-1), "%+v: not one", p)
		}
		testenv.Equal(t, rb, before, "the original rulebase was changed")
		testenv.OK(t, got.Validate())
		if got.SpreadFloor != rb.SpreadFloor || p.Before != R || p.After != got.Rules() ||
			p.Before-len(p.Removed)-len(p.Merged) != p.After || p.After < 1 {
			t.Fatalf("%d rules, %+v", got.Rules(), p)
		}
		gone, weights := map[int]bool{}, 0
		for _, r := range p.Removed {
			gone[r.Rule] = true
			weights += rb.MergeWeight(r.Rule - 1)
		}
		for _, m := range p.Merged {
			if gone[m.Rule] || gone[m.Into] || m.Into >= m.Rule || m.Rule > R {
				t.Fatalf("%+v after %v had left", m, gone)
			}
			gone[m.Rule] = true
		}
		testenv.Equal(t, len(gone), R-p.After, "rules gone, %d left", p.After)
		for r := range R {
			weights -= rb.MergeWeight(r)
		}
		for r := range got.Rules() {
			weights += got.MergeWeight(r)
		}
		testenv.Equal(t, weights, 0, "merge weights do not add up")
	})
}

// tb is for helpers that cannot fail here.
type tb struct{ testing.TB }

func (tb) Helper() {}

// TestTwinsAreMerged: if every rule is duplicated, each pair is merged into the original
// rule, to the bit, and the predictions do not change.
func TestTwinsAreMerged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		R := rapid.IntRange(1, 6).Draw(t, "R")
		rb := drawn(tb{}, rng, "gaussian", R, 2)
		x := matrix(30, 2)
		for _, row := range x {
			row[0], row[1] = 2*rng.NormFloat64(), 2*rng.NormFloat64()
		}
		twins := rb.Clone()
		for j, a := range rb.Clone().Antecedents {
			twins.Antecedents[j] = append(twins.Antecedents[j], a...)
		}
		twins.Consequents = append(twins.Consequents, rb.Clone().Consequents...)
		if slices.Min(testenv.Must(twins.Activity(context.Background(), x, nil)).Firing) < 1e-300 {
			t.Skip("a rule that never fires is similar to no other")
		}
		got, p := must2(Prune(context.Background(), twins, x, nil, 0, 1-1e-9))
		testenv.Equal(t, got.Rules(), R, "rules of pairs: %+v", p)
		testenv.Equal(t, got.Parameters, rb.Parameters)
		want, _, _ := twins.Forward(x, nil)
		y, _, _ := got.Forward(x, nil)
		for n := range y {
			if math.Abs(y[n]-want[n]) > 1e-9*(1+math.Abs(want[n])) {
				t.Fatalf("sample %d: %v, was %v", n, y[n], want[n])
			}
		}
	})
}

// TestSumsHoldLittle: sumBlocks allocates one sum per goroutine and adds the sums of the
// blocks in order.
func TestSumsHoldLittle(t *testing.T) {
	const blocks, width = 200, 3
	before := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(before)
	var mu sync.Mutex
	seen := map[*float64]bool{}
	got := sumBlocks(blocks*blockRows-7, width, func(sum []float64, start, end int) {
		mu.Lock()
		seen[&sum[0]] = true
		mu.Unlock()
		for i := range sum {
			testenv.Equal(t, sum[i], 0, "block %d begins at %v", start/blockRows, sum)
			sum[i] = 1 / float64(end+i)
		}
	})
	want := make([]float64, width)
	for b := range blocks {
		for i := range want {
			want[i] += 1 / float64(min((b+1)*blockRows, blocks*blockRows-7)+i)
		}
	}
	testenv.Equal(t, got, want)
	if len(seen) > 5 {
		t.Errorf("%d sums for 4 goroutines", len(seen))
	}
}
