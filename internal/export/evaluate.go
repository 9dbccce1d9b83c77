package export

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/rules"
)

// Predict returns the response [J] to a row of features [F], a NaN for a missing value; NaN in
// all outputs if there is no prediction. It follows the steps of [Member] literally: it is the
// specification of what targets write, and slower than [model.Model.Predict].
func (f *Form) Predict(row []float64) []float64 {
	var mean []float64
	for k := range f.Members {
		y := f.Members[k].predict(row)
		if y == nil {
			return slices.Repeat([]float64{math.NaN()}, len(f.Outputs))
		}
		if k == 0 {
			mean = y
			continue
		}
		for j, v := range y {
			mean[j] += (v - mean[j]) / float64(k+1)
		}
	}
	if f.Ordered {
		for j := 1; j < len(mean); j++ {
			mean[j] = max(mean[j], mean[j-1])
		}
	}
	return mean
}

// Median returns the index of the quantile nearest to the median, the first of equally near ones.
func (f *Form) Median() int {
	at := 0
	for j, o := range f.Outputs {
		if math.Abs(o.Level-0.5) < math.Abs(f.Outputs[at].Level-0.5) {
			at = j
		}
	}
	return at
}

// predict returns the response to a row of features; nil if there is none.
func (m *Member) predict(row []float64) []float64 {
	z := make([]float64, len(m.Inputs))
	u := make([]float64, len(m.Inputs))
	for i, in := range m.Inputs {
		if z[i] = (row[in.Feature] - in.Mean) / in.SD; math.IsNaN(row[in.Feature]) {
			z[i] = in.Missing
		}
		z[i] = max(in.Low, min(in.High, z[i]))
		if !(math.Abs(z[i]) < Farthest) || math.IsInf(row[in.Feature], 0) {
			return nil
		}
		if u[i] = z[i]; in.Power != nil {
			u[i] = in.Power.Value(z[i])
		}
	}
	if m.Components != nil {
		u = make([]float64, len(m.Components))
		for k, loadings := range m.Components {
			for i, l := range loadings {
				u[k] += float64(l * z[i])
			}
		}
		z = u
	}
	levels := m.shares(u)
	if levels == nil {
		return slices.Clone(m.Uncovered)
	}
	return m.respond(m.outputs(levels, z))
}

// Levels returns the levels [R] of the rules for inputs u: logarithms in LogSpace; weights, if there is a Weight.
func (m *Member) Levels(u []float64) []float64 {
	levels := make([]float64, len(m.Rules))
	for r, rule := range m.Rules {
		level := m.Start()
		for i, at := range rule.If {
			level = m.Join.Eval(level, m.Grade.Eval(append([]float64{u[at]}, rule.Params[i]...)...))
		}
		switch {
		case m.Weight != nil && m.LogSpace:
			level = m.Weight.Eval(level)
		case m.Weight != nil && level < LeastLevel:
			level = 0
		case m.Weight != nil:
			level = math.Exp(m.Weight.Eval(math.Log(level)))
		}
		levels[r] = level
	}
	return levels
}

// shares returns the normalised levels [R]; nil if no rule covers the sample.
func (m *Member) shares(u []float64) []float64 {
	levels := m.Levels(u)
	if m.LogSpace {
		top := slices.Max(levels)
		for r := range levels {
			levels[r] = math.Exp(levels[r] - top)
		}
	}
	sum := 0.0
	for _, level := range levels {
		sum += level
	}
	if !(sum > MinFiring) || math.IsInf(sum, 0) {
		return nil
	}
	for r := range levels {
		levels[r] /= sum
	}
	return levels
}

// outputs returns the outputs [C] of the rules with normalised levels.
func (m *Member) outputs(levels, z []float64) []float64 {
	places := rules.Places(nil, m.Knots, z)
	y := make([]float64, m.Outputs)
	for c := range y {
		for r, rule := range m.Rules {
			if levels[r] == 0 {
				continue
			}
			w := rule.Weights[c]
			v := w[0]
			for i, x := range z {
				v += float64(w[i+1] * x)
			}
			if values := m.Curve(c, r); values != nil {
				for _, p := range places {
					v += p.On(values)
				}
			}
			y[c] += float64(levels[r] * v)
		}
	}
	return y
}

// respond returns the response [J] to outputs y [C].
func (m *Member) respond(y []float64) []float64 {
	var response []float64
	switch {
	case !numeric.Finite(y...):
		return slices.Clone(m.Uncovered)
	case m.Link == "log":
		response = []float64{m.Targets[0].Mean * math.Exp(min(y[0], loss.MaxLog))}
	case m.Link == "logit":
		return []float64{sigmoid(-y[0]), sigmoid(y[0])}
	case m.Link == "softmax":
		top, sum := slices.Max(y), 0.0
		for c := range y {
			y[c] = math.Exp(y[c] - top)
			sum += y[c]
		}
		for c := range y {
			y[c] /= sum
		}
		return y
	default:
		if m.Link == "ordered" {
			slices.Sort(y)
		}
		for c, v := range y {
			response = append(response, m.Targets[c].Mean+float64(m.Targets[c].Scale*v))
		}
	}
	if !numeric.Finite(response...) {
		return slices.Clone(m.Uncovered)
	}
	for j, v := range response {
		response[j] = max(m.Low[j], min(m.High[j], v))
	}
	return response
}
