package page

import "github.com/tskgraph/tskgraph/model"

// response describes what a model predicts for a sample.
type response struct {
	Kind    string        `json:"kind"` // number, targets, quantiles or classes
	Link    string        `json:"link"`
	Outputs []outputValue `json:"outputs"` // [J]
	Start   int           `json:"start"`   // the output shown first
}

// outputValue is a value that a model predicts: a target, a quantile, or the probability of a class.
type outputValue struct {
	Name  string `json:"name"`  // in the choice of outputs
	Label string `json:"label"` // of an axis, without the unit
	Unit  string `json:"unit"`
}

func newResponse(m *model.Model) response {
	words := m.Words()
	r := response{Kind: words.Kind, Link: m.Link(), Start: words.Start}
	for _, v := range m.Values() {
		r.Outputs = append(r.Outputs, outputValue{v.Short, v.Title, v.Unit})
	}
	return r
}

// figureOfLoss is the figure of [model.Criterion].
type figureOfLoss struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
}

func newFigureOfLoss(m *model.Model) figureOfLoss {
	_, unit := model.Measured(m)
	return figureOfLoss{m.Criterion().Name, unit}
}
