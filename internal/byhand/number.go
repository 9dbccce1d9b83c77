package byhand

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// A number is scaled in one of two ways. A float64, and its shortest decimal such as 3.2, is scaled in
// float64, as [model.Round] does, so that rounded models have short numbers. Any other decimal is
// scaled exactly and rounded once, so that every float64 has decimals that give it.

// short returns the float64 that v is, or whose shortest decimal v is, if there is one.
func short(v *big.Rat) (float64, bool) {
	f, exact := v.Float64()
	if exact || math.IsInf(f, 0) {
		return f, exact
	}
	return f, rational(f).Cmp(v) == 0
}

// shorts returns the float64s that numbers are, and whether all are [short].
func shorts(all []*big.Rat) (plain []float64, ok bool) {
	plain, ok = make([]float64, len(all)), true
	for i, v := range all {
		f, is := short(v)
		plain[i], ok = f, ok && is
	}
	return plain, ok
}

// rational returns the shortest decimal of a finite number.
func rational(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return r
}

func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// scaled scales a parameter of a membership function, see [model.Feature.Scaled].
func scaled(f model.Feature, kind membership.Kind, v *big.Rat) float64 {
	if u, ok := short(v); ok {
		return f.Scaled(u, kind)
	}
	r := new(big.Rat).Set(v)
	switch kind {
	case membership.Position:
		r.Quo(r.Sub(r, exactly(f.Mean)), exactly(f.SD))
	case membership.Spread:
		r.Quo(r, exactly(f.SD))
	case membership.Slope:
		r.Mul(r, exactly(f.SD))
	}
	return nearest(r)
}

// inUnits returns the shortest decimal of which [scaled] gives p.
func inUnits(f model.Feature, kind membership.Kind, p float64) *big.Rat {
	r := exactly(p)
	switch kind {
	case membership.Position:
		r.Add(r.Mul(r, exactly(f.SD)), exactly(f.Mean))
	case membership.Spread:
		r.Mul(r, exactly(f.SD))
	case membership.Slope:
		r.Quo(r, exactly(f.SD))
	}
	return shortest(r, p, func(v float64) float64 { return f.Scaled(v, kind) }, func(v *big.Rat) float64 { return scaled(f, kind, v) })
}

func nearest(r *big.Rat) float64 {
	v, _ := r.Float64()
	return v
}

// most is the largest number of significant digits that shortest tries.
const most = 60

// shortest returns the decimal of the fewest digits near exact of which read gives want. Where
// all of them are scaled in float64 and give other numbers, it adds a digit far behind. Of a float64's
// shortest decimal, scale gives the same as read, in a hundredth of the time; it may be nil.
func shortest(exact *big.Rat, want float64, scale func(float64) float64, read func(*big.Rat) float64) *big.Rat {
	place, near := magnitude(exact), nearest(exact)
	for n := 1; n <= most; n++ {
		if scale != nil && n <= certain && place > -290 {
			v, _ := strconv.ParseFloat(strconv.FormatFloat(near, 'e', n-1, 64), 64)
			if math.Abs(v-near) < 0.45*math.Pow10(place+1-n) && scale(v) != want {
				continue
			}
		}
		if v := rounded(exact, place+1-n); read(v) == want {
			return v
		}
	}
	for n := 20; ; n++ {
		v := rounded(exact, place-n)
		if v.Add(v, power(place-n)); read(v) == want {
			return v
		}
	}
}

// certain is a number of digits to which a number and the float64 nearest to it are rounded alike, unless they are almost half
// way between two decimals, and of which each decimal is the shortest of its float64.
const certain = 14

// magnitude returns the exponent of the leading digit of a number; -300 of zero.
func magnitude(v *big.Rat) int {
	if v.Sign() == 0 {
		return -300
	}
	digits := func(n *big.Int) int { return len(new(big.Int).Abs(n).String()) }
	place := digits(v.Num()) - digits(v.Denom())
	if new(big.Rat).Abs(v).Cmp(power(place)) < 0 {
		place--
	}
	return place
}

