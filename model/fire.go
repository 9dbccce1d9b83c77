package model

import "github.com/tskgraph/tskgraph/internal/numeric"

// fired holds what each rule of a single model contributes to the predictions of samples.
type fired struct {
	values []float64   // [N], predictions in the target's unit, without neighbours
	how    []outcome   // [N]
	levels [][]float64 // [N][R], normalised firing levels; zero for a sample that no rule covers
	says   [][]float64 // [N][R], THEN formulas in the target's unit, without the limits of predictions
}

// fire evaluates the rules of a single model on samples numbered from first. Values and
// outcomes are, to the bit, those of predictRules.
func fire(m *Model, x [][]float64, first int) (fired, error) {
	scaled, err := m.scale(x, first)
	if err != nil {
		return fired{}, err
	}
	R := m.RuleBase.Rules()
	f := fired{make([]float64, len(x)), make([]outcome, len(x)), m.RuleBase.FiringLevels(scaled, nil), make([][]float64, len(x))}
	cells := make([]float64, len(x)*R)
	for n, row := range scaled {
		f.says[n] = cells[n*R : (n+1)*R : (n+1)*R]
		sum, covered := 0.0, false
		m.RuleBase.Outputs(f.says[n], row)
		for r, level := range f.levels[n] {
			y := f.says[n][r]
			f.says[n][r] = m.Target.Mean + float64(m.Target.Scaling()*y)
			if level != 0 {
				covered = true
				sum += float64(level * y)
			}
		}
		f.values[n], f.how[n].limited = m.Target.value(sum)
		if !covered || !numeric.Finite(f.values[n]) {
			f.values[n], f.how[n] = m.Target.Mean, outcome{uncovered: true}
			clear(f.levels[n])
		}
	}
	return f, nil
}
