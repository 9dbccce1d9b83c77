package rules

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// weightedTable returns samples with weights 1, 2 and 3, and the same samples repeated as
// often.
func weightedTable() (x [][]float64, y, weight []float64, xx [][]float64, yy []float64) {
	x, y = table(300, 3)
	for n, row := range x {
		w := 1 + n%3
		weight = append(weight, float64(w))
		xx, yy = append(xx, slices.Repeat([][]float64{row}, w)...), append(yy, slices.Repeat(y[n:n+1], w)...)
	}
	return x, y, weight, xx, yy
}

// TestWeightsAreRepetitions: in sums over samples, a sample of weight k is equivalent to k
// samples.
func TestWeightsAreRepetitions(t *testing.T) {
	x, y, weight, xx, yy := weightedTable()
	rb := New(membership.Gaussian{}, testenv.Must(OneFeature(t.Context(), Samples{X: x, Y: y, Weight: weight}, 6, rng(1))))
	for r := range rb.Rules() {
		rb.Consequents[r][1] = float64(r)
	}
	got, want := testenv.Must(rb.Activity(context.Background(), x, weight)), testenv.Must(rb.Activity(context.Background(), xx, nil))
	for r, f := range want.Firing {
		if math.Abs(got.Firing[r]-f) > 1e-12 || !slices.EqualFunc(got.Similarity[r], want.Similarity[r], near) {
			t.Errorf("rule %d: firing %v, repeated %v; similarity %v and %v", r+1, got.Firing[r], f, got.Similarity[r], want.Similarity[r])
		}
	}
	squared := loss.Joint(loss.Squared{}, nil)
	if got, want := testenv.Must(sumOfLosses(context.Background(), rb, x, y, weight, squared)),
		testenv.Must(sumOfLosses(context.Background(), rb, xx, yy, numeric.EachWeight(nil, len(xx)), squared)); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("squared error %v, repeated %v", got, want)
	}
	if got, want := testenv.Must(Shorten(t.Context(), rb, x, weight, 1.5, nil)),
		testenv.Must(Shorten(t.Context(), rb, xx, nil, 1.5, nil)); !reflect.DeepEqual(got, want) {
		t.Errorf("shortened %v, repeated %v", got, want)
	}
	u := randomPartition(len(x), 4, rng(2))
	var uu [][]float64
	for n, row := range u {
		for range int(weight[n]) {
			uu = append(uu, slices.Clone(row))
		}
	}
	a := &fuzzyPartition{x: x, weight: weight, u: u, centers: make([]float64, 12)}
	b := &fuzzyPartition{x: xx, weight: numeric.EachWeight(nil, len(xx)), u: uu, centers: make([]float64, 12)}
	var of [2]Clusters
	for i, f := range []*fuzzyPartition{a, b} {
		f.moveCenters(testenv.Must(f.sums(t.Context())))
		testenv.OK(t, testenv.Err(f.update(t.Context())))
		testenv.Must(0, f.moments(t.Context(), &of[i], [][]float64{y, yy}[i]))
		of[i].Centers = rowsOf(f.centers, 4, 3)
	}
	for r := range 4 {
		if !slices.EqualFunc(of[0].Centers[r], of[1].Centers[r], near) || !slices.EqualFunc(of[0].Spreads[r], of[1].Spreads[r], near) ||
			!near(of[0].Targets[r], of[1].Targets[r]) {
			t.Errorf("fuzzy cluster %d: %+v, repeated %+v", r, of[0], of[1])
		}
	}
	for m := range 3 {
		var column, repeated []float64
		for _, row := range x {
			column = append(column, row[m])
		}
		for _, row := range xx {
			repeated = append(repeated, row[m])
		}
		if got, want := meanNear(column, y, weight, 1, 2), meanNear(repeated, yy, numeric.EachWeight(nil, len(yy)), 1, 2); !near(got[0],
			want[0]) {
			t.Errorf("mean near: %v, repeated %v", got, want)
		}
	}
}

