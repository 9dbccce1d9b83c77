// Package words describes a model in words: the conditions of its rules by the ranks of their values among the training values, or by the
// parameters of their membership functions in the data's own units, and a prediction by the contribution of each rule. It needs only the
// model, and links neither tables nor figures.
package words

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// Description is a model in the data's own units.
type Description struct {
	Target     string `json:"target"`
	Unit       string `json:"unit,omitempty"`
	Membership string `json:"membership"`
	Formula    string `json:"formula,omitempty"` // mu(x); empty for a built-in shape
	TNorm      string `json:"tnorm,omitempty"`   // see package inference; empty for the product

	Defuzzification string `json:"defuzzification,omitempty"` // see package inference; empty for TSK

	Samples int `json:"samples"`          // of the training part
	Sample  int `json:"sample,omitempty"` // of these, the random ones that figures of rules are of; 0: all

	Components []PrincipalComponent `json:"components,omitempty"` // inputs of the rules, if they are not the features

	Response *Response `json:"response,omitzero"` // what the outputs of the rules become; JSON leaves out one number

	Pages []*page.Page `json:"pages,omitempty"` // of a model that was compiled from them, what it predicts with; nil: of another model

	Rules  []Rule  `json:"rules,omitempty"`  // in the order of their numbers; none for a committee
	Curves *Curves `json:"curves,omitempty"` // that the rules add to their formulas; nil: none
	Bounds []Bound `json:"bounds,omitempty"` // of the slopes of all rules, by output

	Members  []Description `json:"members,omitempty"`  // of a committee
	Interval *Interval     `json:"interval,omitempty"` // of a calibrated model

	Neighbours *Neighbours `json:"neighbours,omitempty"` // nil if the model has none

	Interpretability *Interpretability `json:"interpretability,omitempty"` // nil for a model without words
	Readability      *Readability      `json:"readability,omitempty"`      // nil if it was not measured

	Scalings []Scaling `json:"scalings,omitempty"` // of the features whose antecedents are not in their own units

	Wording *Wording `json:"wording,omitempty"` // see [Worded]

	Tree *Tree `json:"tree,omitempty"` // that the rules came from, if it is still theirs

	noTree error // why there is no tree

	weights string // what the weights of the rules are
	missing string // what missing values count as; empty if they were refused

	precision
	spread float64     // a quarter of the target's range, for rounding
	of     []Output    // [C] of the rules, those of Response or that of the target
	paged  []*pageText // [C]

	weighted string // what is weighted in the headings of pages, and by what; empty if nothing is
}

// PrincipalComponent is a linear combination of standardised features.
type PrincipalComponent struct {
	Name     string      `json:"name"`
	SD       float64     `json:"sd"`       // standard deviation in the training part
	Loadings []Parameter `json:"loadings"` // by feature
}

// Model describes a model in the data's own units.
func Model(m *model.Model) Description { return describeWith(m, nil) }

// describeWith describes a model; values are the distinct values of each feature in the training part, nil if they are unknown.
func describeWith(m *model.Model, values [][]float64) Description {
	if m.Committee() {
		return describeCommittee(m, values)
	}
	if m.Pages != nil {
		return paged(m)
	}
	d := single(m, values)
	if !inWords(m) {
		d.noTree = fmt.Errorf("%w: %s", ErrNoTree, d.whyNoWords())
		return d
	}
	d.Interpretability = measure(d)
	d.Tree, d.noTree = newTree(m, groups(m, values))
	return d
}

