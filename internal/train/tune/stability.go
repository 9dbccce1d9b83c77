package tune

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
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

	Curves []Curve `json:"curves"` // by feature
}

// Stability trains the same model with several seeds on the training part, and
// compares the models on the samples of at, which they were not trained on; nil: on
// the training part. Means over samples are weighted where there are weights. Training
// that fails with any seed is an error.
func Stability(ctx context.Context, train, at *data.Dataset, o tskgraph.Recipe, so StabilityOptions) (*Dependence, error) {
	if so.Seeds == 0 {
		so.Seeds = defaultSeeds
	}
	if so.Seeds < 2 {
		return nil, &tskgraph.RecipeError{Key: "seeds", Message: fmt.Sprintf("%d: must be at least 2", so.Seeds)}
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
	d := &Dependence{Samples: at.Len(), Weighted: at.Weights != nil}
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
func trainSeeds(ctx context.Context, train *data.Dataset, o tskgraph.Recipe, so StabilityOptions) ([]*model.Model, error) {
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
			r, err := tskgraph.Train(ctx, train, nil, one)
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
	n, total := float64(len(values)), weighted.Sum(weights, len(values))
	for i, v := range values {
		mean += weighted.At(weights, i) * v / total
	}
	for i, v := range values {
		sd += float64(weighted.At(weights, i) * ((v - mean) * (v - mean)))
	}
	if n < 2 {
		return mean, 0
	}
	return mean, math.Sqrt(sd * (n / total) / (n - 1))
}
