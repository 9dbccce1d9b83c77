// Package fis reads the rules of .fis files, the format of MATLAB's Fuzzy Logic Toolbox and of
// Octave's fuzzy-logic-toolkit.
//
// It reads Sugeno systems of type 1 whose rules join conditions by AND: AndMethod prod or min,
// DefuzzMethod wtaver, outputs constant or linear. The membership functions become those of one
// shape, which a model has, see [families]: trimf and trapmf are trapezoids, for example. Rules of
// equal weights have the weight one; those of the weight zero are left out. Everything else is
// refused with its line.
//
// In files that export/fis wrote, comments name the columns of inputs, the last rule is what the model
// predicts where no rule fires, and the functions of its function files are known.
package fis

import (
	"io"
	"math/big"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
)

func init() {
	byhand.Register(byhand.Format{Title: "fis", Extensions: []string{".fis"}, Read: Read})
}

// Read reads a file. name is its path. Faults are a [byhand.Error] with its line.
func Read(r io.Reader, name string) (*byhand.Rulebook, error) {
	s, err := parse(r, name)
	if err != nil {
		return nil, err
	}
	return s.rulebook()
}

// rulebook converts a system.
func (s *system) rulebook() (*byhand.Rulebook, error) {
	b := &byhand.Rulebook{File: s.file, TNorm: s.and}
	targets, err := s.targets()
	if err != nil {
		return nil, err
	}
	b.Targets = targets
	rules, err := s.weighed(b.Targets)
	if err != nil {
		return nil, err
	}
	used := s.used(rules)
	if b.Columns, err = columns(s, used); err != nil {
		return nil, err
	}
	family, err := s.common(used)
	if err != nil {
		return nil, err
	}
	b.Shape = family.shape
	for _, u := range used {
		p := family.from[u.function.kind](u.function.params)
		if err := checkDomain(s, u.variable, u.function, b.Shape, p); err != nil {
			return nil, err
		}
		b.Terms = append(b.Terms, byhand.Term{Column: u.variable.feature(), Name: u.function.name, Params: opened(b.Shape, p),
			Line: u.function.line})
	}
	for _, r := range rules {
		rule, err := s.rule(r)
		if err != nil {
			return nil, err
		}
		b.Rules = append(b.Rules, rule)
	}
	return b, nil
}

// feature returns the name of an input of a model, or of a target.
func (v *variable) feature() string {
	if v.column != nil {
		return v.column.feature()
	}
	return v.name
}

// targets returns the outputs.
func (s *system) targets() ([]byhand.Target, error) {
	var all []byhand.Target
	seen := map[string]bool{}
	for i := range s.outputs {
		v := &s.outputs[i]
		t := byhand.Target{Name: v.feature(), Range: v.limits()}
		if v.column != nil {
			t.Unit = v.column.Unit
		}
		if seen[t.Name] {
			return nil, s.fault(v.line, "two outputs have the name %s", escape.Quote(t.Name))
		}
		seen[t.Name] = true
		all = append(all, t)
	}
	return all, nil
}

// limits returns the range; nil if it is empty.
func (v *variable) limits() *[2]float64 {
	if v.low.Cmp(v.high) == 0 {
		return nil
	}
	return &[2]float64{nearest(v.low), nearest(v.high)}
}

// elseWeight is the weight below which a rule that always holds is what is predicted where no other
// fires.
var elseWeight = new(big.Rat).Inv(infinite)

// weighed returns the rules that have an effect, whose weights must be equal, and sets the means of
// targets by the rule for samples that no other covers.
func (s *system) weighed(targets []byhand.Target) ([]rule, error) {
	var all []rule
	for _, r := range s.rules {
		switch {
		case r.weight.Sign() == 0:
		case r.weight.Cmp(elseWeight) < 0 && s.holdsAlways(r):
			for j := range targets {
				if f := s.outputs[j].functions[max(r.outputs[j], 1)-1]; r.outputs[j] > 0 && f.kind == "constant" {
					mean := nearest(f.params[0])
					targets[j].Mean = &mean
				}
			}
		case len(all) > 0 && all[0].weight.Cmp(r.weight) != 0:
			return nil, s.fault(r.line,
				"the weight of the rule is %v, and that of the rule on line %d is %v: the rules of a model have equal weights", nearest(r.weight),
				all[0].line, nearest(all[0].weight))
		default:
			all = append(all, r)
		}
	}
	if all == nil {
		return nil, s.fault(0, "no rule fires")
	}
	return all, nil
}

