package fit

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tree"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// TrainingSet is a preprocessed training part with the clusters of its initialisers.
// Trainings on the same part share it if their recipes differ only by a setting of a race;
// they may run concurrently. The data set must not change.
type TrainingSet struct {
	data *data.Dataset
	prep model.Preprocessing
	x    [][]float64 // [N][M] or [N][2M], the scaled samples
	y    []float64   // [N,C], see model.Preprocessing.Targets

	drawn bool // the samples were drawn from more: the part has a Whole, or is a subset of one that has

	mu     sync.Mutex
	starts map[startKey]*rules.Clusters
	trees  map[int]*tree.Tree               // by the number of rules
	sorted map[struct{}]rules.SortedColumns // one at most
}

// Prepare fits the preprocessing to the weighed training part and applies it. A part that cannot be
// trained on is a *data.Error; if ctx ends, the error wraps that of ctx.
func Prepare(ctx context.Context, train *data.Dataset, r recipe.Recipe) (*TrainingSet, error) {
	prep, err := Preprocess(ctx, train, r)
	if err != nil {
		return nil, err
	}
	if prep.Components, err = principalComponents(ctx, prep, train.X, train.Weights, r.Model.PCA); err != nil {
		return nil, err
	}
	if r.Model.Transform == "yeo-johnson" {
		if err := prep.Straighten(ctx, train.X, train.Weights); err != nil {
			return nil, interrupted(ctx)
		}
	}
	if r.Train.MeanLoss() {
		prep.Standardise(train)
	}
	if err := prep.Limit(float64(r.Model.Margin), (*[2]float64)(r.Model.Range)); err != nil {
		return nil, err
	}
	if err := interrupted(ctx); err != nil {
		return nil, err
	}
	return scaled(prep, train)
}

// PrepareSubset is [Prepare] for some of the samples of a training part, such as those of a split. They count as
// a sample if the part has a Whole.
func PrepareSubset(ctx context.Context, train *data.Dataset, rows []int, r recipe.Recipe) (*TrainingSet, error) {
	part, err := train.Subset(rows).Weighed() // its weights have another mean
	if err != nil {
		return nil, err
	}
	set, err := Prepare(ctx, part, r)
	if err == nil {
		set.drawn = train.Whole != nil
	}
	return set, err
}

// Preprocess fits scales and the response of the recipe's loss to a weighed training part.
func Preprocess(ctx context.Context, train *data.Dataset, r recipe.Recipe) (model.Preprocessing, error) {
	prep, err := model.Fit(ctx, train)
	if err != nil {
		return prep, cmp.Or(interrupted(ctx), err)
	}
	l := r.Train.LossFunction(len(train.Schema.Classes))
	return prep, prep.SetResponse(l, model.Response{Quantiles: r.Train.Params["quantiles"], Weights: r.Train.TargetWeights}, train)
}

// scaled applies a preprocessing to a training part.
func scaled(prep model.Preprocessing, train *data.Dataset) (*TrainingSet, error) {
	x, err := prep.Scale(train.X)
	if err != nil {
		return nil, &data.Error{Message: err.Error(), Err: err}
	}
	return newSet(&TrainingSet{data: train, prep: prep, x: x, y: prep.Targets(train), drawn: train.Whole != nil}), nil
}

// newSet returns a set without starts.
func newSet(s *TrainingSet) *TrainingSet {
	s.starts, s.trees, s.sorted = map[startKey]*rules.Clusters{}, map[int]*tree.Tree{}, map[struct{}]rules.SortedColumns{}
	return s
}

// WithTargets returns the set for training on other targets [N] of numbers, in the target's unit. Its preprocessing, and the figures of
// models that are trained on it, remain those of the data set. The set must not have a Whole.
func (s *TrainingSet) WithTargets(y []float64) *TrainingSet {
	d := *s.data
	d.Y = y
	return newSet(&TrainingSet{data: s.data, prep: s.prep, x: s.x, y: s.prep.Targets(&d), drawn: s.drawn})
}

