package model

import (
	"context"
	"math"
	"sync"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/rules"
)

// Predict predicts the samples x [N][M], features in their own units and in the order of Schema.Features(), on at most GOMAXPROCS
// goroutines. The prediction of a sample does not depend on the others. A missing value (NaN) is replaced by the training mean if the
// model was trained with missing: mean. Any other value that is not finite, one that lies [Farthest] standard deviations or more from the
// training mean, and a row of the wrong length are a *SampleError for the first such sample. Constant features are ignored. A model that
// cannot predict is an error, see [Model.Validate].
func (m *Model) Predict(x [][]float64) (Predictions, error) {
	return m.predict(context.Background(), x, nil)
}

// predict is Predict until ctx ends; with targets y [N], each sample is predicted without itself among the neighbours.
func (m *Model) predict(ctx context.Context, x [][]float64, y []float64) (Predictions, error) {
	if err := m.Validate(); err != nil {
		return Predictions{}, err
	}
	p := Predictions{Values: []float64{}}
	blocks, lent := make([]Predictions, parallel.Blocks(len(x), blockRows)), predictors{m: m, n: min(len(x), blockRows)}
	err := eachRows(ctx, len(x), func(block, start, end int) (err error) {
		blocks[block], err = lent.predict(x[start:end], y[min(start, len(y)):min(end, len(y))], start)
		return err
	})
	if err != nil {
		return Predictions{}, err
	}
	for _, block := range blocks {
		p.add(block)
	}
	return p, nil
}

// predictor predicts samples. Its memory serves one block of samples after the other; only one goroutine may use it at a time.
type predictor struct {
	m       *Model
	members []*predictor // of a committee, which has none of what follows

	in        *scaledBlock
	rules     *rules.Evaluator
	link      *responder
	y, values []float64 // [B,C], outputs of the rules; [J], response to a sample
}

// newPredictor returns a predictor of a valid model for calls with at most n samples, or any number if n is at least that of a block.
func newPredictor(m *Model, n int) (*predictor, error) {
	p := &predictor{m: m}
	for _, member := range m.Members {
		one, err := newPredictor(member, n)
		if err != nil {
			return nil, err
		}
		p.members = append(p.members, one)
	}
	if m.Committee() {
		return p, nil
	}
	n = min(n, rules.EvaluatorRows)
	p.in, p.rules = newInputs(&m.Preprocessing, n), rules.NewEvaluator(m.RuleBase, n)
	var err error
	p.link, err = newResponder(&m.Preprocessing)
	p.y, p.values = make([]float64, n*p.link.outputs()), make([]float64, len(p.link.all))
	return p, err
}

// predictors lends predictors of a model to goroutines.
type predictors struct {
	m    *Model
	n    int // see newPredictor
	idle sync.Pool
}

func (p *predictors) get() (*predictor, error) {
	if idle, ok := p.idle.Get().(*predictor); ok {
		return idle, nil
	}
	return newPredictor(p.m, p.n)
}

// predict predicts samples numbered from first. If y [N], the targets of training samples, is not
// empty, each is predicted without itself among the neighbours.
func (p *predictors) predict(x [][]float64, y []float64, first int) (Predictions, error) {
	one, err := p.get()
	if err != nil {
		return Predictions{}, err
	}
	defer p.idle.Put(one)
	r, err := one.predict(x, first)
	if err == nil && p.m.Neighbours != nil {
		err = p.m.Neighbours.correct(p.m.Target, x, y, r.values[0], r.how, first)
	}
	if err != nil {
		return Predictions{}, err
	}
	all := p.m.kind().predictions(r)
	all.how = r.how
	if c := p.m.Calibration; c != nil && c.Spread != nil {
		all.scales = c.Spread.scales(p.m.Preprocessing, x, all.Values)
	}
	for i, row := range x {
		if r.how[i].uncovered {
			all.Uncovered++
		}
		if r.how[i].limited {
			all.Limited++
		}
		if p.m.outOfRange(row) {
			all.OutOfRange++
		}
	}
	return all, nil
}

// predictSamples predicts samples numbered from first, without neighbours.
func predictSamples(m *Model, x [][]float64, first int) (responses, error) {
	p, err := newPredictor(m, len(x))
	if err != nil {
		return responses{}, err
	}
	return p.predict(x, first)
}

