package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/page"
)

// Limits of training pages on.
const (
	pageGain    = 0.005 // share of the error on rows held out that it must save
	pageUpdates = 1000  // at most
	pageLook    = 25    // updates from one look at the rows held out to the next
	pageTrials  = 3     // folds at most whose rows are held out
)

// pageFit returns pages with the structure and the ramps of others, one of each output, whose other numbers are fitted to some rows of the
// training part; nil: to all.
type pageFit func(rows []int, like []*page.Page) ([]*page.Page, error)

// trainOn trains pages on, one of each output, and returns them and a note, or the same pages if that does not pay.
//
// The solver of the recipe moves all their numbers, see pageGraph, by mini-batches, with the loss of the recipe. The penalty of
// disagreement is left out: rules disagree in a ramp as outside of it, and the penalty narrows it. In the last three folds training starts
// from the pages that are fitted to the other rows; the rows held out decide after how many updates it stops. Then all numbers but the
// ends of the ramps, which are rounded, are fitted again. The pages are kept if the error on the rows held out falls by more than half a
// percent, and are then trained on all rows with that number of updates; they must still have the same rules, see [pages.SameRules].
//
// Pages without ramps are returned as they are: all their numbers are at the optimum of the loss, where fitted has them. So are those of a
// file: its author chose the borders.
func (t *trainer) trainOn(ctx context.Context, prep model.Preprocessing, from []*page.Page, of pages.Samples, o pages.Options) (
	made []*page.Page, note string, err error) {
	p, folds := &pageTraining{trainer: t, prep: prep, from: from}, pages.FoldsOf(of, o)
	p.fitted = func(rows []int, like []*page.Page) ([]*page.Page, error) {
		return pages.RefitEach([]pages.Samples{of}, rows, like, o)
	}
	if t.Recipe.Model.FromPage() || !slices.ContainsFunc(from, (*page.Page).Ramped) {
		return from, "", nil
	}
	if p.set, err = scaled(prep, t.data); err != nil {
		return nil, "", err
	}
	folds = folds[max(0, len(folds)-pageTrials):] // in time order, the last ones have the most rows to train on
	trials, failed := make([]pageTrial, len(folds)), make([]error, len(folds))
	parallel.Each(len(folds), func(k int) { trials[k], failed[k] = p.try(ctx, folds[k]) })
	if err := cmp.Or(failed...); err != nil {
		return p.unchanged(ctx, err)
	}
	sums := make([]float64, pageUpdates/pageLook+1)
	for k := range sums {
		for _, one := range trials {
			sums[k] += one.errors[k]
		}
	}
	best := slices.Index(sums, slices.Min(sums))
	if best == 0 {
		return from, "", nil
	}
	before, after, err := p.compare(trials, folds, best)
	if err != nil {
		return p.unchanged(ctx, err)
	}
	note = fmt.Sprintf("%s trained the ramps on: held-out %s %s to %s after %d updates", t.Recipe.Train.Optimizer, p.metric().Name,
		numeric.Show(before, 4), numeric.Show(after, 4), best*pageLook)
	if !(after < (1-pageGain)*before) {
		return from, note + ", not kept", nil
	}
	g, err := p.train(ctx, from, nil, best*pageLook, nil)
	if err == nil {
		made, err = p.fit(nil, g.rounded())
	}
	if err != nil {
		return p.unchanged(ctx, err)
	}
	if !pages.SameRules(of, from[0], made[0]) {
		return from, note + ", not kept: rules would lose their rows", nil
	}
	return made, note + ", kept", nil
}

// errNoPages is wrapped by errors of pages that do not become rules, such as those whose ramps meet where they are rounded.
var errNoPages = errors.New("pages without rules")

// unchanged returns the pages as they were if training diverged or its result does not compile to rules.
func (p *pageTraining) unchanged(ctx context.Context, err error) ([]*page.Page, string, error) {
	if ctx.Err() != nil {
		return nil, "", interrupted(ctx)
	}
	if errors.Is(err, errNoPages) || errors.Is(err, optim.ErrDiverged) {
		return p.from, "", nil
	}
	return nil, "", err
}

// fit returns fitted pages that become rules.
func (p *pageTraining) fit(rows []int, like []*page.Page) ([]*page.Page, error) {
	if _, err := p.prep.PageRules(like...); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoPages, err)
	}
	return p.fitted(rows, like)
}

// pageTraining is what the folds of a training of pages share.
type pageTraining struct {
	*trainer
	prep   model.Preprocessing
	set    *TrainingSet
	from   []*page.Page
	fitted pageFit
}

// pageTrial is a training on a fold: the sums of losses of the rows held out, and the pages, at each look; the first pages are those that
// training starts from.
type pageTrial struct {
	errors []float64
	pages  [][]*page.Page
}

