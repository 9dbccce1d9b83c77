package fis

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/membership"
)

var (
	functionKey = regexp.MustCompile(`^(?i:MF)(\d+)$`)
	typeTwoKey  = regexp.MustCompile(`^(?i:MF\d+[UL]|(?:Upper|Lower)MF\d*)$`)
	functionIs  = regexp.MustCompile(`^'(.*?)'\s*:\s*'(\w+)'\s*,\s*\[?([^\[\]]*)\]?$`)
)

// readVariable reads an input or output.
func readVariable(s *system, part section, kind string) (variable, error) {
	v := variable{line: part.line, column: part.column}
	want := -1
	for _, e := range part.entries {
		key := strings.ToLower(e.key)
		number := functionKey.FindStringSubmatch(e.key)
		var err error
		switch {
		case key == "name":
			v.name = unquote(e.value)
		case key == "range":
			v.low, v.high, err = readLimits(s, e, kind)
		case key == "nummfs":
			if want, err = strconv.Atoi(e.value); err != nil {
				err = s.fault(e.line, "NumMFs=%s: want a whole number", escape.Quote(e.value))
			}
		case typeTwoKey.MatchString(e.key):
			err = s.fault(e.line, "%s: a membership function of type 2: want a system of type 1", escape.Text(e.key))
		case number == nil:
			err = s.unknown(e, "Name", "Range", "NumMFs", "MF"+strconv.Itoa(len(v.functions)+1))
		case number[1] != strconv.Itoa(len(v.functions)+1):
			err = s.fault(e.line, "%s: want MF%d next", escape.Text(e.key), len(v.functions)+1)
		default:
			var f function
			f, err = readFunction(s, e)
			v.functions = append(v.functions, f)
		}
		if err != nil {
			return v, err
		}
	}
	switch {
	case v.name == "":
		return v, s.fault(part.line, "[%s] has no Name", escape.Text(part.name))
	case v.low == nil:
		return v, s.fault(part.line, "[%s] has no Range", escape.Text(part.name))
	case want >= 0 && want != len(v.functions):
		return v, s.fault(part.line, "NumMFs of [%s] is %d, and it has %d", escape.Text(part.name), want, len(v.functions))
	}
	return v, nil
}

// readLimits reads a range. That of an output may be empty.
func readLimits(s *system, e entry, kind string) (low, high *big.Rat, err error) {
	p, ok := numbers(strings.TrimSuffix(strings.TrimPrefix(e.value, "["), "]"))
	if !ok || len(p) != 2 || p[0].Cmp(p[1]) > 0 || p[0].Cmp(p[1]) == 0 && kind == "Input" {
		return nil, nil, s.fault(e.line, "Range=%s: want [low high], low below high", escape.Quote(e.value))
	}
	return p[0], p[1], nil
}

// readFunction reads a membership function.
func readFunction(s *system, e entry) (function, error) {
	is := functionIs.FindStringSubmatch(e.value)
	if is == nil {
		return function{}, s.fault(e.line, "%s=%s: want 'name':'type',[parameters]", escape.Text(e.key), escape.Quote(e.value))
	}
	params, ok := numbers(is[3])
	if !ok || len(params) == 0 {
		return function{}, s.fault(e.line, "the parameters [%s] of %s are not numbers", escape.Text(is[3]), escape.Quote(is[1]))
	}
	return function{strings.TrimSpace(is[1]), is[2], params, e.line}, nil
}

// infinite is an open border, which is beyond all samples.
var infinite, _ = new(big.Rat).SetString("1e200")

// numbers reads numbers between spaces, commas or semicolons; infinities as numbers far away.
func numbers(text string) ([]*big.Rat, bool) {
	var all []*big.Rat
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;", r) }) {
		v, ok := byhand.ParseDecimal(field)
		switch strings.ToLower(field) {
		case "inf", "+inf":
			v, ok = new(big.Rat).Set(infinite), true
		case "-inf":
			v, ok = new(big.Rat).Neg(infinite), true
		}
		if !ok {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

// nearest returns the nearest float64.
func nearest(v *big.Rat) float64 {
	f, _ := v.Float64()
	return f
}

// unquote returns a value without its quotes.
func unquote(v string) string {
	if len(v) >= 2 && (v[0] == '\'' || v[0] == '"') && v[len(v)-1] == v[0] {
		v = v[1 : len(v)-1]
	}
	return strings.TrimSpace(v)
}

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
	{membership.Ramp{}, map[string]convert{}},
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

var ruleIs = regexp.MustCompile(`^([^,()]*),([^,()]*)\(([^()]*)\)\s*:\s*(\S+)$`)

// readRules reads the rules. The variables come before them.
func readRules(s *system, part section) error {
	for _, e := range part.entries {
		is := ruleIs.FindStringSubmatch(e.value)
		if is == nil || e.key != "" {
			return s.fault(e.line, "not a rule: want the functions of inputs, comma, those of outputs, (weight) : 1, such as 1 2, 1 (1) : 1")
		}
		weight, ok := byhand.ParseDecimal(strings.TrimSpace(is[3]))
		if !ok || weight.Sign() < 0 {
			return s.fault(e.line, "weight %s: want a number of at least zero", escape.Quote(is[3]))
		}
		r := rule{weight: weight, line: e.line}
		var err error
		if r.conditions, err = readIndices(s, is[1], s.inputs, e.line); err != nil {
			return err
		}
		if r.outputs, err = readIndices(s, is[2], s.outputs, e.line); err != nil {
			return err
		}
		stated := 0
		for _, i := range r.conditions {
			stated += min(i, 1)
		}
		if is[4] != "1" && (is[4] != "2" || stated > 1) {
			return s.fault(e.line, "the rule joins its conditions by OR, and the rules of a model join theirs by AND: write rules without OR")
		}
		s.rules = append(s.rules, r)
	}
	return nil
}

// readIndices reads the functions of a rule, one of each variable.
func readIndices(s *system, text string, of []variable, line int) ([]int, error) {
	values, ok := numbers(text)
	if !ok || len(values) != len(of) {
		return nil, s.fault(line, "%s: want %d numbers of functions", escape.Quote(strings.TrimSpace(text)), len(of))
	}
	all := make([]int, len(of))
	for i, v := range values {
		switch {
		case v.Sign() < 0:
			return nil, s.fault(line, "%s is negated (NOT): write a membership function that is its complement", escape.Quote(of[i].name))
		case !v.IsInt():
			return nil, s.fault(line, "%s has a hedge: write a membership function of its power", escape.Quote(of[i].name))
		case v.Cmp(new(big.Rat).SetInt64(int64(len(of[i].functions)))) > 0:
			return nil, s.fault(line, "%s has no MF%s: it has %d", escape.Quote(of[i].name), v.Num(), len(of[i].functions))
		}
		all[i] = int(v.Num().Int64())
	}
	return all, nil
}