// single is describeWith for a model of one rulebase, without Interpretability.
func single(m *model.Model, values [][]float64) Description {
	d := Description{
		Target: m.Schema.Target, Unit: m.Schema.TargetUnit,
		Membership: m.RuleBase.Shape.Name(), Samples: m.Training.Samples, Sample: m.Training.Sample, Scalings: scalings(m),
		missing:   missingValues(m),
		precision: precision{isRounded(m)}, spread: (m.Target.Max - m.Target.Min) / 4,
	}
	addInference(&d, m.RuleBase)
	if f, ok := membership.AsFormula(m.RuleBase.Shape); ok {
		d.Formula = f.Expr
	}
	d.Interval, d.Neighbours = UsualInterval(m), neighboursOf(m)
	for k, c := range m.Components {
		pc := PrincipalComponent{Name: m.Inputs()[k].Name, SD: c.SD}
		for i, f := range m.Used() {
			pc.Loadings = append(pc.Loadings, Parameter{Name: f.Name, Value: c.Loadings[i]})
		}
		d.Components = append(d.Components, pc)
	}
	var columns []group
	if inWords(m) {
		columns = groups(m, values)
	}
	d.Rules = ifParts(m, columns)
	d.addOutputs(m, columns)
	d.Bounds = boundsOf(m, d.of)
	return d
}

// ifParts returns the rules of a model without their THEN parts; columns nil: without words.
func ifParts(m *model.Model, columns []group) []Rule {
	units, same := featureUnits(m), sameIf(m.RuleBase)
	params := make([]float64, len(m.RuleBase.Shape.Params()))
	all := make([]Rule, m.RuleBase.Rules())
	for r := range all {
		rule := Rule{Number: r + 1, Alike: same[r], Share: m.Rules[r].Share, Samples: m.Rules[r].Samples}
		if m.RuleBase.Keep != nil {
			rule.Keep = m.RuleBase.Keep[r]
		}
		for i, f := range m.Inputs() {
			if !m.RuleBase.IsFlat(r, i) {
				a := antecedent(m.RuleBase.Shape, m.RuleBase.Function(params, r, i), f)
				a.Unit = units[f.Name]
				rule.If = append(rule.If, a)
			}
		}
		if isRounded(m) {
			shortenParameters(rule.If)
		}
		if columns != nil {
			rule.Words = ruleWords(m, columns, r)
		}
		all[r] = rule
	}
	markEqual(all)
	return all
}

// addInference adds how the rules of a rulebase fire and are weighted.
func addInference(d *Description, rb *rules.RuleBase) {
	norm, by := inference.OrProduct(rb.TNorm), inference.OrTSK(rb.Defuzzification)
	if norm != (inference.Product{}) {
		d.TNorm = norm.Name()
	}
	if by != (inference.TSK{}) {
		d.Defuzzification = by.Name()
	}
	d.weights = by.Meaning(norm.Meaning(), rb.Features())
}

// addOutputs adds the response of a model and its outputs to its description, and to each rule what it says of each output.
func (d *Description) addOutputs(m *model.Model, columns []group) {
	d.Response = newResponse(m)
	m = relative(m)
	for c := range m.OutputCount() {
		d.addThen(m.Output(c), columns)
	}
	d.Response.Outputs = d.of
}

// addThen adds an output of the rules, that of a model of one output, and what each rule says of it.
func (d *Description) addThen(m *model.Model, columns []group) {
	o := Output{Name: m.Schema.Target, Unit: m.Schema.TargetUnit, precision: d.precision, spread: (m.Target.Max - m.Target.Min) / 4,
		factors: d.Response.Link == "log", alone: d.Response.IsZero()}
	if o.alone {
		o.rmse = m.Training.Metrics["rmse_train"]
	}
	constant, all := constantConsequents(m.RuleBase), make([]Said, len(d.Rules))
	means := make([]float64, len(m.Inputs()))
	for r, w := range m.RuleBase.Consequents {
		then, slopes := Consequent{stated: true}, []float64(nil)
		then.Intercept, slopes = m.Formula(w)
		for i, f := range m.Inputs() {
			if !constant {
				then.Coefficients = append(then.Coefficients, Parameter{Name: f.Name, Value: slopes[i]})
				means[i] += slopes[i] / float64(len(all))
			}
		}
		if len(m.RuleBase.Curves) > 1 {
			then.Curves = inUnits(m, m.RuleBase.Curves[r])
		}
		all[r] = Said{o.Name, then, termsOf(columns, then.Coefficients)}
	}
	if o.Curves = newCurves(m, means); o.complete {
		o.shorten(all)
	}
	d.of = append(d.of, o)
	for r := range d.Rules {
		if rule := &d.Rules[r]; o.alone {
			rule.Then, rule.Terms, d.Curves = all[r].Then, all[r].Terms, o.Curves
		} else {
			rule.Outputs = append(rule.Outputs, all[r])
		}
	}
}

