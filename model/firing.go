package model

import (
	"context"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/rules"
)

// fired holds what each rule of a single model contributes to the predictions of samples.
type fired struct {
	responses             // without neighbours
	levels    [][]float64 // [N][R], normalised firing levels; zero for a sample that no rule covers
	says      [][]float64 // [N][R J], response to each rule alone, without the limits of predictions
}

// fire evaluates the rules of a single model on samples numbered from first. Responses and
// outcomes are, to the bit, those of predictor.predict.
func fire(m *Model, x [][]float64, first int) (fired, error) {
	p, err := newPredictor(m, len(x))
	if err != nil {
		return fired{}, err
	}
	R, C, J := m.RuleBase.Rules(), m.OutputCount(), len(p.values)
	f := fired{newResponses(J, len(x)), newRows(len(x), R), newRows(len(x), R*J)}
	outputs, sums, alone := make([]float64, C*R*rules.EvaluatorRows), make([]float64, C), make([]float64, C)
	err = p.blocks(x, first, func(start, end int) {
		B := end - start
		for i := range C * R {
			p.rules.Output(outputs[i*B:], i%R, i/R)
		}
		p.rules.CopyTo(f.levels[start:end])
		for n := start; n < end; n++ {
			clear(sums)
			for r, level := range f.levels[n] {
				for c := range sums {
					alone[c] = outputs[(c*R+r)*B+n-start]
					if level != 0 {
						sums[c] += float64(level * alone[c])
					}
				}
				p.link.unlimited(f.says[n][r*J:(r+1)*J], alone)
			}
			f.how[n] = p.link.predict(p.values, sums, p.rules.Covered(n-start))
			f.set(n, p.values)
			if f.how[n].uncovered {
				clear(f.levels[n])
			}
		}
	})
	return f, err
}

// fireBlocks evaluates the rules on blocks of the samples, in any order, and calls do with
// the number of each block and that of its first sample, until ctx ends.
func fireBlocks(ctx context.Context, m *Model, d *data.Dataset, do func(block, start int, f fired)) error {
	return eachRows(ctx, d.Len(), func(block, start, end int) error {
		f, err := fire(m, d.X[start:end], start)
		if err == nil {
			do(block, start, f)
		}
		return err
	})
}

// whole returns the loss of the rules together on sample i of f, which is sample n of the data
// set.
func (s scoring) whole(f fired, i, n int) float64 {
	response := make([]float64, len(f.values))
	for j := range response {
		response[j] = f.values[j][i]
	}
	return s.of(s, response, n)
}

// alone returns the largest loss of the given rules, each read alone, on sample i of f, which
// is sample n of the data set.
func (s scoring) alone(f fired, i, n int, which []int) float64 {
	worst, J := 0.0, len(f.values)
	for _, r := range which {
		worst = max(worst, s.of(s, f.says[i][r*J:(r+1)*J], n))
	}
	return worst
}