// TestKMeansIsWeighted: centers are the weighted means of their samples.
func TestKMeansIsWeighted(t *testing.T) {
	x := [][]float64{{0}, {1}, {10}, {11}}
	c := testenv.Must(KMeans(t.Context(), Samples{X: x, Y: []float64{0, 4, 0, 8}, Weight: []float64{1, 3, 7, 1}}, 2, rng(1)))
	slices.SortFunc(c.Centers, slices.Compare)
	slices.Sort(c.Targets)
	if !near(c.Centers[0][0], 0.75) || !near(c.Centers[1][0], 10.125) || !near(c.Targets[0], 1) || !near(c.Targets[1], 3) {
		t.Errorf("centers %v, targets %v", c.Centers, c.Targets)
	}
	slices.SortFunc(c.Spreads, slices.Compare)
	if want := math.Sqrt(0.75 / 4 * 2); !near(c.Spreads[1][0], want) { // sum of w d^2 over sum of w, times n/(n-1)
		t.Errorf("spreads %v, want %v", c.Spreads, want)
	}
	n := make([]int, 3)
	draws := rand.New(rand.NewPCG(1, 1))
	for range 6000 {
		n[pick([]float64{1, 2, 3}, 3, draws)]++
	}
	if math.Abs(float64(n[0])-1000) > 120 || math.Abs(float64(n[1])-2000) > 150 {
		t.Errorf("of 6000 draws by weights 1, 2 and 3: %v", n)
	}
}

// TestOnesAreNoWeights: weights of one do not change a bit of results that draw no samples
// by weight.
func TestOnesAreNoWeights(t *testing.T) {
	x, y := table(3000, 3)
	ones := numeric.EachWeight(nil, len(x))
	for name, initialise := range map[string]Initialiser{"fcm": FuzzyCMeans, "genfis": GenFIS, "one-feature": OneFeature} {
		with, err := initialise(t.Context(), Samples{X: x, Y: y, Weight: ones}, 5, rng(1))
		if without, _ := initialise(t.Context(), Samples{X: x, Y: y}, 5, rng(1)); err != nil || !reflect.DeepEqual(with, without) {
			t.Errorf("%s: %v and %v, %v", name, with, without, err)
		}
	}
	with, err := Grid(membership.Gaussian{}, x, ones)
	if without, _ := Grid(membership.Gaussian{}, x, nil); err != nil || !reflect.DeepEqual(with, without) {
		t.Errorf("grid: %v and %v, %v", with, without, err)
	}
	if a, b := testenv.Must(with.Activity(context.Background(), x, ones)),
		testenv.Must(with.Activity(context.Background(), x, nil)); !reflect.DeepEqual(a, b) {
		t.Error("activity differs")
	}
}

// TestClusteringEndsWithTheContext: whenever the context ends, every initialiser returns its error and
// examines at most the pieces of the samples that were begun.
func TestClusteringEndsWithTheContext(t *testing.T) {
	x, y := table(3*blockRows, 3)
	for n := range y {
		y[n] = float64(n % 2)
	}
	for name, initialise := range map[string]Initialiser{"fcm": FuzzyCMeans, "kmeans": KMeans, "by class": KMeansByClass,
		"genfis": GenFIS, "one-feature": OneFeature} {
		calls := testenv.ContextChecks(func(ctx context.Context) { testenv.Must(initialise(ctx, Samples{X: x, Y: y}, 5, rng(1))) })
		if least := int64(2 * len(x[0])); name == "one-feature" && calls < least || name != "one-feature" && calls < int64(len(x)/pieceRows) {
			t.Errorf("%s checks the context %d times", name, calls)
		}
		for _, after := range []int64{0, 1, calls / 2, calls - 1} {
			ctx := testenv.EndAfter(after)
			c, err := initialise(ctx, Samples{X: x, Y: y}, 5, rng(1))
			if c != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, the context ends after %d of %d checks: %v", name, after, calls, err)
			}
			if more := ctx.Late(); more > 3*3+2 { // each worker ends its blocks, of which there are three
				t.Errorf("%s: %d checks after the end of the context", name, more)
			}
		}
	}
}

// TestPassesEndWithTheContext: what follows training hears its context in every pass over the samples.
func TestPassesEndWithTheContext(t *testing.T) {
	x, y := table(3*blockRows, 3)
	rb := New(membership.Gaussian{}, testenv.Must(KMeans(t.Context(), Samples{X: x, Y: y}, 4, rng(1))))
	for name, work := range map[string]func(context.Context) error{
		"WithoutIdle": func(ctx context.Context) error { _, err := WithoutIdle(ctx, rb, x); return err },
		"Prune":       func(ctx context.Context) error { _, _, err := Prune(ctx, rb, x, nil, 0.5, 0.9); return err },
		"PruneOne":    func(ctx context.Context) error { _, _, err := PruneOne(ctx, rb, x, y, nil, nil); return err },
	} {
		testenv.EndsEarly(t, name, 3, work)
	}
}
