package model

import (
	"context"
	"errors"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/rules"
)

// HeldOutLosses returns the losses [N] of the criterion of a single model on a weighed data
// set (see [data.Dataset.Weighed]), and those of the strongest rule read alone, see
// [Readability]: NaN for a sample that no rule covers. Errors of a single target are divided
// by unit before losses are computed, and losses are multiplied by the weights. Both come from
// one forward pass. A committee is an error, and so is a data set that is invalid or has other features, targets or classes; if ctx ends, the error is that of ctx.
func HeldOutLosses(ctx context.Context, m *Model, d *data.Dataset, unit float64) (whole, alone []float64, err error) {
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	if m.Committee() {
		return nil, nil, errors.New("model: a committee has no strongest rule: only its members have rules")
	}
	if _, err := measurable(m.Preprocessing, d); err != nil {
		return nil, nil, err
	}
	s := newScoring(m, d, unit)
	whole, alone = make([]float64, d.Len()), make([]float64, d.Len())
	err = fireBlocks(ctx, m, d, func(_, start int, f fired) {
		var which []int
		for i := range f.how {
			n := start + i
			w := weighted.At(d.Weights, n)
			whole[n], alone[n] = w*s.whole(f, i, n), math.NaN()
			if which = rules.Strongest(f.levels[i], which[:0]); len(which) > 0 {
				alone[n] = w * s.alone(f, i, n, which)
			}
		}
	})
	return whole, alone, err
}

// Losses returns the losses [N] of the criterion of predictions of a model for a data set.
// Errors of a single target are divided by unit before losses are computed.
func Losses(m *Model, p Predictions, d *data.Dataset, unit float64) []float64 {
	values := p.All()
	s := newScoring(m, d, unit)
	losses, response := make([]float64, d.Len()), make([]float64, len(values))
	for n := range losses {
		for j, v := range values {
			response[j] = v[n]
		}
		losses[n] = s.of(s, response, n)
	}
	return losses
}

// fireBlocks evaluates the rules on blocks of the samples, in any order, and calls do with
// the number of each block and that of its first sample, until ctx ends.
func fireBlocks(ctx context.Context, m *Model, d *data.Dataset, do func(block, start int, f fired)) error {
	errs := make([]error, parallel.Blocks(d.Len(), blockRows))
	ended := parallel.Until(ctx, d.Len(), blockRows, func(block, start, end int) {
		f, err := fire(m, d.X[start:end], start)
		if errs[block] = err; err == nil {
			do(block, start, f)
		}
	})
	for _, err := range append(errs, ended) {
		if err != nil {
			return err
		}
	}
	return nil
}
