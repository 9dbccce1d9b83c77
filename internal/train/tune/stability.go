package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// StabilityOptions are the options of [Stability]. The zero value is the default.
type StabilityOptions struct {
	Seeds   int // models trained, with the seeds s, s+1, ... from Train.Seed on; 0: 5
	Workers int // models at a time; 0: GOMAXPROCS

	// OnModel, if not nil, is called with the number of models trained, one call at a time.
	OnModel func(done int)
}

// Dependence measures how much a model depends on its seed, with the same recipe and
// training part.
type Dependence struct {
	Seeds    []uint64 `json:"seeds"`
	Samples  int      `json:"samples"`            // on which the models are compared
	Weighted bool     `json:"weighted,omitempty"` // whether errors and differences on them are weighted
	Target   float64  `json:"sd_target,omitzero"` // 0 of classes and of several targets

	Metric string  `json:"metric"`  // name of the criterion, see [model.Criterion]
	Loss   float64 `json:"loss"`    // its figure on these samples, mean over the models
	LossSD float64 `json:"loss_sd"` // its standard deviation over the models

	// Difference is the root mean square difference between the predictions of two
	// models, of all quantiles or targets if there are several, in standard deviations of the
	// target: the mean over all pairs, and the largest. Of classes it is the share of the
	// samples for which two models predict different classes.
	Difference    float64 `json:"difference"`
	MaxDifference float64 `json:"difference_max"`

	// TotalVariation is the mean total variation distance between the class probabilities of
	// two models, over samples and pairs; nil of numbers.
	TotalVariation *float64 `json:"total_variation,omitempty"`

	// Rules counts the rules that have a counterpart; nil for committees.
	Rules *Matched `json:"rules,omitempty"`

	// Page has how far the page of the first seed depends on the rows that were drawn; seeds differ in the folds of its
	// cross-validation alone. Nil without a page.
	Page *words.Tried `json:"page,omitempty"`

	Curves []Curve `json:"curves"` // by feature
}

// Stability trains the same model with several seeds on the training part, and
// compares the models on the samples of at, which they were not trained on; nil: on
// the training part. Means over samples are weighted where there are weights. Training
// that fails with any seed is an error.
func Stability(ctx context.Context, train, at *data.Dataset, o recipe.Recipe, so StabilityOptions) (*Dependence, error) {
	if so.Seeds == 0 {
		so.Seeds = defaultSeeds
	}
	if so.Seeds < 2 {
		return nil, &recipe.Error{Key: "seeds", Message: fmt.Sprintf("%d: must be at least 2", so.Seeds)}
	}
	if so.Workers < 1 {
		so.Workers = runtime.GOMAXPROCS(0)
	}
	models, err := trainSeeds(ctx, train, o, so)
	if err != nil {
		return nil, err
	}
	if train, err = train.Weighed(); err != nil {
		return nil, err
	}
	if at == nil {
		at = train
	}
	if at, err = at.Weighed(); err != nil {
		return nil, err
	}
	at = models[0].Fill(at)
	d := &Dependence{Samples: at.Len(), Weighted: at.Weights != nil, Page: words.TriedFor(models[0])}
	for _, m := range models {
		d.Seeds = append(d.Seeds, m.Training.Seed)
	}
	d.Metric = models[0].Criterion().Name
	if models[0].Values()[0].Scale == 0 { // otherwise differences are in the scale of each value
		if _, d.Target = meanSD(train.Y, train.Weights); d.Target == 0 {
			return nil, &data.Error{Message: "the target is constant in the training part: there is nothing to compare"}
		}
	}
	if err := d.comparePredictions(models, at); err != nil {
		return nil, err
	}
	if !models[0].Committee() {
		if d.Rules, err = matchRules(models, at); err != nil {
			return nil, err
		}
	}
	d.Curves, err = curves(models, at)
	return d, err
}

const defaultSeeds = 5

