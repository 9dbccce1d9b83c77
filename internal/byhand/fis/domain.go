package fis

import (
	"math"
	"math/big"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/membership"
)

// isFar reports whether a border is so far away that its side is open.
func isFar(v *big.Rat) bool { return math.Abs(nearest(v)) >= 1e100 }

// always reports whether a function is one everywhere, as export/fis writes for a rule without
// conditions.
func always(f function) bool {
	return f.kind == "trapmf" && len(f.params) == 4 && isFar(f.params[1]) && f.params[1].Sign() < 0 && isFar(f.params[2]) && f.params[2].Sign() > 0
}

// checkFunction brings the parameters of a function into the domain of its type without a change of its
// grades within the range: spreads are positive, and a vertical edge at an end of the range gets a
// leg outside it. Zeros behind the parameters, as in files of MATLAB 5, are removed.
func checkFunction(s *system, v *variable, f *function) error {
	n, known := parameters[f.kind]
	if !known {
		return s.fault(f.line, "%s of %s is a %s, whose formula the file does not have: want gaussmf, gauss2mf, gbellmf, trimf, trapmf, linsmf, linzmf, pimf, smf, zmf, sigmf, psigmf or dsigmf", escape.Quote(f.name), escape.Quote(v.name), escape.Text(f.kind))
	}
	for len(f.params) > n && f.params[len(f.params)-1].Sign() == 0 {
		f.params = f.params[:len(f.params)-1]
	}
	if len(f.params) != n {
		return s.fault(f.line, "%s of %s has %d parameters: %s has %d", escape.Quote(f.name), escape.Quote(v.name), len(f.params), f.kind, n)
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
			return s.fault(f.line, "%s of %s has a vertical edge at %v, within its range: give its leg a width", escape.Quote(f.name), escape.Quote(v.name), nearest(leg.shoulder))
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
			return s.fault(f.line, "%s of %s: its %s must be positive", escape.Quote(f.name), escape.Quote(v.name), param.Meaning)
		}
		if param.Kind == membership.Exponent && p[i].Cmp(new(big.Rat).SetFloat64(membership.MinExponent)) < 0 {
			return s.fault(f.line, "%s of %s: its %s must be at least %v", escape.Quote(f.name), escape.Quote(v.name), param.Meaning, membership.MinExponent)
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