// infinite is the number in place of an open border, beyond all finite ones: .inf in a file.
var infinite = power(400)

// Open returns the number of a border that is open upward, or with the sign -1 downward.
func Open(sign int64) *big.Rat { return new(big.Rat).Mul(infinite, big.NewRat(sign, 1)) }

// isOpen reports whether a number is that of an open border.
func isOpen(v *big.Rat) bool { return new(big.Rat).Abs(v).Cmp(infinite) == 0 }

// openParams returns the parameters of a function of the shape that is open on both sides; nil if it has
// none.
func openParams(shape membership.Function) []float64 {
	s, ok := shape.(membership.Between)
	if !ok {
		return nil
	}
	return s.Between(math.Inf(-1), math.Inf(1), 1)
}

// power returns 10^n.
func power(n int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil)
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}

// rounded returns the multiple of 10^place nearest to v.
func rounded(v *big.Rat, place int) *big.Rat {
	unit := power(place)
	n, _ := new(big.Int).SetString(new(big.Rat).Quo(v, unit).FloatString(0), 10)
	return unit.Mul(unit, new(big.Rat).SetInt(n))
}

// decimal formats a number with all its digits, or with those of the nearest float64 if they do
// not end.
func decimal(v *big.Rat) string {
	if isOpen(v) {
		return strings.Repeat("-", (1-v.Sign())/2) + ".inf"
	}
	places, ends := v.FloatPrec()
	if !ends {
		return strconv.FormatFloat(nearest(v), 'g', -1, 64)
	}
	place := magnitude(v)
	if place < 21 && place > -5 || v.Sign() == 0 {
		return v.FloatString(places)
	}
	scaled := new(big.Rat).Quo(v, power(place))
	places, _ = scaled.FloatPrec()
	return scaled.FloatString(places) + "e" + strconv.Itoa(place)
}

// ParseDecimal reads a decimal number such as -0.25 or 1.5e-7 in the range of float64.
func ParseDecimal(text string) (*big.Rat, bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if len(strings.TrimLeft(exponent, "+-")) > 3 || strings.Trim(mantissa, "+-.0123456789") != "" || len(text) > 1000 {
		return nil, false
	}
	v, ok := new(big.Rat).SetString(text)
	return v, ok && !math.IsInf(nearest(v), 0)
}

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
			return Errorf(in.file, f.Line, 0, "there is no output %s: want a formula for each of %s%s", escape.Quote(f.Output),
				escape.List(outputs), meant(f.Output, outputs))
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
		if g.column.Nominal() {
			return nil, Errorf(in.file, f.Line, 0,
				"%s has levels, not numbers: write a product with a level, such as 2*%s, which is 2 for it and 0 for the others",
				escape.Text(s.Column), quoteName(s.Column+"="+g.levels[0]))
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
	unit := p.Target.Scaling()
	b, isShort := short(intercept)
	plain, allShort := shorts(slopes)
	constant := new(big.Rat).Sub(intercept, exactly(p.Target.Mean))
	w := make([]float64, 1, len(slopes)+1)
	for m, f := range p.Inputs() {
		constant.Add(constant, new(big.Rat).Mul(slopes[m], exactly(f.Mean)))
		w = append(w, scaledSlope(slopes[m], f.SD, unit))
	}
	if isShort && allShort {
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
		slope := shortest(v, w[m+1], func(s float64) float64 { return s * f.SD / unit },
			func(s *big.Rat) float64 { return scaledSlope(s, f.SD, unit) })
		slopes = append(slopes, slope)
		constant.Sub(constant, new(big.Rat).Mul(slope, exactly(f.Mean)))
	}
	var scale func(float64) float64
	if plain, ok := shorts(slopes); ok {
		scale = func(v float64) float64 { return p.Consequent(v, plain)[0] }
	}
	return shortest(constant, w[0], scale, func(v *big.Rat) float64 { return consequent(p, v, slopes)[0] }), slopes
}