// Summarised returns a model of a training with [Job.Unmeasured] with the summaries of its rules
// over the set, which files of models and descriptions of rules need.
func (s *TrainingSet) Summarised(ctx context.Context, m *model.Model) (*model.Model, error) {
	of, err := model.New(ctx, m.Preprocessing, m.RuleBase, s.data.X, s.data.Weights, m.Training)
	if err == nil {
		of.Pages = m.Pages
	}
	return of, err
}

// startKey identifies clusters: an initialiser and a number of rules.
type startKey struct {
	init  string
	rules int
}

// antecedents returns the inputs of the antecedents, [N][M].
func (s *TrainingSet) antecedents() [][]float64 { return s.inputs(0) }

// consequents returns the inputs of the consequents, [N][M].
func (s *TrainingSet) consequents() [][]float64 { return s.inputs(len(s.x[0]) - len(s.prep.Inputs())) }

// inputs returns M columns of the scaled samples, from one on.
func (s *TrainingSet) inputs(from int) [][]float64 {
	M := len(s.prep.Inputs())
	x := make([][]float64, len(s.x))
	for n, row := range s.x {
		x[n] = row[from : from+M]
	}
	return x
}

// once returns the value of a key, which concurrent trainings of a set compute once.
func once[K comparable, V any](s *TrainingSet, values map[K]V, key K, compute func() (V, error)) (V, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, known := values[key]
	if known {
		return v, nil
	}
	v, err := compute()
	if err == nil {
		values[key] = v
	}
	return v, err
}

// clusters returns the clusters of the recipe's initialiser. For k-means many samples count as drawn: training moves the centers
// further than another replicate, or the last iterations, would.
func (s *TrainingSet) clusters(ctx context.Context, r recipe.Recipe) (*rules.Clusters, error) {
	return once(s, s.starts, startKey{r.Model.Init, r.Model.Rules}, func() (*rules.Clusters, error) {
		rng := rand.New(rand.NewPCG(r.Train.Seed, initStream))
		samples := s.clustered(r.Model.Rules, rng)
		samples.Drawn = samples.Drawn || len(s.x) >= manyRows && slices.Contains([]string{"kmeans", recipe.ByClass}, r.Model.Init)
		return s.clustersOf(ctx, r, r.Model.Init, samples, r.Model.Rules, rng)
	})
}

// The samples of k-means count as drawn if there are at least manyRows. Clusters of a sample are found on clusterRows of its rows or, of
// many rules, on rowsPerCluster for each: further rows move the centers of clusters by less than training does.
const (
	manyRows       = 1000
	clusterRows    = 20_000
	rowsPerCluster = 200
)

// clustered returns the samples that an initialiser of R rules clusters: all, or some at random if they were drawn
// from more.
func (s *TrainingSet) clustered(R int, rng *rand.Rand) rules.Samples {
	all := rules.Samples{X: s.antecedents(), Y: s.y, Weight: s.data.Weights, Drawn: s.drawn}
	n, C := max(clusterRows, rowsPerCluster*R), len(s.y)/len(s.x)
	if !s.drawn || n >= len(s.x) {
		return all
	}
	some := rules.Samples{Drawn: true}
	for _, i := range data.Draw(s.data, n, rng) {
		some.X, some.Y = append(some.X, all.X[i]), append(some.Y, all.Y[i*C:(i+1)*C]...)
		if all.Weight != nil {
			some.Weight = append(some.Weight, all.Weight[i])
		}
	}
	if total := numeric.WeightSum(some.Weight, n); some.Weight != nil {
		for i := range some.Weight {
			some.Weight[i] /= total / float64(n)
		}
	}
	return some
}