// predict returns the responses to samples numbered from first, without neighbours.
func (p *predictor) predict(x [][]float64, first int) (responses, error) {
	if p.m.Committee() {
		return p.combine(x, first)
	}
	r, C := newResponses(len(p.values), len(x)), p.link.outputs()
	err := p.blocks(x, first, func(start, end int) {
		p.rules.Predict(p.y)
		for n := start; n < end; n++ {
			i := n - start
			r.how[n] = p.link.predict(p.values, p.y[i*C:(i+1)*C], p.rules.Covered(i))
			r.set(n, p.values)
		}
	})
	return r, err
}

// blocks calls do with the first and the last sample of each block of samples, after their firing levels were computed.
func (p *predictor) blocks(x [][]float64, first int, do func(start, end int)) error {
	for start := 0; start < len(x); start += rules.EvaluatorRows {
		end := min(start+rules.EvaluatorRows, len(x))
		if err := p.in.read(x[start:end], first+start); err != nil {
			return err
		}
		p.rules.Fire(p.in.x, end-start)
		p.rules.Locate(p.in.w)
		do(start, end)
	}
	return nil
}

// combine returns the responses of a committee.
func (p *predictor) combine(x [][]float64, first int) (responses, error) {
	values := p.m.Values()
	all, members := newResponses(len(values), len(x)), make([]responses, len(p.members))
	for k, member := range p.members {
		var err error
		if members[k], err = member.predict(x, first); err != nil {
			return responses{}, err
		}
		for i, o := range members[k].how {
			all.how[i].uncovered = all.how[i].uncovered || o.uncovered
			all.how[i].limited = all.how[i].limited || o.limited
		}
	}
	all.spread = newRows(len(values), len(x))
	votes, ordered := make([]float64, len(members)), p.m.Ordered()
	for j := range all.values {
		for i := range x {
			for k := range members {
				votes[k] = members[k].values[j][i]
			}
			all.values[j][i], all.spread[j][i], _, _ = moments(votes, nil)
			if j > 0 && ordered { // a rounding error could make them cross
				all.values[j][i] = max(all.values[j][i], all.values[j-1][i])
			}
			if !numeric.Finite(all.values[j][i], all.spread[j][i]) { // overflow: the members are too far apart
				all.values[j][i], all.spread[j][i], all.how[i].uncovered = values[j].Mean, math.MaxFloat64, true
			}
		}
	}
	return all, nil
}

// responder computes responses from the outputs of the rules.
type responder struct {
	responseKind
	link loss.Link
	all  []Value
	low  []float64 // [J], limits
	high []float64
}

func newResponder(p *Preprocessing) (*responder, error) {
	link, err := loss.LookupLink(p.Link())
	r := &responder{responseKind: p.kind(), link: link}
	r.all = r.values()
	for _, v := range r.all {
		low, high := v.Limits()
		r.low, r.high = append(r.low, low), append(r.high, high)
	}
	return r, err
}

// predict writes the response to the outputs y [C] of a sample to dst [J], clamped to the limits of the targets; that of an uncovered
// sample if no rule covers it or the response is not finite. It may change y.
func (r *responder) predict(dst, y []float64, covered bool) (how outcome) {
	r.unlimited(dst, y)
	for j, v := range dst {
		dst[j] = max(r.low[j], min(r.high[j], v))
		how.limited = how.limited || dst[j] != v && v == v // NaN is not limited, but uncovered
	}
	if !covered || !numeric.Finite(dst...) {
		for j, v := range r.all {
			dst[j] = v.Uncovered
		}
		return outcome{uncovered: true}
	}
	return how
}

// unlimited writes the response to the outputs y [C] to dst [J], without limits. Of outputs that
// are not scaled targets, it is NaN if one is not finite. It may change y.
func (r *responder) unlimited(dst, y []float64) {
	if !numeric.Finite(y...) && !r.scaled() {
		for j := range dst {
			dst[j] = math.NaN()
		}
		return
	}
	r.respond(r.link, dst, y)
	for j := range dst {
		dst[j] = r.all[j].Origin + float64(r.all[j].Factor*dst[j])
	}
}

// Responder returns a function that writes the response to outputs y [C] of the rules, such as those of one rule alone, to
// dst [J], without the limits of predictions: the only number, all targets, all quantiles, or the
// probabilities of all classes. It may change y. It is for one goroutine. A link that is not registered is an error.
func (p *Preprocessing) Responder() (respond func(dst, y []float64), err error) {
	r, err := newResponder(p)
	return r.unlimited, err
}
