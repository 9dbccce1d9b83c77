package model

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/rules"
)

// Explanation decomposes a prediction into a sum of parts:
//
//	Prediction = Mean + the contributions of all rules, in the order of Rules, + that of Neighbours + Limit + Rounding...
//
// The sum, evaluated from the left in float64, is exact to the bit. Of a committee with neighbours, it starts with
// Neighbours.Before, the mean of the members' predictions. Amounts are in the target's unit.
type Explanation struct {
	Prediction float64 `json:"prediction"`
	Mean       float64 `json:"mean"` // of the training targets

	// Rules [R] holds all rules, the one with the largest share first. If none covers the
	// sample, they contribute nothing and the prediction is the mean.
	Rules     []RuleShare `json:"rules,omitempty"`
	Uncovered bool        `json:"uncovered,omitempty"`

	Neighbours *Correction `json:"neighbours,omitempty"` // nil if the model has none, or no rule covers the sample

	Limit    float64   `json:"limit"`              // change by clamping to the target's limits, see Target.Limits
	Rounding []float64 `json:"rounding,omitempty"` // rounding error of the sum of the other parts: at most two numbers

	// Members [K] explain the members of a committee, whose prediction is the mean of theirs. The committee itself has no Rules.
	Members []Explanation `json:"members,omitempty"`
}

// overflows is the message of a *SampleError.
const overflows = "rule outputs overflow: too far from the training data to be explained"

// RuleShare is the contribution of a rule to a prediction.
type RuleShare struct {
	Rule         int     `json:"rule"`         // from 1, in the order of the model file
	Share        float64 `json:"share"`        // normalised firing level
	Output       float64 `json:"output"`       // value of its THEN formula
	Contribution float64 `json:"contribution"` // Share (Output - Mean)
}

// Explain explains the prediction of one sample by its rules, features in their own units and in the order of
// Schema.Features(). It returns the errors of [Model.Predict], and a *SampleError if the
// output of a rule overflows. A model of other than one number is an error: explain its outputs, see [Model.Output].
func (m *Model) Explain(x []float64) (*Explanation, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if !m.Number() {
		return nil, errors.New("model: cannot explain a response as a sum: explain one output of the rules, see Model.Output")
	}
	r, err := predictSamples(m, [][]float64{x}, 0)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Prediction: r.values[0][0], Mean: m.Target.Mean}
	if !m.Committee() {
		e.Uncovered = r.how[0].uncovered
		err = e.addRules(m, x)
	}
	for _, member := range m.Members {
		one, fault := member.Explain(x)
		if err = fault; err != nil {
			break
		}
		e.Members = append(e.Members, *one)
	}
	if err == nil && !r.how[0].uncovered {
		err = e.correct(m, x)
	}
	if err != nil {
		return nil, err
	}
	if (!m.Committee() || e.Neighbours != nil) && !e.addUp() {
		return nil, &SampleError{0, overflows}
	}
	return e, nil
}

// addRules decomposes the prediction of the rules, without the rounding.
func (e *Explanation) addRules(m *Model, x []float64) error {
	scaled, err := m.scale([][]float64{x}, 0)
	if err != nil {
		return err
	}
	output, outputs := 0.0, make([]float64, m.RuleBase.Rules())
	m.RuleBase.Outputs(outputs, scaled[0])
	for r, level := range m.RuleBase.FiringLevels(scaled, nil)[0] {
		y := outputs[r]
		part := RuleShare{Rule: r + 1, Output: m.Target.Mean + float64(m.Target.Scaling()*y)}
		if level != 0 && !e.Uncovered {
			output += float64(level * y)
			part.Share, part.Contribution = level, m.Target.Scaling()*(level*y)
		}
		e.Rules = append(e.Rules, part)
	}
	slices.SortStableFunc(e.Rules, func(a, b RuleShare) int { return cmp.Compare(b.Share, a.Share) })
	if _, limited := m.Target.value(output); limited {
		e.Limit = e.Prediction - (m.Target.Mean + float64(m.Target.Scaling()*output))
	}
	return nil
}

