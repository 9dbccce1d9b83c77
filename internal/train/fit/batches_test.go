package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/optim"
)

// generated returns n samples of three features, one of them skewed, changed by the given function.
func generated(t testing.TB, n int, change func(d *data.Dataset, rng *rand.Rand)) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = []float64{rng.NormFloat64(), math.Exp(rng.NormFloat64()), rng.Float64()}
		y[i] = 3 + x[i][0]*x[i][2] + 0.1*rng.NormFloat64()
	}
	d := testenv.Must(data.New([]string{"a", "b", "c"}, "y", x, y))
	change(d, rng)
	return d
}

func plain(*data.Dataset, *rand.Rand) {}

func weigh(d *data.Dataset, rng *rand.Rand) {
	for range d.Y {
		d.Weights = append(d.Weights, 10+90*rng.Float64())
	}
}

// classify makes the target one of K classes, the first the most frequent.
func classify(K int) func(d *data.Dataset, rng *rand.Rand) {
	return func(d *data.Dataset, rng *rand.Rand) {
		d.Schema.Classes = []string{"p", "q", "r"}[:K]
		for n := range d.Y {
			d.Y[n] = math.Floor(float64(K) * rng.Float64() * rng.Float64())
		}
	}
}

// kind is a training whose samples go through their own steps.
type kind struct {
	change func(d *data.Dataset, rng *rand.Rand)
	recipe func(r *recipe.Recipe)
}

func kinds() map[string]kind {
	none := func(*recipe.Recipe) {}
	return map[string]kind{
		"plain":    {plain, none},
		"sum":      {plain, func(r *recipe.Recipe) { *r = recipe.Paper(); r.Train.Batch = 32 }},
		"weighted": {weigh, none},
		"classes, weighted": {func(d *data.Dataset, rng *rand.Rand) { classify(3)(d, rng); weigh(d, rng) }, func(r *recipe.Recipe) {
			r.Train.ClassWeights, r.Train.LabelSmoothing = recipe.BalancedClasses, 0.1
		}},
		"two classes": {classify(2), func(r *recipe.Recipe) { r.Train.ClassWeights = recipe.BalancedClasses }},
		"targets": {func(d *data.Dataset, rng *rand.Rand) {
			other := slices.Clone(d.Y)
			for n := range other {
				other[n] = 100*rng.Float64() - other[n]
			}
			d.Others, d.Schema.Others = [][]float64{other}, []data.Other{{Name: "z"}}
		}, func(r *recipe.Recipe) { r.Train.TargetWeights = recipe.Numbers{1, 3} }},
		"quantiles": {plain, func(r *recipe.Recipe) {
			r.Train.Loss, r.Train.Params = "quantile", loss.Values{"quantiles": {0.1, 0.5, 0.9}}
		}},
		"missing": {func(d *data.Dataset, rng *rand.Rand) {
			d.Missing.Policy = "mean"
			for n := 0; n < d.Len(); n += 5 {
				d.X[n][n/5%3] = math.NaN()
			}
		}, none},
		"components": {plain, func(r *recipe.Recipe) { r.Model.PCA, r.Model.Transform = 2, "none" }},
	}
}

// training returns the trainer of a kind of training on a data set, before its rules are placed.
func (k kind) training(t testing.TB, d *data.Dataset) *trainer {
	t.Helper()
	r := recipe.Robust()
	r.Train.Race, r.Train.Members, r.Train.Batch, r.Model.Rules = nil, 1, 32, 4
	k.recipe(&r)
	r = testenv.Must(r.Resolve())
	set := testenv.Must(Prepare(context.Background(), d, r))
	tr := testenv.Must(newTrainer(set, nil, Job{Recipe: r}))
	return tr
}

