// Package model holds trained models: a rulebase together with the preprocessing that maps the units of a table to its inputs. A model
// predicts, explains its predictions, and is saved as a file.
//
//	m, err := model.Load("model.json")
//	p, err := m.Predict(x) // x [N][M], in the order of m.Schema.Features()
//
// A program that only loads a model and predicts does not link Gorgonia. Besides the standard library, it links the formula parser.
package model

import (
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// Model predicts a target from features in their own units, either with one rulebase or, as a committee, as the mean of its members'
// predictions. Methods without an error result require a model that [Model.Validate] accepts.
type Model struct {
	Preprocessing
	RuleBase    *rules.RuleBase // over the scaled used features; nil for a committee
	Training    Training
	Rules       []RuleSummary // [R]; nil for a committee
	Members     []*Model      // of a committee, see NewCommittee; nil for a single model
	Pages       []*page.Page  // [C] one of each output of the rules, that these were compiled from; nil: of another model
	Neighbours  *Neighbours   // correct the predictions of the rules or members; nil: none
	Calibration *Calibration  // of prediction intervals; nil without them
}

// Training records how a model was trained.
type Training struct {
	Samples    int                `json:"samples"`          // of the training part
	Sample     int                `json:"sample,omitempty"` // of these, the random ones that Sampled returns; 0: all
	Iterations int                `json:"iterations"`       // after which the parameters were taken
	Seed       uint64             `json:"seed"`
	Engine     string             `json:"engine"`
	Options    map[string]string  `json:"options"`  // recipe values, by configuration key
	Versions   map[string]string  `json:"versions"` // of tskgraph, Go and Gorgonia
	Metrics    map[string]float64 `json:"metrics"`  // for example rmse_train, in the target's unit
}

// SetSamples sets Samples and Sample to those of the weighed training part.
func (t *Training) SetSamples(train *data.Dataset) {
	if t.Samples, t.Sample = train.Total(), 0; train.Len() < t.Samples {
		t.Sample = train.Len()
	}
}

// Sampled returns the number of training samples of which quantiles of features and summaries of rules are.
func (t Training) Sampled() int {
	if t.Sample > 0 {
		return t.Sample
	}
	return t.Samples
}

// RuleSummary describes the activity of a rule on the training part.
type RuleSummary struct {
	Share   float64 `json:"share"`   // weighted mean normalised firing level; the shares of all rules sum to at most 1
	Samples int     `json:"samples"` // for which its firing level is the highest
}

// Committee reports whether the model is a committee, with Members instead of rules of its own.
func (m *Model) Committee() bool { return len(m.Members) > 0 }

// WithoutNeighbours returns the model without its neighbours, which predicts by rules alone, and
// without its calibration, which is of both. It is the model itself if it has no neighbours.
func (m *Model) WithoutNeighbours() *Model {
	if m == nil || m.Neighbours == nil {
		return m
	}
	alone := *m
	alone.Neighbours, alone.Calibration = nil, nil
	return &alone
}

// Output returns the model of output c of the rules, 0 <= c < OutputCount, on the scale of the link: one target by the identity link. It
// shares the antecedents and consequents, and has neither calibration nor neighbours. Of several targets it is the model of target c; of
// quantiles that of output c, which the response sorts; with the log link the prediction is the logarithm of the response, and of classes
// the logit of the second one or the score of class c before softmax, with a range from 1% to 99%. Its target is named so, such as log
// odds of yes. A model of one number is returned as it is. Of several pages it is the model of page c, which has
// fewer rules than those of all pages together.
func (m *Model) Output(c int) *Model {
	p, own := m.output(c)
	if own {
		return m
	}
	one := *m
	one.Preprocessing, one.Calibration, one.Neighbours, one.Members = p, nil, nil, nil
	if m.RuleBase != nil {
		one.RuleBase = m.RuleBase.Output(c)
	}
	if len(m.Pages) > 1 {
		one.onPage(m, c)
	}
	for _, member := range m.Members {
		one.Members = append(one.Members, member.Output(c))
	}
	return &one
}

// Calibration holds the data of split-conformal prediction intervals and sets: quantiles of scores s on n samples that were not used in
// training. They hold the targets whose score is at most the k-th smallest one, k = ceil((n+1) p) for the level p. They hold the target
// of a new sample with probability p or more if that sample and the calibration samples are exchangeable (J. Lei, M. G'Sell, A. Rinaldo,
// R. J. Tibshirani, L. Wasserman, Distribution-free predictive inference for regression, JASA 113 (2018)). The score of a target y is
//
//	one target       |y - prediction| / s(x), see [Spread]
//	several targets  max_c |y_c - prediction_c| / SD_c: intervals hold all targets together
//	quantiles        max(q_1 - y, y - q_C) of the outermost ones (Y. Romano, E. Patterson, E. Candès,
//	                 Conformalized quantile regression, NeurIPS 2019)
//	counts, costs    |y - mu| / (V(mu)^(1/2) s(x)), a Pearson residual over s, with V = mu (poisson), mu^2 (gamma) or mu^p (tweedie);
//	                 intervals begin at zero or above
//	classes          1 - p_y: sets of the least mean size if the probabilities are right (M. Sadinle, J. Lei,
//	                 L. Wasserman, Least ambiguous set-valued classifiers with bounded error levels, JASA 114 (2019))
type Calibration struct {
	Samples int `json:"samples"` // n

	// Residuals are the scores in increasing order: all n, or, if n exceeds 1000, those of rank ceil(i n/1000), i = 1 to 1000.
	Residuals []float64 `json:"residuals"`

	// Below and Above are the same without the absolute value: how far targets lie below predictions, and above them, for bounds on one
	// side. They are nil for classes, and in files of older versions.
	Below []float64 `json:"below,omitempty"`
	Above []float64 `json:"above,omitempty"`

	Spread *Spread `json:"spread,omitempty"` // nil: s is one

	// Rules are what the samples say of each rule, those of the page if there is one, of a model of one number or count that is no
	// committee; nil for others.
	Rules []RuleCalibration `json:"rules,omitempty"`

	// Steps are the scores of forecasts of the steps after Time.Horizon of the schema, up to Time.Last, from forecasts of earlier steps.
	Steps []Calibration `json:"steps,omitempty"`
}

// RuleCalibration is the calibration of the samples that one rule decides, see [Model.Decides].
type RuleCalibration struct {
	Samples int `json:"samples"`

	// Within is a distance from the prediction, in the unit of the target. The target of a new sample that the rule decides lies within it
	// with a probability of at least 0.9, by the samples that it decides alone. It is nil for fewer than nine.
	Within *float64 `json:"within,omitempty"`
}

// Criterion returns the criterion of a valid model, by its train.loss in Training.Options or, in a model without it, by its link.
func (m *Model) Criterion() Criterion {
	c, _ := criterionOf(m) // Validate checks the loss
	return c
}

// criterionOf returns the criterion of a model: that of its loss, or of its link if the loss has another link.
func criterionOf(m *Model) (Criterion, error) {
	c, err := CriterionOf(m.Training.Options["train.loss"], m.Schema)
	if err != nil {
		return c, err
	}
	return m.kind().criterion(c), nil
}

// Measured returns what the figures of the criterion of a model measure, for labels: the
// target, and the unit of the figures, empty for one without.
func Measured(m *Model) (target, unit string) {
	return m.kind().measured(m.Criterion())
}

// CountRules returns the number of rules of a model, of all members together; of pages those that people read, see [Model.PageRule].
func CountRules(m *Model) int {
	rules := 0
	for _, pg := range m.Pages {
		rules += len(pg.Rules)
	}
	if !m.Committee() && m.Pages == nil {
		return m.RuleBase.Rules()
	}
	for _, member := range m.Members {
		rules += CountRules(member)
	}
	return rules
}