// try trains the pages that are fitted to the rows of a fold.
func (p *pageTraining) try(ctx context.Context, fold pages.Fold) (one pageTrial, err error) {
	start, err := p.fit(fold.Train, p.from)
	if err != nil {
		return one, err
	}
	x, y, weight := p.samples(fold.Held)
	look := func(g *pageGraph) (float64, error) {
		out, _, err := g.Predict(x)
		if err != nil {
			return 0, err
		}
		one.errors = append(one.errors, p.sum(out, y, weight))
		if one.pages == nil {
			one.pages = append(one.pages, start)
		} else {
			one.pages = append(one.pages, g.rounded())
		}
		return one.errors[len(one.errors)-1], nil
	}
	_, err = p.train(ctx, start, fold.Train, pageUpdates, look)
	return one, err
}

// train trains pages on some rows, nil: all, for a number of updates, and looks at them before the first one and after each pageLook.
func (p *pageTraining) train(ctx context.Context, from []*page.Page, rows []int, updates int, look func(*pageGraph) (float64, error)) (
	*pageGraph, error) {
	train, l := p.Recipe.Train, p.loss()
	x, y, own := p.samples(rows)
	train.Smooth(y, len(p.data.Schema.Classes))
	B := train.BatchOf(len(x))
	g, err := newPageGraph(p.prep, from, graph.Options{Engine: p.Recipe.Model.Engine, Batch: B, Loss: l})
	if err != nil {
		return nil, err
	}
	defer g.Close()
	masks, err := optim.NewDropRule(g.RuleBase().Rules(), 1, train.Seed)
	if err != nil {
		return nil, err
	}
	batches, err := optim.NewSampler(optim.Data{X: x, Y: y, Weight: lossWeights(train, own, len(x), B)}, B, masks, train.Seed)
	if err != nil {
		return nil, err
	}
	solver, err := newSolver(train, 0, pageUpdates)
	if err != nil {
		return nil, err
	}
	o := optim.Options{Iterations: updates, Loss: l, KeepLast: true}
	if look != nil {
		if _, err := look(g); err != nil {
			return nil, err
		}
		o.Validate, o.ValidateEvery = func() (float64, error) { return look(g) }, pageLook
	}
	_, err = optim.Train(ctx, g, solver, batches, o)
	return g, err
}

// samples returns some rows as the loss sees them, nil: all.
func (p *pageTraining) samples(rows []int) (x [][]float64, y, weight []float64) {
	C, weights := p.prep.OutputCount(), p.Recipe.Train.LossWeights(p.data)
	if rows == nil {
		return p.set.x, slices.Clone(p.set.y), weights
	}
	for _, n := range rows {
		x, y, weight = append(x, p.set.x[n]), append(y, p.set.y[n*C:(n+1)*C]...), append(weight, numeric.WeightAt(weights, n))
	}
	return x, y, weight
}

// sum returns the weighted sum of the losses of outputs.
func (p *pageTraining) sum(out, y, weight []float64) (sum float64) {
	of, C := loss.Joint(p.loss(), nil), p.prep.OutputCount()
	for n := range len(y) / C {
		sum += float64(numeric.WeightAt(weight, n) * of.Value(out[n*C:(n+1)*C], y[n*C:(n+1)*C]))
	}
	return sum
}

func (p *pageTraining) metric() loss.Metric { return loss.MetricOf(p.loss(), p.prep.OutputCount()) }

// compare returns the errors on the rows held out of the pages that are fitted to the others, and of those after a look.
func (p *pageTraining) compare(trials []pageTrial, folds []pages.Fold, look int) (before, after float64, err error) {
	total := 0.0
	for k, fold := range folds {
		x, y, weight := p.samples(fold.Held)
		total += numeric.WeightSum(weight, len(x))
		for i, sum := range []*float64{&before, &after} {
			of, err := p.fit(fold.Train, trials[k].pages[[]int{0, look}[i]])
			if err != nil {
				return 0, 0, err
			}
			out, err := p.outputs(of, x)
			if err != nil {
				return 0, 0, err
			}
			*sum += p.sum(out, y, weight)
		}
	}
	m, unit := p.metric(), metricUnit(p.prep, p.loss())
	return unit * m.Of(before, total), unit * m.Of(after, total), nil
}

// outputs returns the outputs of the rules of pages.
func (p *pageTraining) outputs(of []*page.Page, x [][]float64) ([]float64, error) {
	rb, err := p.prep.PageRules(of...)
	if err != nil {
		return nil, err
	}
	out, _, err := rb.Forward(x, nil)
	return out, err
}
