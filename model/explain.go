package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/rules"
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

	Inputs []InputEffect `json:"inputs,omitempty"` // what the columns did, or, of components, these
	Bias   float64       `json:"bias"`             // what the rules say at the mean of all inputs, less Mean

	// Members [K] explain a committee, whose prediction is the mean of theirs; it has nothing
	// else then.
	Members []Explanation `json:"members,omitempty"`
}

// RuleShare is the part of a rule in a prediction.
type RuleShare struct {
	Rule         int     `json:"rule"`         // from 1, its place in the model file
	Share        float64 `json:"share"`        // normalised firing level
	Output       float64 `json:"output"`       // what its THEN formula says
	Contribution float64 `json:"contribution"` // Share (Output - Mean)
}

// InputEffect is what a column did to a prediction. The Then of all inputs, the bias and the mean make up
// the prediction before it is limited, but for rounding; an If is a comparison and adds up to nothing.
type InputEffect struct {
	Name string  `json:"name"`
	Then float64 `json:"then"` // by its terms in the THEN formulas, against the training mean of the column
	If   float64 `json:"if"`   // by the IF parts: the prediction, not limited, less what it would be if no rule asked for the column
}

// Explain explains the prediction of one sample, features in their own units and in the order of
// Schema.Features(). It refuses what [Model.Predict] does, and a sample for which what the
// rules say overflows.
func (m *Model) Explain(x []float64) (*Explanation, error) {
	if m.Committee() {
		p, err := m.Predict([][]float64{x})
		if err != nil {
			return nil, err
		}
		e := &Explanation{Prediction: p.Values[0], Mean: m.Target.Mean}
		for _, member := range m.Members {
			one, err := member.Explain(x)
			if err != nil {
				return nil, err
			}
			e.Members = append(e.Members, *one)
		}
		return e, nil
	}
	scaled, explanations, err := m.explainBlock([][]float64{x})
	if err != nil {
		return nil, err
	}
	m.addInputs(explanations[0], scaled[0])
	return explanations[0], nil
}

// explainBlock explains the predictions of samples by rules, of a model that has some, and returns
// the samples scaled.
func (m *Model) explainBlock(x [][]float64) (scaled [][]float64, explanations []*Explanation, err error) {
	if scaled, err = m.scale(x, 0); err != nil {
		return nil, nil, err
	}
	values, how, err := m.predictRules(x, 0)
	if err != nil {
		return nil, nil, err
	}
	for n, row := range scaled {
		e := m.explain(row, values[n], how[n].uncovered)
		if e == nil {
			return nil, nil, &SampleError{n, "what the rules say overflows: too far from the training data to be explained"}
		}
		explanations = append(explanations, e)
	}
	return scaled, explanations, nil
}

// explain takes the prediction of a scaled sample apart by rules; nil if a part overflows.
func (m *Model) explain(scaled []float64, prediction float64, uncovered bool) *Explanation {
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
	if sum += e.Limit; !finite(largest, sum, prediction-sum) {
		return nil
	}
	for sum != prediction { // at most twice: what the first step lacks is a number
		e.Rounding = append(e.Rounding, prediction-sum)
		sum += prediction - sum
	}
	return e
}

// addInputs says what each input did.
func (m *Model) addInputs(e *Explanation, scaled []float64) {
	rb, unit := m.RuleBase, m.Target.Scaling()
	then := rb.ThenPart(scaled)
	outputs := make([]float64, rb.Rules())
	total := 0.0
	for _, part := range e.Rules {
		r := part.Rule - 1
		outputs[r] = rb.Consequent(r, scaled)
		total += float64(part.Share * outputs[r])
		e.Bias += float64(unit * part.Share * rb.Consequents[r][0])
	}
	for _, c := range m.inputColumns() {
		effect := InputEffect{Name: c.name}
		for _, i := range c.inputs {
			for _, part := range e.Rules {
				effect.Then += float64(unit * part.Share * rb.Consequents[part.Rule-1][i+1] * then[i])
			}
		}
		if !e.Uncovered {
			without := 0.0
			for r, level := range levelsWithout(rb, rb.IfPart(scaled), c.inputs) {
				without += float64(level * outputs[r])
			}
			effect.If = unit * (total - without)
		}
		e.Inputs = append(e.Inputs, effect)
	}
}

// inputColumn is a column of the table, or a component, and what the rules see of it.
type inputColumn struct {
	name   string
	inputs []int
}

func (m *Model) inputColumns() []inputColumn {
	var columns []inputColumn
	if m.Components != nil {
		for i, f := range m.Inputs() {
			columns = append(columns, inputColumn{f.Name, []int{i}})
		}
		return columns
	}
	feature, input := 0, 0
	for _, c := range m.Schema.Columns {
		column := inputColumn{name: c.Name}
		for range c.Width() {
			if !m.Features[feature].Constant {
				column.inputs = append(column.inputs, input)
				input++
			}
			feature++
		}
		if column.inputs != nil {
			columns = append(columns, column)
		}
	}
	return columns
}

// levelsWithout returns the normalised firing levels [R] of a sample, as antecedents see it, if
// the IF parts did not ask for some features.
func levelsWithout(rb *rules.RuleBase, u []float64, features []int) []float64 {
	keep := make([]bool, len(u))
	for m := range keep {
		keep[m] = true
	}
	for _, m := range features {
		keep[m] = false
	}
	pick := func(row []float64) []float64 {
		var kept []float64
		for m, v := range row {
			if keep[m] {
				kept = append(kept, v)
			}
		}
		return kept
	}
	rest := &rules.RuleBase{Shape: rb.Shape, SpreadFloor: rb.SpreadFloor}
	for _, rows := range rb.Antecedents {
		var matrix [][]float64
		for _, row := range rows {
			matrix = append(matrix, pick(row))
		}
		rest.Antecedents = append(rest.Antecedents, matrix)
	}
	x := pick(u)
	rest.Consequents = make([][]float64, rb.Rules())
	for r := range rest.Consequents {
		rest.Consequents[r] = make([]float64, 1+len(x))
	}
	return rest.FiringLevels([][]float64{x}, nil)[0]
}
