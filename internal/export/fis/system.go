package fis

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/membership"
)

// system is the content of a .fis file.
type system struct {
	and     string
	inputs  []variable
	outputs []variable
	rules   []rule
	files   []export.File // of functions
}

// variable is an input or an output.
type variable struct {
	name      string
	low, high float64
	functions []function
}

// function is a membership function, or what a rule says of an output.
type function struct {
	name, kind string
	params     []float64
}

// rule has the indices of functions, from 1: of each input, 0 without a condition, and of all outputs.
type rule struct {
	conditions []int
	output     int
	weight     float64
}

// always is a condition that always holds, for a rule without others.
var always = function{"always", "trapmf", []float64{-1e300, -9e299, 9e299, 1e300}}

// elseWeight is the weight of the rule that decides where no other fires.
const elseWeight = 1e-300

// newSystem converts a form that check accepts. prefix begins the names of functions.
func newSystem(f *export.Form, prefix string) (*system, error) {
	m := &f.Members[0]
	s := &system{and: and[m.TNorm]}
	given := newNames()
	for _, in := range m.Inputs {
		feature := f.Features[in.Feature]
		column := f.Columns[feature.Column]
		v := variable{name: given.of(feature.Name), low: column.Min, high: column.Max}
		if column.Width() > 1 {
			v.low, v.high = 0, 1
		}
		s.inputs = append(s.inputs, v)
	}
	given = newNames()
	values := f.Model.Values()
	for j, o := range f.Outputs {
		t := values[j]
		v := variable{name: given.of(o.Name), low: t.Min, high: t.Max}
		if low, high := m.Low[j], m.High[j]; numeric.Finite(low, high) {
			v.low, v.high = low, high
		}
		s.outputs = append(s.outputs, v)
	}
	for _, r := range m.Rules {
		if err := s.add(f, r, prefix); err != nil {
			return nil, err
		}
	}
	s.addElse(m)
	return s, nil
}

// add adds a rule.
func (s *system) add(f *export.Form, r export.Rule, prefix string) error {
	m := &f.Members[0]
	conditions := make([]int, len(s.inputs))
	for i, at := range r.If {
		in := m.Inputs[at]
		is := s.grade(m, in, r.Params[i], prefix)
		if !numeric.Finite(is.params...) || !separate(is.kind, is.params) {
			column := f.Columns[f.Features[in.Feature].Column].Name
			return export.Refuse(name,
				"the borders of a condition on column %q, of mean %v and standard deviation %v, are the same numbers in its unit: subtract a "+
					"constant from the column in the table", column, in.Mean, in.SD)
		}
		conditions[at] = s.inputs[at].index(is)
	}
	if len(r.If) == 0 {
		conditions[0] = s.inputs[0].index(always)
	}
	for c := range s.outputs {
		p := plane(r.Weights[c], m.Inputs, m.Targets[c])
		if !numeric.Finite(p...) {
			return export.Refuse(name, "the formula of rule %d is beyond the largest number in the units of the table: scale the columns",
				len(s.rules)+1)
		}
		s.outputs[c].functions = append(s.outputs[c].functions, then("rule"+strconv.Itoa(len(s.rules)+1), p))
	}
	s.rules = append(s.rules, rule{conditions, len(s.rules) + 1, 1})
	return nil
}

// then returns what a rule says of an output: a plane, or a constant if it has no slopes.
func then(name string, plane []float64) function {
	last := len(plane) - 1
	if slices.ContainsFunc(plane[:last], func(v float64) bool { return v != 0 }) {
		return function{name, "linear", plane}
	}
	return function{name, "constant", plane[last:]}
}

// addElse adds the rule that decides where no other fires.
func (s *system) addElse(m *export.Member) {
	conditions := make([]int, len(s.inputs))
	conditions[0] = s.inputs[0].index(always)
	for c := range s.outputs {
		s.outputs[c].functions = append(s.outputs[c].functions, then("otherwise", m.Uncovered[c:c+1]))
	}
	s.rules = append(s.rules, rule{conditions, len(s.rules) + 1, elseWeight})
}

