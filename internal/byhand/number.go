package byhand

import (
	"math"
	"math/big"
	"strconv"
	"strings"

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
	return shortest(r, p, func(v *big.Rat) float64 { return scaled(f, kind, v) })
}

func nearest(r *big.Rat) float64 {
	v, _ := r.Float64()
	return v
}

// most is the largest number of significant digits that shortest tries.
const most = 60

// shortest returns the decimal of the fewest digits near exact of which read gives want. Where
// all of them are scaled in float64 and give other numbers, it adds a digit far behind.
func shortest(exact *big.Rat, want float64, read func(*big.Rat) float64) *big.Rat {
	place := magnitude(exact)
	for n := 1; n <= most; n++ {
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