// addUp sets Rounding to what the other parts leave of the prediction, and reports whether all parts are finite.
func (e *Explanation) addUp() bool {
	sum, largest := e.Mean, 0.0
	for _, part := range e.Rules {
		sum += part.Contribution
		largest = max(largest, math.Abs(part.Output), math.Abs(sum))
	}
	if e.Neighbours != nil {
		if len(e.Members) > 0 {
			sum = e.Neighbours.Before
		}
		sum += e.Neighbours.Contribution
	}
	if sum += e.Limit; !numeric.Finite(largest, sum, e.Prediction-sum) {
		return false
	}
	for sum != e.Prediction { // at most twice: the remainder of the first step is a float64
		e.Rounding = append(e.Rounding, e.Prediction-sum)
		sum += e.Prediction - sum
	}
	return true
}

// Correction is the part of the [Neighbours] in a prediction, in the target's unit.
type Correction struct {
	Before       float64     `json:"before"`       // prediction without neighbours
	Contribution float64     `json:"contribution"` // Weight times the mean of the residuals, weighted by their shares
	Weight       float64     `json:"weight"`
	Rows         []Neighbour `json:"rows"` // nearest first
}

// Neighbour is a training sample near a sample.
type Neighbour struct {
	Row      int       `json:"row"`      // from 1, in the order of the model file
	Distance float64   `json:"distance"` // in standard deviations of the feature with the largest sensitivity
	Share    float64   `json:"share"`    // in the mean of the residuals; all sum to one
	Target   float64   `json:"target"`
	Residual float64   `json:"residual"` // target minus the prediction without neighbours
	X        []float64 `json:"-"`        // features in their own units, in the order of Schema.Features()
}

// correct adds the correction of a model's neighbours, if it has any, to the explanation of the prediction without them.
func (e *Explanation) correct(m *Model, x []float64) error {
	n := m.Neighbours
	if n == nil {
		return nil
	}
	z, err := n.prep.scale([][]float64{x}, 0)
	if err != nil {
		return err
	}
	near := n.index.newSearch(n.K).nearest(stretched(n.Sensitivity, z[0], z[0]))
	c := &Correction{Before: e.Prediction, Contribution: n.contribution(near), Weight: n.Weight}
	sum := 0.0
	for _, f := range near {
		one := Neighbour{Row: f.row + 1, Distance: math.Sqrt(f.squared), Target: n.Targets[f.row], Residual: n.residuals[f.row], X: n.Rows[f.row]}
		one.Share = neighbourWeight(f.squared, n.Power, n.weight(f.row))
		sum += one.Share
		c.Rows = append(c.Rows, one)
	}
	for i := range c.Rows {
		c.Rows[i].Share /= sum
	}
	e.Neighbours = c
	value, _ := m.Target.clamp(c.Before + c.Contribution)
	e.Limit += value - (c.Before + c.Contribution)
	e.Prediction = value
	return nil
}

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

// fireBlocks evaluates the rules, of pages those that people read, on blocks of the samples, in any order, and calls do with
// the number of each block and that of its first sample, until ctx ends.
func fireBlocks(ctx context.Context, m *Model, d *data.Dataset, do func(block, start int, f fired)) error {
	group, n := m.pageGroups()
	return eachRows(ctx, d.Len(), func(block, start, end int) error {
		f, err := fire(m, d.X[start:end], start)
		if err == nil {
			do(block, start, f.grouped(group, n))
		}
		return err
	})
}

// grouped returns f by groups of rules, n in all: a group has the sum of their levels, and says the mean of what they say by these.
func (f fired) grouped(group []int, n int) fired {
	if group == nil {
		return f
	}
	J := len(f.values)
	of := fired{f.responses, newRows(len(f.levels), n), newRows(len(f.levels), n*J)}
	for i, levels := range f.levels {
		for r, level := range levels {
			of.levels[i][group[r]] += level
			for j := range J {
				of.says[i][group[r]*J+j] += float64(level * f.says[i][r*J+j])
			}
		}
		for k, level := range of.levels[i] {
			for j := range J {
				if level > 0 {
					of.says[i][k*J+j] /= level
				}
			}
		}
	}
	return of
}

// whole returns the loss of the rules together on sample i of f, which is sample n of the data set.
func (s scoring) whole(f fired, i, n int) float64 {
	response := make([]float64, len(f.values))
	for j := range response {
		response[j] = f.values[j][i]
	}
	return s.of(s, response, n)
}

// alone returns the largest loss of the given rules, each read alone, on sample i of f, which is sample n of the data set.
func (s scoring) alone(f fired, i, n int, which []int) float64 {
	worst, J := 0.0, len(f.values)
	for _, r := range which {
		worst = max(worst, s.of(s, f.says[i][r*J:(r+1)*J], n))
	}
	return worst
}