// grade returns the membership function, still without a name, of an input for scaled parameters p.
func (s *system) grade(m *export.Member, in export.Input, p []float64, prefix string) function {
	_, formula := membership.AsFormula(m.Shape)
	switch {
	case in.Power != nil:
		first := []float64{in.Power.Lambda, in.Power.Mean, in.Power.SD, in.Mean, in.SD}
		return function{kind: s.file(m, powered, prefix), params: append(first, p...)}
	case formula:
		return function{kind: s.file(m, scaled, prefix), params: append([]float64{in.Mean, in.SD}, p...)}
	}
	units := make([]float64, len(p))
	for i, param := range m.Shape.Params() {
		units[i] = inUnits(p[i], param.Kind, in)
	}
	if kind, params := standard(m.Shape.Name(), units); kind != "" {
		return function{kind: kind, params: params}
	}
	return function{kind: s.file(m, unscaled, prefix), params: units}
}

// file adds the file of a function, once, and returns the function's name.
func (s *system) file(m *export.Member, by scaling, prefix string) string {
	kind, text := functionFile(m, by, prefix)
	if !slices.ContainsFunc(s.files, func(f export.File) bool { return f.Name == kind+".m" }) {
		s.files = append(s.files, export.File{Name: kind + ".m", Data: text})
	}
	return kind
}

// index returns the index, from 1, of a function of the variable, which it adds once.
func (v *variable) index(f function) int {
	for i, have := range v.functions {
		if have.kind == f.kind && slices.Equal(have.params, f.params) {
			return i + 1
		}
	}
	if f.name == "" {
		f.name = "mf" + strconv.Itoa(len(v.functions)+1)
	}
	v.functions = append(v.functions, f)
	return len(v.functions)
}

// exact returns v as a number that arithmetic does not round.
func exact(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// rounded returns the nearest float64; an infinity beyond the largest.
func rounded(r *big.Rat) float64 {
	v, _ := r.Float64()
	return v
}

// times returns the product a*b.
func times(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

// inUnits converts a scaled parameter of a membership function to the units of its column,
// rounded once.
func inUnits(v float64, kind membership.Kind, in export.Input) float64 {
	switch kind {
	case membership.Position:
		r := times(exact(v), exact(in.SD))
		return rounded(r.Add(r, exact(in.Mean)))
	case membership.Spread:
		return v * in.SD
	case membership.Slope:
		return v / in.SD
	}
	return v
}

// plane returns the slopes [M] and the constant of an output in units of the columns and of the
// target, for weights [1+M] of z-scores. The slopes are rounded once. The constant is exact for
// these slopes and rounded once, so that the plane differs least at the means of the columns. A slope that
// overflows makes the constant infinite.
func plane(w []float64, inputs []export.Input, t export.Scale) []float64 {
	scale := exact(t.Scale)
	constant := times(scale, exact(w[0]))
	constant.Add(constant, exact(t.Mean))
	p := make([]float64, len(w))
	for i, in := range inputs {
		slope := times(scale, exact(w[i+1]))
		if p[i] = rounded(slope.Quo(slope, exact(in.SD))); math.IsInf(p[i], 0) {
			p[len(inputs)] = p[i]
			return p
		}
		constant.Sub(constant, times(exact(p[i]), exact(in.Mean)))
	}
	p[len(inputs)] = rounded(constant)
	return p
}

// identifier returns a name of ASCII letters, digits and underscores, a letter first.
func identifier(s string) string {
	name := export.Identifier(s)
	if name == "" || name[0] <= '9' {
		name = "x" + name
	}
	return name
}

// reserved are the words of fuzzylite's rules.
var reserved = []string{"if", "then", "is", "and", "or", "with", "any", "not", "very", "somewhat", "extremely", "seldom"}

// names are taken identifiers, which differ in more than upper and lower case from others and from reserved words.
type names struct{ export.Names }

func newNames() names {
	n := names{export.Names{}}
	for _, word := range reserved {
		n.Names[word] = true
	}
	return n
}

// of returns an identifier for s that was not given out before.
func (n names) of(s string) string { return n.Free(identifier(s), strings.ToLower) }
