package pages

import (
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/page"
)

// The rough model from which the search of a structure starts.
const (
	roughSteps   = 2  // reweighted fits
	clippedSteps = 12 // of limited values
	roughTables  = 1  // with more entries than two
)

// truth is what the rows of a least squares problem that stands for a loss are measured by.
type truth struct {
	loss      Loss
	y, weight []float64
}

// seen returns what rules say about their rows.
func (s Samples) seen() []float64 {
	if s.Seen != nil {
		return s.Seen
	}
	return s.Y
}

func (t *truth) at(rows []int) *truth {
	if t == nil {
		return nil
	}
	return &truth{t.loss, pick(t.y, rows), pick(t.weight, rows)}
}

// scores reports whether the values of the page are log odds, or scores of classes.
func (s Samples) scores() bool {
	return s.Loss != nil && s.Loss.scores() || s.truth != nil && s.truth.loss.scores()
}

// measured returns the samples by which errors are measured.
func (s Samples) measured() Samples {
	if t := s.truth; t != nil {
		s.Loss, s.Y, s.Weight = t.loss, t.y, t.weight
	}
	return s
}

// loss returns the weighted loss, or squared error, of a value at row i.
func (s Samples) loss(v float64, i int) float64 {
	w := numeric.WeightAt(s.Weight, i)
	if s.Loss == nil {
		return float64(w * float64((v-s.Y[i])*(v-s.Y[i])))
	}
	return float64(w * s.Loss.value(v, s.Y[i]))
}

// root reports whether errors are roots of mean losses.
func (s Samples) root() bool {
	l := s.measured().Loss
	return l == nil || l.root()
}

// Measure returns the name of what [Size.RMSE] and [CrossValidated] have: RMSE for the squared error, else the mean of the loss.
func (s Samples) Measure() string {
	switch s.measured().Loss.(type) {
	case nil, Clipped:
		return "RMSE"
	case Logistic:
		return "log loss"
	case Quantile:
		return "mean pinball loss"
	case Absolute:
		return "MAE"
	}
	return "mean Huber loss"
}

// said returns a mean loss as it is said: of squared errors the root, Huber's in standard deviations of the target, the unit of its
// parameter.
func (s Samples) said(mean float64) float64 {
	if s.squares() {
		return math.Sqrt(mean)
	}
	if _, squares := s.Loss.(Huber); squares {
		_, _, sd := scaled(s.Y, s.Weight)
		return mean / float64(sd*sd)
	}
	return mean
}

// chooseBy is choose for a loss: the structure and the size by the least squares problem that stands for it near a rough model, measured by
// the loss itself. Of log odds, there are two such problems: the one whose best page errs less in cross-validation stands. So does, of
// limited values, the page of the targets as they are.
func chooseBy(ctx context.Context, s Samples, o Options) (*chosen, error) {
	report := o.OnPage
	o.OnPage = nil
	first := o
	if report != nil {
		first.OnPage = func(pg *page.Page) {
			if fit, err := Refit(s, pg, o); err == nil {
				report(fit)
			}
		}
	}
	found, err := s.chooseRoughly(ctx, first)
	if err != nil {
		return nil, err
	}
	if s.scores() {
		near := s
		near.Loss = Logistic{newton: true}
		also, err := near.chooseRoughly(ctx, o)
		if err != nil {
			return nil, err
		}
		if least(also.Sizes) < least(found.Sizes) {
			found = also
		}
	}
	if _, clipped := s.Loss.(Clipped); clipped {
		plain := s
		plain.Loss = nil
		if also, err := choose(ctx, plain, o.limits(plain)); err != nil || least(also.Sizes) <= least(found.Sizes) {
			return also, err
		}
	}
	return found, nil
}

