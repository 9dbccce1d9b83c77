package model

import (
	"context"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// measureBy is [Model.MeasureBy].
func measureBy(ctx context.Context, m *Model, d *data.Dataset, predict func(block *data.Dataset) (Predictions, error)) (all Metrics, err error) {
	if m == nil {
		return Metrics{}, fmt.Errorf("%w: nil model", ErrInvalid)
	}
	var t totals
	if m.kind().sets() {
		t.classes = metric.NewHistogram(len(m.Response.Classes))
	}
	err = eachBlock(ctx, m.Preprocessing, d, func(block *data.Dataset) error {
		p, err := predict(block)
		if err == nil {
			err = checkPredictions(m, p, block.Len())
		}
		switch {
		case err != nil:
		case d.Whole == nil:
			all = m.Measure(p, block)
		default:
			t.add(m, p, block)
		}
		return err
	})
	if err == nil && d.Whole != nil {
		all = t.metrics(m, d.Whole)
	}
	return all, err
}

// totals are the errors of blocks of samples together. Means and root mean squares merge by weight; squares do not overflow.
type totals struct {
	sum     Metrics // without R2
	weight  float64
	classes *metric.Histogram // nil unless the target has classes
}

// add adds the errors of predictions of a block.
func (t *totals) add(m *Model, p Predictions, d *data.Dataset) {
	e := Metrics{Samples: d.Len(), Weighted: d.Weights != nil}
	if t.classes != nil {
		t.classes.Add(p.Outputs, d.Y, d.Weights)
	} else {
		e = m.kind().measure(m, p, d)
	}
	e.Uncovered, e.OutOfRange, e.Limited = p.Uncovered, p.OutOfRange, p.Limited
	weight := weighted.Sum(d.Weights, d.Len())
	if t.weight > 0 {
		e = shares{t.weight, weight}.merge(t.sum, e, m.Criterion().Root())
	}
	t.sum, t.weight = e, t.weight+weight
}

// metrics returns the errors of all samples of w.
func (t *totals) metrics(m *Model, w data.Whole) Metrics {
	e := t.sum
	if t.classes != nil {
		classes := t.classes.Classes()
		e.Classes, e.Loss = &classes, classes.LogLoss
		return e
	}
	if e.Deviance != nil {
		e.Deviance = numeric.OrNil(e.Loss)
	}
	targets := w.Targets()
	if e.Targets == nil {
		e.R2 = determination(e.RMSE, targets[0].SD, w.Len())
		return e
	}
	total := 0.0
	e.R2 = 0
	for c := range e.Targets {
		e.Targets[c].R2 = determination(e.Targets[c].RMSE, targets[c].SD, w.Len())
		weight := weighted.At(m.Response.Weights, c)
		e.R2 += float64(weight * e.Targets[c].R2)
		total += weight
	}
	e.R2 /= total
	return e
}

// shares are the weights of two blocks of samples.
type shares struct{ a, b float64 }

// mean returns the mean of both from the means of each.
func (s shares) mean(a, b float64) float64 {
	total := s.a + s.b
	return float64(a*(s.a/total)) + float64(b*(s.b/total))
}

// root is mean for root mean squares.
func (s shares) root(a, b float64) float64 {
	largest := max(a, b)
	if largest == 0 {
		return 0
	}
	a, b = a/largest, b/largest
	return largest * math.Sqrt(s.mean(a*a, b*b))
}

// merge returns the errors of both blocks, without R2, for a criterion that is the root of a mean or not.
func (s shares) merge(a, b Metrics, root bool) Metrics {
	all := Metrics{
		Target: a.Target, Samples: a.Samples + b.Samples, Weighted: a.Weighted || b.Weighted, RMSE: s.root(a.RMSE, b.RMSE), MAE: s.mean(a.MAE, b.MAE),
		Uncovered: a.Uncovered + b.Uncovered, OutOfRange: a.OutOfRange + b.OutOfRange, Limited: a.Limited + b.Limited,
		Loss: s.mean(a.Loss, b.Loss), Deviance: a.Deviance,
	}
	if root {
		all.Loss = s.root(a.Loss, b.Loss)
	}
	for i := range a.Pinball {
		all.Pinball = append(all.Pinball, s.mean(a.Pinball[i], b.Pinball[i]))
	}
	for c := range a.Targets {
		all.Targets = append(all.Targets, s.merge(a.Targets[c], b.Targets[c], true))
	}
	return all
}
