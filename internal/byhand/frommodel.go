package byhand

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
	"go.yaml.in/yaml/v3"
)

// FromModel returns the rules of a model in the units of its data, with decimals that give its bits.
// Neighbours and calibration are left out. A term is named after the first rule that has it, r1 of rule 1;
// flat functions have none. A committee is an error.
func FromModel(m *model.Model) (*Rulebook, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if m.Committee() {
		return nil, fmt.Errorf("a committee of %d models has no rules of its own: choose one with --member", len(m.Members))
	}
	rb := m.RuleBase
	if err := rules.Restorable(rb); err != nil {
		return nil, err
	}
	b := &Rulebook{Shape: rb.Shape, Saved: savedOf(m)}
	if t := inference.OrProduct(rb.TNorm); t != (inference.Product{}) {
		b.TNorm = t.Name()
	}
	if d := inference.OrTSK(rb.Defuzzification); d != (inference.TSK{}) {
		b.Defuzzification = d.Name()
	}
	b.Rules = make([]Rule, rb.Rules())
	for i, f := range m.Inputs() {
		addTerms(b, rb, i, f)
	}
	compiled := *m // a rule of a page may be several
	compiled.Pages = nil
	outputs, d := outputNames(m.Preprocessing), words.Model(&compiled)
	for r := range b.Rules {
		rule := &b.Rules[r]
		if rb.Keep != nil {
			rule.Keep = rb.Keep[r]
		}
		if rb.MergeWeights != nil && rb.MergeWeights[r] > 1 {
			rule.Merged = rb.MergeWeights[r]
		}
		rule.Comment = conditions(d, r)
		for c, output := range outputs {
			f := newFormula(outputOf(m.Preprocessing, c), rb.Output(c).Consequents[r])
			if len(outputs) > 1 {
				f.Output = output
			}
			rule.Then = append(rule.Then, f)
		}
	}
	return b, nil
}

// conditions returns the IF part of a rule in words; nothing of a model without words.
func conditions(d words.Description, r int) []string {
	if d.Interpretability == nil {
		return nil
	}
	rule := d.Say(d.Rules[r])
	if len(rule.If) == 0 {
		return []string{rule.Always}
	}
	lines := []string{"IF " + rule.If[0]}
	for _, c := range rule.If[1:] {
		lines = append(lines, "AND "+c)
	}
	return lines
}

// addTerms adds the terms of an input, and conditions on it to the rules.
func addTerms(b *Rulebook, rb *rules.RuleBase, input int, f model.Feature) {
	flat := rb.Clone()
	first := map[int]string{} // name of the term of each label
	for r := range rb.Rules() {
		if rb.Tie != nil {
			if name, known := first[rb.Tie[r][input]]; known {
				b.Rules[r].If = append(b.Rules[r].If, Condition{Column: f.Name, Term: name})
				continue
			}
		}
		p := rb.Function(make([]float64, len(rb.Antecedents)), r, input)
		if shared := rb.Tie != nil && sharedBy(rb.Tie, r, input) > 1; !shared && rules.CanBeFlat(rb.Shape) {
			flat.Flatten(r, input)
			if slices.Equal(p, flat.Function(make([]float64, len(p)), r, input)) {
				continue
			}
		}
		t := Term{Column: f.Name, Name: fmt.Sprintf("r%d", r+1)}
		for j := range p {
			t.Params = append(t.Params, written(f, rb.Shape, j, p[j]))
		}
		b.Terms = append(b.Terms, t)
		b.Rules[r].If = append(b.Rules[r].If, Condition{Column: f.Name, Term: t.Name})
		if rb.Tie != nil {
			first[rb.Tie[r][input]] = t.Name
		}
	}
}

// sharedBy returns the number of rules that share the function of rule r on an input.
func sharedBy(tie [][]int, r, input int) int {
	n := 0
	for _, labels := range tie {
		if labels[input] == tie[r][input] {
			n++
		}
	}
	return n
}

// written returns parameter j of a term as it is written: in units, or as it is if the feature has a
// transform.
func written(f model.Feature, shape membership.Function, j int, v float64) *big.Rat {
	param := shape.Params()[j]
	switch open := openParams(shape); {
	case open != nil && membership.IsOpen(param, v) && v == open[j]:
		return new(big.Rat).Mul(infinite, big.NewRat(int64(math.Copysign(1, v)), 1))
	case f.Power != nil:
		return rational(v)
	}
	return inUnits(f, param.Kind, v)
}

// newFormula returns the formula of a consequent of one output, without slopes of zero.
func newFormula(p model.Preprocessing, w []float64) Formula {
	intercept, slopes := formula(p, w)
	f := Formula{Intercept: intercept}
	for m, input := range p.Inputs() {
		if slopes[m].Sign() != 0 {
			f.Slopes = append(f.Slopes, Slope{input.Name, slopes[m]})
		}
	}
	return f
}