// tree returns the tree of the recipe's number of leaves at most. Of classes its leaves are constant:
// the squared errors of the indicators are the Gini impurity, and the slopes of log odds start at zero. So they are with interactions:
// the columns of a plane would have to meet those of the splits.
func (s *TrainingSet) tree(ctx context.Context, r recipe.Recipe) (*tree.Tree, error) {
	return once(s, s.trees, r.Model.Rules, func() (*tree.Tree, error) {
		splits, slopes := s.treeColumns(r.Model)
		return tree.Grow(ctx, tree.Samples{
			X: s.antecedents(), Z: s.consequents(), Y: s.y, Weight: s.data.Weights,
			Constant:   r.Model.Order == 0 || s.data.Schema.Classes != nil || r.Model.Interactions != nil,
			Categories: s.prep.Categories(), Splits: splits, Slopes: slopes,
		}, r.Model.Rules)
	})
}

// sortedColumns returns the sorted inputs of the consequents.
func (s *TrainingSet) sortedColumns(ctx context.Context) (rules.SortedColumns, error) {
	return once(s, s.sorted, struct{}{}, func() (rules.SortedColumns, error) {
		return rules.SortColumns(ctx, s.consequents(), s.data.Weights)
	})
}

// initStream separates the initialiser's random stream from the others drawn from the same
// seed.
const initStream = 0x696e6974 // "init"

// newBatches returns the mini-batches of B samples: of all rows if the training set is the
// sample of a Whole and larger than a batch, else of the training set.
func newBatches(t *trainer, B int, seed uint64) (optim.Batches, error) {
	train := t.Recipe.Train
	masks, err := optim.NewDropRule(t.rules.Rules(), min(train.DropRule, train.RuleDropout), seed) // one of them is 1
	if err != nil {
		return nil, err
	}
	if t.data.Whole == nil || B == len(t.x) {
		return optim.NewSampler(t.samples(B), B, masks, seed)
	}
	return optim.NewStream(t.samples(B), &buckets{trainer: t, B: B}, B, masks, seed)
}

// buckets are the buckets of the Whole of a training set as chunks for batches of B
// samples, put through the same functions as its sample.
type buckets struct {
	*trainer
	B     int
	cells []float64 // backs the scaled samples of the bucket in memory
}

// Len returns the number of buckets.
func (b *buckets) Len() int { return b.data.Whole.Buckets() }

// Chunk reads bucket i. A bucket that cannot be read or scaled is a *data.Error.
func (b *buckets) Chunk(i int) (optim.Data, error) {
	d, err := data.WeighedBucket(b.data.Whole, i)
	if err != nil || d == nil {
		return optim.Data{}, err
	}
	x, err := b.scale(d)
	if err != nil {
		return optim.Data{}, err
	}
	y := b.prep.Targets(d)
	train := b.Recipe.Train
	train.Smooth(y, len(d.Schema.Classes))
	d.Whole = b.data.Whole // the classes have the weights of all rows
	return optim.Data{X: x, Y: y, Weight: lossWeights(train, train.LossWeights(d), len(x), b.B)}, nil
}

// scale returns the scaled samples of a bucket, which replace those of the bucket before. It
// scales a part at a time, so that beside them there is one copy of the bucket in memory.
func (b *buckets) scale(d *data.Dataset) ([][]float64, error) {
	const rows = 1024
	width := len(b.x[0])
	b.cells = b.cells[:0]
	for from := 0; from < d.Len(); from += rows {
		scaled, err := b.prep.Scale(d.X[from:min(from+rows, d.Len())])
		if fault := new(model.SampleError); errors.As(err, &fault) {
			return nil, &data.Error{Message: fault.Message, Err: err}
		}
		if err != nil {
			return nil, err
		}
		for _, row := range scaled {
			b.cells = append(b.cells, row...)
		}
	}
	x := make([][]float64, d.Len())
	for n := range x {
		x[n] = b.cells[n*width : (n+1)*width : (n+1)*width]
	}
	return x, nil
}
