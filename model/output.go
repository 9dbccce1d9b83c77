package model

import "math"

// outputOf returns the model of output c, see [Model.Output].
func outputOf(m *Model, c int) *Model {
	one := *m
	one.Preprocessing = outputPreprocessing(m.Preprocessing, c)
	one.Calibration, one.Neighbours, one.Members = nil, nil, nil
	if m.RuleBase != nil {
		one.RuleBase = m.RuleBase.Output(c)
	}
	for _, member := range m.Members {
		one.Members = append(one.Members, outputOf(member, c))
	}
	return &one
}

// outputPreprocessing returns the preprocessing of a model of output c.
func outputPreprocessing(p Preprocessing, c int) Preprocessing {
	s := &p.Schema
	switch link := p.Link(); {
	case link == logLink:
		p.Target, s.TargetUnit = logarithmic(p.Target), ""
	case p.Response.Classes != nil:
		p.Target = Target{Min: -mostLogit, Max: mostLogit}
	case p.Response.Targets != nil:
		p.Target = p.Response.Targets[c]
		if c > 0 {
			s.Target, s.TargetUnit = s.Others[c-1].Name, s.Others[c-1].Unit
		}
	}
	s.Classes, s.Others, p.Response = nil, nil, nil
	return p
}

// mostLogit is the logit of 99%, the end of the range of outputs whose response is a
// probability.
var mostLogit = math.Log(99)

// leastOfMean is the least share of the mean in the range of a logarithm.
const leastOfMean = 0.01

// logarithmic returns the target whose values are the logarithms of those of t, which are not
// negative and have a positive mean. Its range is that of the values of at least a hundredth
// of the mean.
func logarithmic(t Target) Target {
	log := Target{Mean: math.Log(t.Mean), Min: math.Log(max(t.Min, leastOfMean*t.Mean)), Max: math.Log(t.Max)}
	low, high := t.Limits()
	if low > 0 {
		low = min(log.Mean, math.Log(low))
		log.Low = &low
	}
	if !math.IsInf(high, 1) {
		high = max(log.Mean, math.Log(high))
		log.High = &high
	}
	return log
}
