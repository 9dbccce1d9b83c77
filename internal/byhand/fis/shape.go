package fis

import (
	"math/big"

	"github.com/tskgraph/tskgraph/membership"
)

// convert returns the parameters of a shape that equals a function of the file with parameters p;
// nil if there are none.
type convert func(p []*big.Rat) []*big.Rat

// family is a shape and the types of functions that it has.
type family struct {
	shape membership.Function
	from  map[string]convert
}

// families are the shapes that functions of one file can have in common, the simplest first.
var families = []family{
	{membership.Gaussian{}, map[string]convert{"gaussmf": pick(1, 0)}},
	{membership.Gauss2{}, map[string]convert{"gaussmf": pick(0, 1, 0, 1), "gauss2mf": pick(0, 1, 2, 3)}},
	{membership.Cauchy{}, map[string]convert{"gbellmf": cauchy}},
	{membership.GBell{}, map[string]convert{"gbellmf": pick(0, 1, 2)}},
	{membership.Triangular{}, map[string]convert{"trimf": pick(0, 1, 2)}},
	{membership.Trapezoid{}, map[string]convert{"trimf": pick(0, 1, 1, 2), "trapmf": pick(0, 1, 2, 3), "linsmf": rising, "linzmf": falling}},
	{membership.Pi{}, map[string]convert{"pimf": pick(0, 1, 2, 3), "smf": rising, "zmf": falling}},
	{membership.PSigmoid{}, map[string]convert{"psigmf": pick(0, 1, 2, 3), "sigmf": oneSigmoid(-1)}},
	{membership.Sigmoid{}, map[string]convert{"psigmf": sigmoid}},
	{membership.DSigmoid{}, map[string]convert{"dsigmf": pick(0, 1, 2, 3), "sigmf": oneSigmoid(1)}},
	{membership.Laplace{}, map[string]convert{}},
}

// parameters has the number of parameters of each type of function.
var parameters = map[string]int{
	"gaussmf": 2, "gauss2mf": 4, "gbellmf": 3, "trimf": 3, "trapmf": 4, "linsmf": 2, "linzmf": 2, "pimf": 4, "smf": 2, "zmf": 2,
	"sigmf": 2, "psigmf": 4, "dsigmf": 4,
}

func init() { // the functions that export/fis writes: of a shape, in its own parameters
	for _, f := range families {
		kind, n := "tsk"+f.shape.Name()+"mf", len(f.shape.Params())
		parameters[kind], f.from[kind] = n, func(p []*big.Rat) []*big.Rat { return p }
	}
}

// pick returns the parameters of the given indices.
func pick(indices ...int) convert {
	return func(p []*big.Rat) []*big.Rat {
		var q []*big.Rat
		for _, i := range indices {
			q = append(q, p[i])
		}
		return q
	}
}

// cauchy converts a bell of exponent one.
func cauchy(p []*big.Rat) []*big.Rat {
	if p[1].Cmp(number(1)) != 0 {
		return nil
	}
	return []*big.Rat{p[2], p[0]}
}

// sigmoid converts a product of a rising and a falling sigmoid.
func sigmoid(p []*big.Rat) []*big.Rat {
	if p[0].Sign() <= 0 || p[2].Sign() >= 0 {
		return nil
	}
	return []*big.Rat{p[1], new(big.Rat).Inv(p[0]), p[3], new(big.Rat).Neg(new(big.Rat).Inv(p[2]))}
}

// oneSigmoid adds a second sigmoid far above, of this slope: it is one for -1, zero for 1.
func oneSigmoid(slope int64) convert {
	return func(p []*big.Rat) []*big.Rat { return []*big.Rat{p[0], p[1], number(slope), infinite} }
}

// rising converts a function that rises between two feet, and stays at one.
func rising(p []*big.Rat) []*big.Rat {
	return []*big.Rat{p[0], p[1], infinite, times(infinite, 2)}
}

// falling converts a function that falls between two feet.
func falling(p []*big.Rat) []*big.Rat {
	return []*big.Rat{times(infinite, -2), times(infinite, -1), p[0], p[1]}
}

func number(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }

func times(r *big.Rat, by int64) *big.Rat { return new(big.Rat).Mul(r, number(by)) }
