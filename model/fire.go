package model

import "github.com/tskgraph/tskgraph/rules"

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