// said returns what a rule says of each output.
func (d Description) said(r Rule) []Said {
	if d.Response.IsZero() {
		return []Said{{d.Target, r.Then, r.Terms}}
	}
	return r.Outputs
}

// describeCommittee describes each member of a committee.
func describeCommittee(m *model.Model, values [][]float64) Description {
	d := Description{Response: newResponse(m), Target: m.Schema.Target, Unit: m.Schema.TargetUnit, Samples: m.Training.Samples,
		Sample: m.Training.Sample, Interval: UsualInterval(m), Neighbours: neighboursOf(m)}
	for _, member := range m.Members {
		one := describeWith(member, values)
		d.Membership = one.Membership
		d.Members = append(d.Members, one)
	}
	return d
}

// Interpretability says how much there is to read in the rules of a model, and how they share
// the samples. [Readability] says whether they are true one by one.
type Interpretability struct {
	Rules int `json:"rules"`

	// Length is the mean number of conditions of a rule in words.
	Length float64 `json:"length"`

	// Curves is the number of curves in the THEN parts; those that all rules share count once.
	Curves int `json:"curves,omitempty"`

	// Coverage is the share of the samples that meet all conditions of some rule, except preferences: each of its grades is at least half the
	// largest, to the digits printed. It is completeness at the level 1/2 (J. Valente de Oliveira, "Semantic constraints for membership
	// function optimization", IEEE Trans. SMC A 29 (1999)). Null without samples.
	Coverage *float64 `json:"coverage,omitempty"`

	// Overlap is the effective number of rules of a prediction: the mean over the samples of 1 / sum_r f_r^2, from 1 for a single rule to R
	// for equal firing levels (M. O. Hill, "Diversity and evenness", Ecology 54 (1973)). Null without samples.
	Overlap *float64 `json:"overlap,omitempty"`
}

// measure returns the measures that need no samples.
func measure(d Description) *Interpretability {
	i := &Interpretability{Rules: len(d.Rules)}
	for _, r := range d.Rules {
		i.Length += float64(len(r.Words)) / float64(len(d.Rules))
	}
	if d.Curves != nil {
		i.Curves = len(d.Curves.Of)
		if d.Curves.Own {
			i.Curves *= i.Rules
		}
	}
	return i
}

// String returns the measures, a sentence each.
func (i *Interpretability) String() string {
	text := fmt.Sprintf("%d rules of %.1f conditions on average", i.Rules, i.Length)
	if i.Rules == 1 {
		text = fmt.Sprintf("1 rule of %.0f conditions", i.Length)
		if i.Length == 1 {
			text = "1 rule of 1 condition"
		}
	}
	switch {
	case i.Curves == 1:
		text += ", and 1 curve"
	case i.Curves > 1:
		text += fmt.Sprintf(", and %d curves", i.Curves)
	}
	text += "."
	if i.Overlap != nil {
		text += fmt.Sprintf(" A prediction mixes %.1f rules on average.", *i.Overlap)
	}
	if i.Coverage != nil {
		text += fmt.Sprintf(" %s of the rows meet all conditions of some rule.", percent(*i.Coverage))
	}
	return text
}

// inWords reports whether a model can be described in words: it has quantiles of the features
// and no principal components, and is no committee.
func inWords(m *model.Model) bool {
	return m.Components == nil && !m.Committee() && m.HasQuantiles()
}

// measured reports whether the activity of the rules on the training part is known: of rules that were
// imported it is not, and none is strongest for a sample.
func (d Description) measured() bool {
	return slices.ContainsFunc(d.Rules, func(r Rule) bool { return r.Samples > 0 })
}

// whyNoWords returns the reason why the rules are in numbers.
func (d Description) whyNoWords() string {
	if d.Components != nil {
		return "The inputs of the rules are principal components, sums of all features, which have no description in words."
	}
	return "The model file is of an older version, without the quantiles of the features that the words need: give the training table to " +
		"measure them."
}
