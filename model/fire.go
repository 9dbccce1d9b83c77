package model

// fired holds what each rule of a single model contributes to the predictions of samples.
type fired struct {
	responses             // without neighbours
	levels    [][]float64 // [N][R], normalised firing levels; zero for a sample that no rule covers
	says      [][]float64 // [N][R J], response to each rule alone, without the limits of predictions
}

// fire evaluates the rules of a single model on samples numbered from first. Responses and
// outcomes are, to the bit, those of predictRules.
func fire(m *Model, x [][]float64, first int) (fired, error) {
	scaled, err := m.scale(x, first)
	if err != nil {
		return fired{}, err
	}
	link, err := newResponder(m.Preprocessing)
	if err != nil {
		return fired{}, err
	}
	R, C, J := m.RuleBase.Rules(), m.OutputCount(), m.Response.size()
	f := fired{newResponses(J, len(x)), m.RuleBase.FiringLevels(scaled, nil), make([][]float64, len(x))}
	cells := make([]float64, len(x)*R*J)
	outputs, sums, alone, values := make([]float64, C*R), make([]float64, C), make([]float64, C), make([]float64, J)
	for n, row := range scaled {
		f.says[n] = cells[n*R*J : (n+1)*R*J : (n+1)*R*J]
		clear(sums)
		covered := false
		m.RuleBase.Outputs(outputs, row)
		for r, level := range f.levels[n] {
			covered = covered || level != 0
			for c := range sums {
				alone[c] = outputs[c*R+r]
				if level != 0 {
					sums[c] += float64(level * alone[c])
				}
			}
			link.unlimited(f.says[n][r*J:(r+1)*J], alone)
		}
		f.how[n] = link.predict(values, sums, covered)
		f.set(n, values)
		if f.how[n].uncovered {
			clear(f.levels[n])
		}
	}
	return f, nil
}