// holdsAlways reports whether a rule has no conditions but those that are always met.
func (s *system) holdsAlways(r rule) bool {
	for i, index := range r.conditions {
		if index > 0 && !always(s.inputs[i].functions[index-1]) {
			return false
		}
	}
	return true
}

// use is a function that rules mention.
type use struct {
	variable *variable
	function *function
}

// used returns the functions that rules mention, in the order of the file, and gives those of one
// variable names that differ.
func (s *system) used(rules []rule) []use {
	var all []use
	for i := range s.inputs {
		v := &s.inputs[i]
		mentioned, seen := map[int]bool{}, map[string]bool{}
		for _, r := range rules {
			mentioned[r.conditions[i]] = true
		}
		for k := range v.functions {
			f := &v.functions[k]
			if !mentioned[k+1] || always(*f) {
				continue
			}
			for f.name == "" || seen[f.name] {
				f.name += "_"
			}
			seen[f.name] = true
			all = append(all, use{v, f})
		}
	}
	return all
}

// common returns the simplest shape that has all functions.
func (s *system) common(used []use) (family, error) {
	left := families
	for _, u := range used {
		if err := checkFunction(s, u.variable, u.function); err != nil {
			return family{}, err
		}
		var fit []family
		for _, f := range left {
			if to := f.from[u.function.kind]; to != nil && to(u.function.params) != nil {
				fit = append(fit, f)
			}
		}
		if len(fit) == 0 {
			first := used[0]
			return family{}, s.wrong(u.variable, u.function, " is a %s, and %s of %s, on line %d, a %s: a model has membership functions of one "+
				"shape, and no shape has all functions up to here: write them as functions of one type", u.function.kind,
				escape.Quote(first.function.name), escape.Quote(first.variable.name), first.function.line, first.function.kind)
		}
		left = fit
	}
	return left[0], nil
}

// rule converts a rule.
func (s *system) rule(r rule) (byhand.Rule, error) {
	k := byhand.Rule{Line: r.line}
	for i, index := range r.conditions {
		v := &s.inputs[i]
		if index > 0 && !always(v.functions[index-1]) {
			k.If = append(k.If, byhand.Condition{Column: v.feature(), Term: v.functions[index-1].name, Line: r.line})
		}
	}
	for j, index := range r.outputs {
		v := &s.outputs[j]
		if index == 0 {
			return k, s.fault(r.line, "the rule says nothing of %s: each rule of a model says all outputs", escape.Quote(v.name))
		}
		f := v.functions[index-1]
		formula := byhand.Formula{Line: f.line}
		if len(s.outputs) > 1 {
			formula.Output = v.feature()
		}
		slopes, constant, err := s.then(v, f)
		if err != nil {
			return k, err
		}
		formula.Intercept = constant
		for i, slope := range slopes {
			if slope.Sign() != 0 {
				formula.Slopes = append(formula.Slopes, byhand.Slope{Column: s.inputs[i].feature(), Value: slope})
			}
		}
		k.Then = append(k.Then, formula)
	}
	return k, nil
}

// then returns the slopes and the constant of an output.
func (s *system) then(v *variable, f function) (slopes []*big.Rat, constant *big.Rat, err error) {
	inputs := len(s.inputs)
	switch {
	case f.kind == "constant" && !slices.ContainsFunc(f.params[1:], func(v *big.Rat) bool { return v.Sign() != 0 }):
		return nil, f.params[0], nil
	case f.kind == "linear" && len(f.params) == inputs+1:
		return f.params[:inputs], f.params[inputs], nil
	case f.kind == "constant":
		return nil, nil, s.wrong(v, &f, " is a constant of %d numbers: want one", len(f.params))
	case f.kind == "linear":
		return nil, nil, s.wrong(v, &f, " is linear with %d numbers: want a slope for each of the %d inputs and a constant",
			len(f.params), inputs)
	}
	return nil, nil, s.wrong(v, &f, " is a %s: want constant or linear", f.kind)
}