// TestBucketsAreLikeTheSample: the chunks hold all rows of the Whole as a training on all of them in memory, by the
// preprocessing of the sample, has them.
func TestBucketsAreLikeTheSample(t *testing.T) {
	for name, k := range kinds() {
		all := generated(t, 300, k.change)
		tr := k.training(t, wholetest.Every(all, 3))
		weighed := testenv.Must(all.Weighed())
		set := testenv.Must(scaled(tr.prep, weighed))
		memory := *tr
		memory.TrainingSet = set
		const B = 32
		want := memory.samples(B)
		C := len(want.Y) / len(want.X)
		chunks := &buckets{trainer: tr, B: B}
		seen := 0
		for i := range chunks.Len() {
			got := testenv.Must(chunks.Chunk(i))
			seen += len(got.X)
			if len(got.X) > 0 && (got.Weight == nil) != (want.Weight == nil) {
				t.Fatalf("%s: weights %v, want %v", name, got.Weight, want.Weight[:len(got.X)])
			}
			for n, x := range got.X {
				of := n*6 + i // see wholetest.Sample
				if !slices.Equal(x, want.X[of]) || !slices.Equal(got.Y[n*C:(n+1)*C], want.Y[of*C:(of+1)*C]) {
					t.Errorf("%s, row %d: %v, %v, want %v, %v", name, of, x, got.Y[n*C:(n+1)*C], want.X[of], want.Y[of*C:(of+1)*C])
				}
				if want.Weight != nil && math.Abs(got.Weight[n]/want.Weight[of]-1) > 1e-7 { // see data.WeighedBucket
					t.Errorf("%s, row %d: weight %v, want %v", name, of, got.Weight[n], want.Weight[of])
				}
			}
		}
		if seen != 300 {
			t.Errorf("%s: %d rows", name, seen)
		}
	}
}

// TestWeightsOfBucketsHaveNoUnit: a common factor of all weights changes no bit, and weights that are all equal are one.
func TestWeightsOfBucketsHaveNoUnit(t *testing.T) {
	weights := func(factor, spread float64) (all []float64) {
		d := generated(t, 300, func(d *data.Dataset, rng *rand.Rand) {
			weigh(d, rng)
			for n, w := range d.Weights {
				d.Weights[n] = factor * (1 + spread*w)
			}
		})
		sample := wholetest.Every(d, 3)
		for i := range sample.Whole.Buckets() {
			b := testenv.Must(data.WeighedBucket(sample.Whole, i))
			if b != nil {
				all = append(all, b.Weights...)
			}
		}
		return all
	}
	want := weights(1, 1)
	for _, factor := range []float64{1e-200, 0.1, 3, 1e200} {
		if !slices.Equal(weights(factor, 1), want) {
			t.Errorf("the factor %v changes weights", factor)
		}
	}
	if got := weights(0.1, 0); !slices.Equal(got, slices.Repeat([]float64{1}, 300)) {
		t.Errorf("equal weights are %v", got)
	}
	if slices.Min(want) > 0.5 || slices.Max(want) < 1.5 {
		t.Errorf("weights from %v to %v", slices.Min(want), slices.Max(want))
	}
}

// TestBatchesOfAWhole: batches come from the buckets, unless a batch has all samples or there is no Whole.
func TestBatchesOfAWhole(t *testing.T) {
	d, alone := wholetest.Every(generated(t, 300, plain), 3), wholetest.Every(generated(t, 300, plain), 3)
	alone.Whole = nil
	for _, c := range []struct {
		d      *data.Dataset
		batch  int
		stream bool
	}{{d, 32, true}, {alone, 32, false}, {d, 0, false}, {d, 100, false}, {d, 99, true}} {
		tr := kind{plain, func(r *recipe.Recipe) { r.Train.Batch = c.batch }}.training(t, c.d)
		at := testenv.Must(place(context.Background(), tr.TrainingSet, tr.Recipe, nil))
		tr.rules = at.rules
		b := testenv.Must(newBatches(tr, tr.Recipe.Train.BatchOf(len(tr.x)), 1))
		if _, stream := b.(*optim.Stream); stream != c.stream {
			t.Errorf("batch %d, Whole %t: %T", c.batch, c.d.Whole != nil, b)
		}
	}
}

// failing is a Whole whose buckets cannot be read.
type failing struct{ data.Whole }

var errDamaged = &data.Error{Message: "the scratch file is damaged"}

func (failing) Bucket(int) (*data.Dataset, error) { return nil, errDamaged }

// TestUnreadableBucket: its error ends training.
func TestUnreadableBucket(t *testing.T) {
	d := wholetest.Every(generated(t, 300, plain), 3)
	d.Whole = failing{d.Whole}
	r := recipe.Paper()
	r.Model.Rules, r.Train.Batch = 4, 32
	used := testenv.Must(r.Resolve())
	if _, err := Train(context.Background(), d, nil, Job{Recipe: used}); !errors.Is(err, errDamaged) {
		t.Errorf("error is %v", err)
	}
}
