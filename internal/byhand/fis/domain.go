package fis

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// isFar reports whether a border is so far away that its side is open.
func isFar(v *big.Rat) bool { return math.Abs(nearest(v)) >= 1e100 }

// always reports whether a function is one everywhere, as export/fis writes for a rule without
// conditions.
func always(f function) bool {
	return f.kind == "trapmf" && len(f.params) == 4 && isFar(f.params[1]) && f.params[1].Sign() < 0 && isFar(f.params[2]) &&
		f.params[2].Sign() > 0
}

// checkFunction brings the parameters of a function into the domain of its type without a change of its
// grades within the range: spreads are positive, and a vertical edge at an end of the range gets a
// leg outside it. Zeros behind the parameters, as in files of MATLAB 5, are removed.
func checkFunction(s *system, v *variable, f *function) error {
	n, known := parameters[f.kind]
	if !known {
		return s.wrong(v, f, " is a %s, whose formula the file does not have: want gaussmf, gauss2mf, gbellmf, trimf, trapmf, linsmf, linzmf, "+
			"pimf, smf, zmf, sigmf, psigmf or dsigmf", escape.Text(f.kind))
	}
	for len(f.params) > n && f.params[len(f.params)-1].Sign() == 0 {
		f.params = f.params[:len(f.params)-1]
	}
	if len(f.params) != n {
		return s.wrong(v, f, " has %d parameters: %s has %d", len(f.params), f.kind, n)
	}
	p := f.params
	switch f.kind {
	case "gaussmf", "gbellmf":
		p[0] = new(big.Rat).Abs(p[0])
	case "gauss2mf":
		p[0], p[2] = new(big.Rat).Abs(p[0]), new(big.Rat).Abs(p[2])
	case "trimf":
		return checkLegs(s, v, f, &p[0], p[1], p[1], &p[2])
	case "trapmf", "pimf":
		return checkLegs(s, v, f, &p[0], p[1], p[2], &p[3])
	case "linsmf", "smf":
		return checkLegs(s, v, f, &p[0], p[1], p[1], nil)
	case "linzmf", "zmf":
		return checkLegs(s, v, f, nil, p[0], p[0], &p[1])
	}
	return nil
}

// checkLegs checks the order of feet and shoulders, and moves a foot that is its shoulder, at or outside an
// end of the range, by a millionth of the range.
func checkLegs(s *system, v *variable, f *function, left **big.Rat, low, high *big.Rat, right **big.Rat) error {
	width := new(big.Rat).Sub(v.high, v.low)
	width.Quo(width, number(1e6))
	for _, leg := range []struct {
		foot     **big.Rat
		shoulder *big.Rat
		sign     int64
		outside  bool
	}{{left, low, -1, low.Cmp(v.low) <= 0}, {right, high, 1, high.Cmp(v.high) >= 0}} {
		if leg.foot == nil {
			continue
		}
		switch order := int64((*leg.foot).Cmp(leg.shoulder)); {
		case order == leg.sign:
		case order == 0 && isFar(leg.shoulder):
			*leg.foot = times(leg.shoulder, 2)
		case order == 0 && leg.outside:
			*leg.foot = new(big.Rat).Add(leg.shoulder, times(width, leg.sign))
		case order == 0:
			return s.wrong(v, f, " has a vertical edge at %v, within its range: give its leg a width", nearest(leg.shoulder))
		default:
			return disorder(s, v, f)
		}
	}
	if low.Cmp(high) > 0 {
		return disorder(s, v, f)
	}
	return nil
}

func disorder(s *system, v *variable, f *function) error {
	return s.fault(f.line, "the parameters of %s of %s are not in ascending order", escape.Quote(f.name), escape.Quote(v.name))
}