// fitted returns the page, by the loss of the samples if it was chosen by another one.
func (c *chosen) fitted(s Samples) (found *Found, err error) {
	found = c.Found
	if c.s.truth == nil {
		return found, nil
	}
	if found.Page, err = refitted(s, found.Page, c.o); err != nil {
		return nil, err
	}
	for i := range found.Sizes {
		if one := &found.Sizes[i]; c.s.root() && !s.squares() {
			one.RMSE, one.SE = s.said(float64(one.RMSE*one.RMSE)), s.said(2*one.RMSE*one.SE)
		}
	}
	found.Page.Sizes, found.Page.Measure = found.Sizes, s.Measure()
	if s.scores() {
		_, _, sd := scaled(c.s.Y, c.s.Weight)
		found.Page.Moved = numeric.Round(found.Page.Moved*sd, 2)
	}
	return found, nil
}

// chooseRoughly chooses the page of the least squares problem that stands for the loss near a rough model.
func (s Samples) chooseRoughly(ctx context.Context, o Options) (*chosen, error) {
	work, err := s.working()
	if err != nil {
		return nil, err
	}
	return choose(ctx, work, o)
}

// least returns the least error of some sizes; infinite without one.
func least(sizes []Size) float64 {
	if len(sizes) == 0 {
		return math.Inf(1)
	}
	return sizes[len(sizes)-1].RMSE
}

// refitted is [Refit] with what the page says of other samples and sizes.
func refitted(s Samples, pg *page.Page, o Options) (*page.Page, error) {
	fitted, err := Refit(s, pg, o)
	if err != nil {
		return nil, err
	}
	fitted.Sizes, fitted.Measure, fitted.Moved = pg.Sizes, pg.Measure, pg.Moved
	for r := range fitted.Rules {
		fitted.Rules[r].Again = pg.Rules[r].Again
	}
	return fitted, nil
}

// working returns the least squares problem that stands for the loss near a rough model: a few terms and a table, without a tree.
func (s Samples) working() (Samples, error) {
	f := newFrame(s)
	all := make([]int32, f.n)
	for i := range all {
		all[i] = int32(i)
	}
	own := f.weight
	value := slices.Repeat([]float64{s.Loss.centre(s.Y, own)}, f.n)
	steps, response := roughSteps, s.Loss.rough
	if c, clipped := s.Loss.(Clipped); clipped { // from the rows that do not lie at a limit
		steps, response = clippedSteps, func(v, y, _ float64) (float64, float64) { return c.step(v, y) }
		for i, y := range s.Y {
			value[i] += c.at(y)
		}
	}
	for range steps {
		z, w := s.responses(value, own, response)
		f.weight = w
		y, mean, sd := scaled(z, w)
		root := tree{{rows: all, terms: f.selectTerms(y, all, nil, Options{Terms: startTerms})}}
		b := newBasis(f, y, residual(f, y, root))
		d := b.newDraft(root, b.all())
		d.tabulate(roughTables)
		v := d.solve().version(0)
		for i, p := range v.predict(f, v.parts, v.leafs()) {
			value[i] = mean + float64(sd*p)
		}
	}
	out := s
	out.Class = ""
	out.Loss, out.truth = nil, &truth{s.Loss, s.Y, s.Weight}
	out.Y, out.Weight = s.responses(value, own, s.Loss.rough)
	return out, out.validate()
}

// responses returns the responses and the weights, of mean one, at the values of a rough model, see [Loss].
func (s Samples) responses(value, weight []float64, response func(v, y, median float64) (z, w float64)) (z, w []float64) {
	errors := make([]float64, len(value))
	for i, v := range value {
		errors[i] = math.Abs(s.Y[i] - v)
	}
	median, sum := numeric.Median(errors), 0.0
	z, w = make([]float64, len(value)), make([]float64, len(value))
	for i, v := range value {
		z[i], w[i] = response(v, s.Y[i], median)
		w[i] = float64(w[i] * weight[i])
		sum += w[i]
	}
	for i := range w {
		w[i] *= float64(len(w)) / sum
	}
	return z, w
}
