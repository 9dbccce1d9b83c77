package byhand

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
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
	outputs, d := outputNames(m.Preprocessing), words.Model(m)
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
