package jsonform

import (
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// member is an [export.Member].
type member struct {
	Inputs     []input    `json:"inputs"`
	Components [][]number `json:"components"` // null without

	Grade           *program `json:"grade"`
	Join            *program `json:"join"`
	Weight          *program `json:"weight"` // null: the weight of a rule is its level
	LogSpace        bool     `json:"log_space"`
	Membership      string   `json:"membership"`
	TNorm           string   `json:"tnorm"`
	Defuzzification string   `json:"defuzzification"`
	Parameters      int      `json:"parameters"` // of a membership function

	Rules   []rule     `json:"rules"`
	Knots   [][]number `json:"knots"`  // null without curves
	Curves  [][]number `json:"curves"` // likewise
	Outputs int        `json:"outputs"`

	Link      string   `json:"link"`
	Targets   []target `json:"targets"`
	Uncovered []number `json:"uncovered"`
}

// input is an [export.Input].
type input struct {
	Feature int    `json:"feature"`
	Mean    number `json:"mean"`
	SD      number `json:"sd"`
	Missing number `json:"missing"`
	Power   *power `json:"power"` // null without
}

// power is a [model.Power].
type power struct {
	Lambda number `json:"lambda"`
	Mean   number `json:"mean"`
	SD     number `json:"sd"`
}

// rule is an [export.Rule].
type rule struct {
	If         []int      `json:"if"`
	Parameters [][]number `json:"parameters"`
	Weights    [][]number `json:"weights"`
}

// target is an [export.Scale] with the limits of its response.
type target struct {
	Mean  number `json:"mean"`
	Scale number `json:"scale"`
	Low   number `json:"low"`
	High  number `json:"high"`
}

func members(f *export.Form) []member {
	all := []member{}
	for k := range f.Members {
		all = append(all, newMember(&f.Members[k]))
	}
	return all
}

func newMember(e *export.Member) member {
	m := member{
		Inputs: []input{}, Components: matrix(e.Components), Grade: newProgram(e.Grade), Join: newProgram(e.Join), Weight: newProgram(e.Weight),
		LogSpace: e.LogSpace, Membership: e.Shape.Name(), TNorm: e.TNorm, Defuzzification: e.Defuzz, Parameters: e.Parameters,
		Knots: matrix(e.Knots), Curves: matrix(e.Curves), Outputs: e.Outputs, Link: e.Link, Targets: []target{}, Uncovered: numbers(e.Uncovered),
	}
	for _, in := range e.Inputs {
		m.Inputs = append(m.Inputs, input{in.Feature, number(in.Mean), number(in.SD), number(in.Missing), newPower(in.Power)})
	}
	for _, r := range e.Rules {
		m.Rules = append(m.Rules, rule{append([]int{}, r.If...), append([][]number{}, matrix(r.Params)...), matrix(r.Weights)})
	}
	for j, t := range e.Targets {
		m.Targets = append(m.Targets, target{number(t.Mean), number(t.Scale), number(e.Low[j]), number(e.High[j])})
	}
	return m
}

func newPower(p *model.Power) *power {
	if p == nil {
		return nil
	}
	return &power{number(p.Lambda), number(p.Mean), number(p.SD)}
}

// program is an [export.Program]. A step is ["const", value], or the name of an operation and the
// indices of its operands.
type program struct {
	Arguments int     `json:"arguments"`
	Steps     [][]any `json:"steps"`
	Result    int     `json:"result"`
}

// operations are the names of operations with their numbers of operands.
var operations = map[export.Op]struct {
	name     string
	operands int
}{
	export.Add: {"add", 2}, export.Sub: {"sub", 2}, export.Mul: {"mul", 2}, export.Div: {"div", 2}, export.Min: {"min", 2},
	export.Max: {"max", 2},
	export.Neg: {"neg", 1}, export.Square: {"square", 1}, export.Exp: {"exp", 1}, export.Log: {"log", 1}, export.Sqrt: {"sqrt", 1},
	export.Abs:  {"abs", 1},
	export.Relu: {"relu", 1}, export.Tanh: {"tanh", 1}, export.Cos: {"cos", 1}, export.Sigmoid: {"sigmoid", 1},
}

// newProgram converts a program; nil stays nil.
func newProgram(p *export.Program) *program {
	if p == nil {
		return nil
	}
	steps := [][]any{}
	for _, s := range p.Steps {
		step := []any{"const", number(s.Value)}
		if s.Op != export.Const {
			op := operations[s.Op]
			step = append([]any{op.name}, []any{s.X, s.Y}[:op.operands]...)
		}
		steps = append(steps, step)
	}
	return &program{p.Arguments, steps, p.Result}
}

// number is a number of 64 bits.
type number float64

// MarshalJSON returns the shortest decimals that read back to the same bits, and a text for what is
// not finite. Minus zero is -0.0, which readers do not take for an integer.
func (n number) MarshalJSON() ([]byte, error) {
	switch v := float64(n); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	}
	text := strconv.FormatFloat(float64(n), 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return []byte(text), nil
}

// numbers converts a list, of which nil is an empty one.
func numbers(list []float64) []number {
	converted := make([]number, len(list))
	for i, v := range list {
		converted[i] = number(v)
	}
	return converted
}

// matrix converts rows; nil stays nil.
func matrix(rows [][]float64) [][]number {
	if rows == nil {
		return nil
	}
	converted := make([][]number, len(rows))
	for i, row := range rows {
		converted[i] = numbers(row)
	}
	return converted
}
