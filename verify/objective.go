package verify

import (
	"slices"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// loss returns the loss of predictions [B] and normalised firing levels [B][R], with
// sample weights and penalties. Uncovered samples do not contribute to the data part.
func (p *Problem) loss(prediction []float64, covered []bool, levels [][]float64) float64 {
	total := 0.0
	of := loss.Joint(p.Loss, nil)
	for n, c := range covered {
		if c {
			total += p.Weight[n] * of.Value(prediction[n:n+1], p.Target[n:n+1])
		}
	}
	R := p.RuleBase.Rules()
	for _, of := range penalty.Of(penalty.OnSlopes, p.Penalties) {
		total += of.Value(columns(p.RuleBase.Consequents, 1, p.RuleBase.Features()+1), R)
	}
	if curves := p.RuleBase.Curves; curves != nil {
		for _, of := range penalty.Of(penalty.OnCurves, p.Penalties) {
			total += of.Value(rules.KnotMajor(curves), len(curves))
		}
	}
	for _, of := range penalty.Of(penalty.OnLevels, p.Penalties) {
		total += of.Value(slices.Concat(levels...), R)
	}
	s := p.samples(prediction, covered, levels)
	for _, of := range penalty.OnSamples(p.Penalties) {
		total += of.Value(s)
	}
	return total
}

// samples returns what penalties of the samples are functions of.
func (p *Problem) samples(prediction []float64, covered []bool, levels [][]float64) penalty.Samples {
	s := penalty.Samples{R: p.RuleBase.Rules(), Levels: slices.Concat(levels...), Prediction: prediction, Weight: slices.Clone(p.Weight)}
	for n, x := range p.X {
		if !covered[n] {
			s.Weight[n] = 0
		}
		for r := range s.R {
			s.Outputs = append(s.Outputs, p.RuleBase.Consequent(r, x))
		}
	}
	return s
}

// byPrediction returns the derivative of the loss by the prediction y of sample n.
func (p *Problem) byPrediction(n int, y float64) float64 {
	return p.Weight[n] * p.gradient(n, y)
}

// gradient returns the derivative of the loss of sample n by its prediction y.
func (p *Problem) gradient(n int, y float64) float64 {
	var d [1]float64
	loss.Joint(p.Loss, nil).Gradient(d[:], []float64{y}, p.Target[n:n+1])
	return d[0]
}

// byConsequents returns the derivatives of the penalties by the consequents [R][M+1], in
// column 0 as if biases were penalised like slopes.
func (p *Problem) byConsequents() [][]float64 {
	w, M := p.RuleBase.Consequents, p.RuleBase.Features()
	d := p.zeros().Consequents
	rows(d, 0, p.byPart(penalty.OnSlopes, columns(w, 0, 1), len(w)))
	rows(d, 1, p.byPart(penalty.OnSlopes, columns(w, 1, M+1), len(w)))
	return d
}

// byCurves returns the derivatives of the penalties by the values of the curves [C][Q].
func (p *Problem) byCurves() [][]float64 {
	d := p.zeros().Curves
	if d != nil {
		rows(d, 0, p.byPart(penalty.OnCurves, rules.KnotMajor(p.RuleBase.Curves), len(d)))
	}
	return d
}

// byRules returns the derivatives of the penalties by the normalised firing levels and by
// the rule outputs, [B][R] each.
func (p *Problem) byRules(prediction []float64, covered []bool, levels [][]float64) (byLevels, byOutputs [][]float64) {
	s := p.samples(prediction, covered, levels)
	f, y := p.byPart(penalty.OnLevels, s.Levels, s.R), make([]float64, len(s.Outputs))
	df, dy := make([]float64, len(f)), make([]float64, len(y))
	for _, of := range penalty.OnSamples(p.Penalties) {
		of.Gradient(df, dy, s)
		for i := range f {
			f[i] += df[i]
			y[i] += dy[i]
		}
	}
	return slices.Collect(slices.Chunk(f, s.R)), slices.Collect(slices.Chunk(y, s.R))
}

// byPart returns the sum of the gradients of the penalties of a part by v [n,R].
func (p *Problem) byPart(part penalty.Part, v []float64, R int) []float64 {
	total, one := make([]float64, len(v)), make([]float64, len(v))
	for _, of := range penalty.Of(part, p.Penalties) {
		of.Gradient(one, v, R)
		for i, d := range one {
			total[i] += d
		}
	}
	return total
}

// zeros returns a gradient of zeros.
func (p *Problem) zeros() rules.Parameters {
	zeros := p.RuleBase.Clone().Parameters
	for _, rows := range append(slices.Clone(zeros.Antecedents), zeros.Consequents, zeros.Curves) {
		for _, row := range rows {
			clear(row)
		}
	}
	return zeros
}