// trainSeeds trains the models side by side, each for its whole length.
func trainSeeds(ctx context.Context, train *data.Dataset, o recipe.Recipe, so StabilityOptions) ([]*model.Model, error) {
	o.Train.Patience = 0
	models := make([]*model.Model, so.Seeds)
	var mu sync.Mutex // guards done, and OnModel
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(so.Workers)
	for k := range models {
		group.Go(func() error {
			one := o
			one.Train.Seed += uint64(k)
			r, err := ensemble.Run{Recipe: one}.Train(ctx, train, nil)
			if err != nil {
				return fmt.Errorf("seed %d: %w", one.Train.Seed, err)
			}
			models[k] = r.Model
			mu.Lock()
			defer mu.Unlock()
			if done++; so.OnModel != nil {
				so.OnModel(done)
			}
			return nil
		})
	}
	return models, group.Wait()
}

// meanSD returns the weighted mean and standard deviation (divisor n-1, with weights sum
// w (n-1)/n).
func meanSD(values, weights []float64) (mean, sd float64) {
	n, total := float64(len(values)), numeric.WeightSum(weights, len(values))
	for i, v := range values {
		mean += numeric.WeightAt(weights, i) * v / total
	}
	for i, v := range values {
		sd += float64(numeric.WeightAt(weights, i) * ((v - mean) * (v - mean)))
	}
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(sd * (n / total) / (n - 1))
}

// Matched says how many rules of a model have a counterpart in another, over all
// pairs of models. Rules are compared by the Jaccard similarity of their normalised
// firing levels over the samples, sum of minima / sum of maxima: 1 if they fire
// alike. The most similar two rules are counterparts, then the most similar two of
// the others, and so on; two count as matched if their similarity is at least Least.
type Matched struct {
	Share      float64 `json:"matched"`     // of the rules, mean over the pairs
	MinShare   float64 `json:"matched_min"` // of the pair with the fewest
	Similarity float64 `json:"similarity"`  // mean over all counterparts, matched or not
	Least      float64 `json:"least"`       // the similarity that counts as matched
}

// leastSimilar is the similarity that counts as matched: that above which the
// paper merges rules.
const leastSimilar = 0.5

func matchRules(models []*model.Model, at *data.Dataset) (*Matched, error) {
	levels := make([][][]float64, len(models)) // [K][N][R]
	for k, m := range models {
		x, err := m.Scale(at.X)
		if err != nil {
			return nil, err
		}
		levels[k] = m.RuleBase.FiringLevels(x, nil)
	}
	result := &Matched{MinShare: 1, Least: leastSimilar}
	pairs, counterparts := 0.0, 0.0
	for k, a := range levels {
		for _, b := range levels[:k] {
			matched := 0.0
			for _, similarity := range match(similarities(a, b, at.Weights)) {
				result.Similarity += similarity
				counterparts++
				if similarity >= leastSimilar {
					matched++
				}
			}
			share := matched / float64(max(len(a[0]), len(b[0])))
			result.Share += share
			result.MinShare = min(result.MinShare, share)
			pairs++
		}
	}
	result.Share /= pairs
	result.Similarity /= counterparts
	return result, nil
}

// similarities returns the Jaccard similarity of each rule of a to each of b, from
// their firing levels [N][R] on samples with weights [N].
func similarities(a, b [][]float64, weights []float64) [][]float64 {
	ra, rb := len(a[0]), len(b[0])
	least, most := make([]float64, ra*rb), make([]float64, ra*rb)
	for n := range a {
		w := numeric.WeightAt(weights, n)
		for i, u := range a[n] {
			for j, v := range b[n] {
				least[i*rb+j] += float64(w * min(u, v))
				most[i*rb+j] += float64(w * max(u, v))
			}
		}
	}
	s := make([][]float64, ra)
	for i := range s {
		s[i] = make([]float64, rb)
		for j := range s[i] {
			if m := most[i*rb+j]; m > 0 { // 0: neither ever fires
				s[i][j] = least[i*rb+j] / m
			}
		}
	}
	return s
}

// match pairs rows with columns, the most similar first, and returns the
// similarities of the pairs.
func match(s [][]float64) []float64 {
	type pair struct{ i, j int }
	var pairs []pair
	for i := range s {
		for j := range s[i] {
			pairs = append(pairs, pair{i, j})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(s[b.i][b.j], s[a.i][a.j]) })
	rows, columns := make([]bool, len(s)), make([]bool, len(s[0]))
	var found []float64
	for _, p := range pairs {
		if !rows[p.i] && !columns[p.j] {
			rows[p.i], columns[p.j] = true, true
			found = append(found, s[p.i][p.j])
		}
	}
	return found
}
