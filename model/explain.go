package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/numeric"
)

// Explanation says how a prediction came about, as a sum of parts:
//
//	Prediction = Mean + the contributions of all rules, in the order of Rules, + Limit + Rounding...
//
// added from the left in floating-point numbers, to the bit. Amounts are in the target's unit.
type Explanation struct {
	Prediction float64 `json:"prediction"`
	Mean       float64 `json:"mean"` // of the training targets

	// Rules [R] are all rules, the one with the largest share first. Where none covers the
	// sample, they contribute nothing and the mean stands in.
	Rules     []RuleShare `json:"rules,omitempty"`
	Uncovered bool        `json:"uncovered,omitempty"`

	Limit    float64   `json:"limit"`              // what keeping the prediction within the target's limits took away or added, see Target.Margin
	Rounding []float64 `json:"rounding,omitempty"` // what the sum of the other parts lacks, by rounding: none, one or two numbers

	// Inputs are the columns that are used; nil of a model of an older file, without quantiles.
	Inputs []InputEffect `json:"inputs,omitempty"`

	// Members [K] explain a committee, whose prediction is the mean of theirs; beside them it has
	// Inputs alone.
	Members []Explanation `json:"members,omitempty"`
}

// RuleShare is the part of a rule in a prediction.
type RuleShare struct {
	Rule         int     `json:"rule"`         // from 1, its place in the model file
	Share        float64 `json:"share"`        // normalised firing level
	Output       float64 `json:"output"`       // what its THEN formula says
	Contribution float64 `json:"contribution"` // Share (Output - Mean)
}

// explainBlock explains the predictions of samples by rules, of a model that has some.
func explainBlock(m *Model, x [][]float64) (explanations []*Explanation, err error) {
	scaled, err := m.scale(x, 0)
	if err != nil {
		return nil, err
	}
	values, how, err := predictRules(m, x, 0)
	if err != nil {
		return nil, err
	}
	for n, row := range scaled {
		e := explainSample(m, row, values[n], how[n].uncovered)
		if e == nil {
			return nil, &SampleError{n, "what the rules say overflows: too far from the training data to be explained"}
		}
		explanations = append(explanations, e)
	}
	return explanations, nil
}

// explainSample takes the prediction of a scaled sample apart by rules; nil if a part overflows.
func explainSample(m *Model, scaled []float64, prediction float64, uncovered bool) *Explanation {
	e := &Explanation{Prediction: prediction, Mean: m.Target.Mean, Uncovered: uncovered}
	output := 0.0
	for r, level := range m.RuleBase.FiringLevels([][]float64{scaled}, nil)[0] {
		y := m.RuleBase.Consequent(r, scaled)
		part := RuleShare{Rule: r + 1, Output: m.Target.Mean + float64(m.Target.Scaling()*y)}
		if level != 0 && !uncovered {
			output += float64(level * y)
			part.Share, part.Contribution = level, m.Target.Scaling()*(level*y)
		}
		e.Rules = append(e.Rules, part)
	}
	slices.SortStableFunc(e.Rules, func(a, b RuleShare) int { return cmp.Compare(b.Share, a.Share) })
	if _, limited := m.Target.value(output); limited {
		e.Limit = prediction - (m.Target.Mean + float64(m.Target.Scaling()*output))
	}
	sum, largest := e.Mean, 0.0
	for _, part := range e.Rules {
		sum += part.Contribution
		largest = max(largest, math.Abs(part.Output), math.Abs(sum))
	}
	if sum += e.Limit; !numeric.Finite(largest, sum, prediction-sum) {
		return nil
	}
	for sum != prediction { // at most twice: what the first step lacks is a number
		e.Rounding = append(e.Rounding, prediction-sum)
		sum += prediction - sum
	}
	return e
}
