package model

import "math"

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

// correct adds the correction of a model's neighbours, if it has any, to the explanation of the
// prediction without them.
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
