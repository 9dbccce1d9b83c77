package byhand

import (
	"math/big"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

// thenPart sets the consequents w [C(M+1)] of a rule.
func thenPart(in *inputs, w []float64, rule Rule, p model.Preprocessing) error {
	outputs, width := outputNames(p), len(in.all)+1
	set := make([]bool, len(outputs))
	for _, f := range rule.Then {
		c := slices.Index(outputs, f.Output)
		switch {
		case f.Output == "" && len(outputs) == 1:
			c = 0
		case f.Output == "":
			return Errorf(in.file, f.Line, 0, "want a formula for each of %s", escape.List(outputs))
		case c < 0:
			return Errorf(in.file, f.Line, 0, "there is no output %s: want a formula for each of %s%s", escape.Quote(f.Output), escape.List(outputs), meant(f.Output, outputs))
		}
		set[c] = true
		slopes, err := slopesOf(in, f)
		if err != nil {
			return err
		}
		copy(w[c*width:(c+1)*width], consequent(outputOf(p, c), f.Intercept, slopes))
	}
	if c := slices.Index(set, false); c >= 0 {
		return Errorf(in.file, rule.Line, 0, "then: the formula of %s is missing", escape.Quote(outputs[c]))
	}
	return nil
}

// slopesOf returns the slopes of a formula by input [M].
func slopesOf(in *inputs, f Formula) ([]*big.Rat, error) {
	all := make([]*big.Rat, len(in.all))
	for m := range all {
		all[m] = new(big.Rat)
	}
	for _, s := range f.Slopes {
		g, err := in.lookup(s.Column, f.Line)
		if err != nil {
			return nil, err
		}
		if g.column.Encoding == data.OneHot {
			return nil, Errorf(in.file, f.Line, 0, "%s has levels, not numbers: write a product with a level, such as 2*%s, which is 2 for it and 0 for the others", escape.Text(s.Column), quoteName(s.Column+"="+g.levels[0]))
		}
		all[g.inputs[0]] = s.Value
	}
	return all, nil
}

// outputOf returns the preprocessing of output c alone, see [model.Model.Output].
func outputOf(p model.Preprocessing, c int) model.Preprocessing {
	return (&model.Model{Preprocessing: p}).Output(c).Preprocessing
}

// consequent scales a formula: in float64 if all its numbers are short, else exactly.
func consequent(p model.Preprocessing, intercept *big.Rat, slopes []*big.Rat) []float64 {
	unit, plain := p.Target.Scaling(), make([]float64, len(slopes))
	b, allShort := short(intercept)
	constant := new(big.Rat).Sub(intercept, exactly(p.Target.Mean))
	w := make([]float64, 1, len(slopes)+1)
	for m, f := range p.Inputs() {
		constant.Add(constant, new(big.Rat).Mul(slopes[m], exactly(f.Mean)))
		v, ok := short(slopes[m])
		allShort, plain[m] = allShort && ok, v
		w = append(w, scaledSlope(slopes[m], f.SD, unit))
	}
	if allShort {
		w[0] = p.Consequent(b, plain)[0]
	} else {
		w[0] = nearest(constant.Quo(constant, exactly(unit)))
	}
	return w
}

// scaledSlope scales a slope of an input with a standard deviation for outputs in a unit.
func scaledSlope(slope *big.Rat, sd, unit float64) float64 {
	if v, ok := short(slope); ok {
		return v * sd / unit
	}
	v := new(big.Rat).Mul(slope, exactly(sd))
	return nearest(v.Quo(v, exactly(unit)))
}

// formula is the inverse of consequent: the shortest decimals of slopes, then that of the intercept.
func formula(p model.Preprocessing, w []float64) (intercept *big.Rat, slopes []*big.Rat) {
	unit := p.Target.Scaling()
	constant := exactly(w[0])
	constant.Add(constant.Mul(constant, exactly(unit)), exactly(p.Target.Mean))
	for m, f := range p.Inputs() {
		v := exactly(w[m+1])
		v.Quo(v.Mul(v, exactly(unit)), exactly(f.SD))
		slope := shortest(v, w[m+1], func(s *big.Rat) float64 { return scaledSlope(s, f.SD, unit) })
		slopes = append(slopes, slope)
		constant.Sub(constant, new(big.Rat).Mul(slope, exactly(f.Mean)))
	}
	return shortest(constant, w[0], func(v *big.Rat) float64 { return consequent(p, v, slopes)[0] }), slopes
}