// checkDomain checks the parameters of a shape.
func checkDomain(s *system, v *variable, f *function, shape membership.Function, p []*big.Rat) error {
	positions := true
	for i, param := range shape.Params() {
		positions = positions && param.Kind == membership.Position
		if param.Kind == membership.Spread && p[i].Sign() <= 0 {
			return s.wrong(v, f, ": its %s must be positive", param.Meaning)
		}
		if param.Kind == membership.Exponent && p[i].Cmp(new(big.Rat).SetFloat64(membership.MinExponent)) < 0 {
			return s.wrong(v, f, ": its %s must be at least %v", param.Meaning, membership.MinExponent)
		}
	}
	for i := 1; positions && i < len(p); i++ {
		if order := p[i-1].Cmp(p[i]); order > 0 || order == 0 && (i == 1 || i == len(p)-1) {
			return disorder(s, v, f)
		}
	}
	return nil
}

// opened returns the parameters with far borders as open ones, on the sides where the shape can be open.
func opened(shape membership.Function, p []*big.Rat) []*big.Rat {
	s, ok := shape.(membership.Between)
	if !ok {
		return p
	}
	all := make([]*big.Rat, len(p))
	for i, open := range s.Between(math.Inf(-1), math.Inf(1), 1) {
		all[i] = p[i]
		if sign := int64(p[i].Sign()); shape.Params()[i].Kind == membership.Position && isFar(p[i]) && float64(sign)*open > 0 {
			all[i] = byhand.Open(sign)
		}
	}
	return all
}

// columns returns the columns of the inputs. The functions of a column with a transform become those
// of its shape.
func columns(s *system, used []use) ([]byhand.Column, error) {
	var all []byhand.Column
	seen := map[string]bool{}
	for i := range s.inputs {
		v := &s.inputs[i]
		if seen[v.feature()] {
			return nil, s.fault(v.line, "two inputs have the name %s", escape.Quote(v.feature()))
		}
		seen[v.feature()] = true
		c := byhand.Column{Name: v.name, Line: v.line}
		if v.column != nil {
			c.Name, c.Unit, c.Levels, c.Ordered = v.column.Name, v.column.Unit, v.column.Levels, v.column.Ordered
			if len(c.Levels) > 0 && !c.Ordered && !slices.Contains(c.Levels, v.column.Level) {
				return nil, s.fault(v.line, "the comment of %s says that it is one for %s, which is not a level of its column", escape.Quote(v.name),
					escape.Quote(v.column.Level))
			}
		}
		if c.Levels == nil {
			c.Range = v.limits()
			if v.column != nil && v.column.SD > 0 {
				c.Mean, c.SD = v.column.Mean, v.column.SD
			}
		}
		if err := transform(s, &c, v, used); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(have byhand.Column) bool { return have.Name == c.Name }) {
			all = append(all, c)
		}
	}
	return all, nil
}

const (
	powered  = "tskyj" // begins the names of functions of a transformed column
	ofScale  = 5       // their first parameters: lambda, mean, SD, and mean and SD of the column
	ofShapes = "tsk"   // begins the names of functions in the parameters of a shape
)

// transform sets the transform of a column by its functions, and removes it from them.
func transform(s *system, c *byhand.Column, v *variable, used []use) error {
	var scale []*big.Rat
	plain := false
	for _, u := range used {
		if u.variable != v {
			continue
		}
		f := u.function
		shape, ok := strings.CutPrefix(f.kind, powered)
		if !ok || len(f.params) < ofScale {
			plain = true
			continue
		}
		if shape == "mf" {
			shape = membership.Gaussian{}.Name() + shape
		}
		if scale == nil {
			scale = f.params[:ofScale]
		}
		if !slices.EqualFunc(scale, f.params[:ofScale], func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			return s.wrong(v, f, " has another transform than the function before it")
		}
		f.kind, f.params = ofShapes+shape, f.params[ofScale:]
	}
	if scale == nil {
		return nil
	}
	var at [ofScale]float64
	for i, p := range scale {
		at[i] = nearest(p)
	}
	if plain || at[2] <= 0 || at[4] <= 0 || c.Levels != nil {
		return s.fault(v.line,
			"%s has functions with a transform: all must have it, with positive standard deviations, and the column be one of numbers",
			escape.Quote(v.name))
	}
	c.Power, c.Mean, c.SD = &model.Power{Lambda: at[0], Mean: at[1], SD: at[2]}, at[3], at[4]
	return nil
}
