package baseline

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/model"
)

// Verdict compares a model with the baselines on rows outside its training part, by the
// figure by which models of its task are compared, see [model.Criterion].
type Verdict struct {
	Part          string   `json:"part"`             // the test part, without one the validation part, or the table that was evaluated
	Measure       string   `json:"measure"`          // name of the figure, such as RMSE or log loss
	Model         float64  `json:"model"`            // figure of the model
	Constant      float64  `json:"constant"`         // of the constant prediction, see Errors
	Linear        *float64 `json:"linear,omitempty"` // of the linear model; null: none, or unknown
	BeatsConstant bool     `json:"beats_mean"`       // the key is that of the training mean
	BeatsLinear   *bool    `json:"beats_ols,omitempty"`

	names Names
}

// Compare returns the verdict on model m with the errors e, given those of the baselines. A
// model whose figure is zero beats both.
func Compare(part string, m *model.Model, e model.Metrics, b Errors) *Verdict {
	beats := func(other model.Metrics) bool { return e.Loss < other.Loss || e.Loss == 0 }
	v := &Verdict{
		Part: part, Measure: m.Criterion().Name, Model: e.Loss, Constant: b.Constant.Loss, BeatsConstant: beats(b.Constant), names: NamesOf(m),
	}
	if b.Linear != nil {
		better := beats(*b.Linear)
		v.Linear, v.BeatsLinear = &b.Linear.Loss, &better
	}
	return v
}

// Of returns the verdict, which was read from a file, as one on model m: with the names of its baselines. It returns nil for nil.
func (v *Verdict) Of(m *model.Model) *Verdict {
	if v == nil {
		return nil
	}
	named := *v
	named.names = NamesOf(m)
	return &named
}

// Warning names the baseline that the model does not beat; it is empty if the model beats both, and for nil.
func (v *Verdict) Warning() string {
	switch {
	case v == nil:
		return ""
	case !v.BeatsConstant:
		return fmt.Sprintf("the model is no better than the %s on %s: %s %.5g, that of the %s %.5g. Do not trust its predictions: try fewer rules (model.rules), more rows%s",
			v.names.Constant, v.Part, v.Measure, v.Model, v.names.Short, v.Constant, v.names.advice)
	case v.BeatsLinear != nil && !*v.BeatsLinear:
		return fmt.Sprintf("the model does not beat %s, %s, on %s: %s %.5g, that of %s %.5g",
			v.names.Linear, v.names.what, v.Part, v.Measure, v.Model, v.names.Linear, *v.Linear)
	}
	return ""
}

// Names are the names of the baselines of a model.
type Names struct {
	Constant string // such as training mean
	Linear   string // such as least squares
	Short    string // Constant without "training"

	what   string // Linear is
	advice string // also given where the model is no better than Constant
}

// NamesOf returns the names of the baselines of a model.
func NamesOf(m *model.Model) Names {
	const limits = ", or limits of predictions (model.margin: 0, model.bounds)"
	words := m.Words()
	n := map[string]Names{
		"number":    {Linear: "least squares", what: "one linear formula", advice: limits},
		"targets":   {Linear: "least squares", what: "one linear formula for each target", advice: limits},
		"quantiles": {advice: limits},
		"classes":   {Linear: "logistic regression", what: "linear in the logarithm of the odds"},
	}[words.Kind]
	n.Constant, n.Short = words.Constant, strings.TrimPrefix(words.Constant, "training ")
	return n
}