// Saved is what a model has beside the rules that a person edits: the section model of a file that
// was written from one. Numbers are in scaled units, as in a model file.
type Saved struct {
	Schema      data.Schema         `json:"schema"` // see model.Preprocessing, as the next
	ImputeMeans bool                `json:"impute_means,omitempty"`
	Features    []model.Feature     `json:"features"`
	Target      model.Target        `json:"target"`
	Response    model.Response      `json:"response,omitzero"`
	Components  []model.Component   `json:"components,omitempty"`
	Formula     *membership.Formula `json:"formula,omitempty"` // of a shape that is not built in
	Loss        string              `json:"loss,omitempty"`    // train.loss
	Samples     int                 `json:"samples"`           // of the training part
	SpreadFloor float64             `json:"spread_floor"`      // see rules.RuleBase, as the next
	Knots       [][]float64         `json:"knots,omitempty"`
	Curves      [][]float64         `json:"curves,omitempty"`
	Splits      []rules.Split       `json:"splits,omitempty"`
	Signs       []int               `json:"signs,omitempty"`
}

// preprocessing returns that of the model.
func (s *Saved) preprocessing() model.Preprocessing {
	return model.Preprocessing{Schema: s.Schema, ImputeMeans: s.ImputeMeans, Features: s.Features, Target: s.Target, Response: s.Response,
		Components: s.Components}
}

// OwnCurves reports whether each rule has curves of its own.
func (s *Saved) OwnCurves() bool { return len(s.Curves) > s.preprocessing().OutputCount() }

// savedOf returns what a model has beside its rules.
func savedOf(m *model.Model) *Saved {
	rb := m.RuleBase
	s := &Saved{
		Schema: m.Schema, ImputeMeans: m.ImputeMeans, Features: m.Features, Target: m.Target, Response: m.Response, Components: m.Components,
		Loss: m.Training.Options["train.loss"], Samples: m.Training.Samples,
		SpreadFloor: rb.SpreadFloor, Curves: rb.Curves, Splits: rb.Splits, Signs: rb.Signs,
	}
	for _, k := range rb.Knots {
		s.Knots = append(s.Knots, append([]float64{}, k...)) // no knots are an empty list, not null
	}
	if f, ok := membership.AsFormula(rb.Shape); ok {
		s.Formula = &f
	}
	return s
}

// node returns the section as YAML.
func (s *Saved) node() (*yaml.Node, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	section := doc.Content[0]
	section.Style = 0
	for i := 0; i < len(section.Content); i += 2 {
		section.Content[i].Style = 0
	}
	return section, nil
}

// decodeSaved reads and checks the section.
func decodeSaved(n *yaml.Node) (*Saved, error) {
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	s := &Saved{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	if s.Samples < 1 || !(s.SpreadFloor > 0) {
		return nil, errors.New("samples and spread_floor must be positive")
	}
	if err := model.CheckPreprocessing(s.preprocessing()); err != nil {
		return nil, err
	}
	for i, split := range s.Splits {
		if split.Feature < 0 || split.Feature >= len(s.preprocessing().Inputs()) {
			return nil, fmt.Errorf("splits[%d]: there is no input %d", i, split.Feature)
		}
	}
	return s, nil
}

// complete sets what the rules of the file have beside what a person edits. In other scaled units
// than those of the file, thresholds of splits are converted, and splits of other inputs are left out; curves are
// an error.
func (s *Saved) complete(b *Rulebook, rb *rules.RuleBase, p model.Preprocessing) error {
	own, now := s.preprocessing().Inputs(), p.Inputs()
	names, same := len(own) == len(now), len(own) == len(now)
	for i := range min(len(own), len(now)) {
		names = names && own[i].Name == now[i].Name
		same = same && sameScale(own[i], now[i])
	}
	rb.SpreadFloor = min(s.SpreadFloor, leastSpread(rb))
	switch C := rb.OutputCount(); {
	case s.Curves == nil:
	case !same:
		return Errorf(b.File, 0, 0,
			"model: curves are in the scaled units of the model that the file was written from, and the columns are scaled otherwise here: "+
				"continue from the model file, or train without curves")
	case len(s.Curves) != C && len(s.Curves) != C*rb.Rules():
		return Errorf(b.File, 0, 0, "model: %d curves of %d rules with %d outputs: add or remove those of the rules that were added or removed",
			len(s.Curves), rb.Rules(), C)
	}
	rb.Knots, rb.Curves = s.Knots, s.Curves
	if !names {
		return nil
	}
	rb.Signs = s.Signs
	for _, split := range s.Splits {
		if !same {
			split.Threshold = converted(own[split.Feature], now[split.Feature], split.Threshold)
		}
		rb.Splits = append(rb.Splits, split)
	}
	return nil
}

// sameScale reports whether two features have the same scaling for the antecedents.
func sameScale(a, b model.Feature) bool {
	return a.Name == b.Name && a.Mean == b.Mean && a.SD == b.SD && (a.Power == nil) == (b.Power == nil) &&
		(a.Power == nil || *a.Power == *b.Power)
}

// converted converts an antecedent input from the scale of one feature to that of another.
func converted(from, to model.Feature, u float64) float64 {
	return to.Antecedent((from.Unscaled(u) - to.Mean) / to.SD)
}

// leastSpread returns the least spread of the functions of a rulebase; infinite without any.
func leastSpread(rb *rules.RuleBase) float64 {
	least := math.Inf(1)
	for j, param := range rb.Shape.Params() {
		if param.Kind == membership.Spread {
			for _, row := range rb.Antecedents[j] {
				least = min(least, slices.Min(row))
			}
		}
	}
	return least
}
