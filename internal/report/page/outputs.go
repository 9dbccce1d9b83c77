package page

import (
	"strconv"

	"github.com/tskgraph/tskgraph/model"
)

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
	s := m.Schema
	one := outputValue{s.Target, s.Target, s.TargetUnit}
	r := response{Kind: "number", Link: m.Link(), Outputs: []outputValue{one}}
	switch o := m.Response; {
	case o == nil:
	case o.Targets != nil:
		r.Kind = "targets"
		for _, other := range s.Others {
			r.Outputs = append(r.Outputs, outputValue{other.Name, other.Name, other.Unit})
		}
	case o.Quantiles != nil:
		r.Kind, r.Outputs, r.Start = "quantiles", nil, len(o.Quantiles)/2
		for _, q := range o.Quantiles {
			level := strconv.FormatFloat(q, 'g', -1, 64)
			r.Outputs = append(r.Outputs, outputValue{level + " quantile", s.Target + ", " + level + " quantile", s.TargetUnit})
		}
	case o.Classes != nil:
		r.Kind, r.Outputs = "classes", nil
		for _, class := range o.Classes {
			r.Outputs = append(r.Outputs, outputValue{class.Name, "probability of " + class.Name, ""})
		}
		if len(o.Classes) == 2 {
			r.Start = 1
		}
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

// scaleOf says in which scale output c of the rules is added up from contributions, with its unit.
func scaleOf(m *model.Model, c int) (what, unit string) {
	s := m.Output(c).Schema
	switch m.Link() {
	case "log":
		return "logarithm of " + s.Target, ""
	case "logit":
		return "logarithm of the odds of " + m.Schema.Classes[1], ""
	case "softmax":
		return "score of " + m.Schema.Classes[c], ""
	case "ordered":
		return s.Target + ", " + strconv.FormatFloat(m.Response.Quantiles[c], 'g', -1, 64) + " quantile", s.TargetUnit
	}
	return s.Target, s.TargetUnit
}
