package export

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// Op is an operation of a [Program].
type Op int

// The operations of a [membership.Builder]. Those with one operand use X.
const (
	Const   Op = iota // Value
	Add               // X + Y
	Sub               // X - Y
	Mul               // X * Y
	Div               // X / Y
	Min               // the lesser; NaN if one is
	Max               // the greater; NaN if one is
	Neg               // -X
	Square            // X * X
	Exp               // e^X
	Log               // natural logarithm; minus infinity of 0
	Sqrt              // square root
	Abs               // absolute value
	Relu              // max(X, 0)
	Tanh              // hyperbolic tangent
	Cos               // cosine
	Sigmoid           // 1/(1+e^-X), accurate on both sides of zero
)

// operations are the names of operations, how most languages write those that are infix operators, and what they compute.
var operations = [...]struct {
	name, infix string
	eval        func(x, y float64) float64
}{
	Const:   {"const", "", func(x, _ float64) float64 { return x }},
	Add:     {"add", "%s + %s", func(x, y float64) float64 { return x + y }},
	Sub:     {"sub", "%s - %s", func(x, y float64) float64 { return x - y }},
	Mul:     {"mul", "%s * %s", func(x, y float64) float64 { return x * y }},
	Div:     {"div", "%s / %s", func(x, y float64) float64 { return x / y }},
	Min:     {"min", "min(%s, %s)", func(x, y float64) float64 { return min(x, y) }},
	Max:     {"max", "max(%s, %s)", func(x, y float64) float64 { return max(x, y) }},
	Neg:     {"neg", "-%s", func(x, _ float64) float64 { return -x }},
	Square:  {"square", "%[1]s * %[1]s", func(x, _ float64) float64 { return x * x }},
	Exp:     {"exp", "", func(x, _ float64) float64 { return math.Exp(x) }},
	Log:     {"log", "", func(x, _ float64) float64 { return math.Log(x) }},
	Sqrt:    {"sqrt", "", func(x, _ float64) float64 { return math.Sqrt(x) }},
	Abs:     {"abs", "", func(x, _ float64) float64 { return math.Abs(x) }},
	Relu:    {"relu", "", func(x, _ float64) float64 { return max(x, 0) }},
	Tanh:    {"tanh", "", func(x, _ float64) float64 { return math.Tanh(x) }},
	Cos:     {"cos", "", func(x, _ float64) float64 { return math.Cos(x) }},
	Sigmoid: {"sigmoid", "", func(x, _ float64) float64 { return sigmoid(x) }},
}

func sigmoid(x float64) float64 {
	far := math.Exp(-math.Abs(x))
	if x < 0 {
		return far / (1 + far)
	}
	return 1 / (1 + far)
}

// String returns the name in lower case, such as "exp".
func (op Op) String() string { return operations[op].name }

// Operands returns the number of operands: those up to Max have two, a constant has none.
func (op Op) Operands() int {
	switch {
	case op == Const:
		return 0
	case op <= Max:
		return 2
	}
	return 1
}

// Step is one operation. X and Y are indices of values: first the arguments of the program, then
// the results of its steps.
type Step struct {
	Op    Op
	X, Y  int
	Value float64
}

// Program is a formula as operations in order. Steps use values before them only.
type Program struct {
	Arguments int
	Steps     []Step
	Result    int // index of the value of the formula
}

// Record returns the program of a formula of several arguments.
func Record(arguments int, formula func(b membership.Builder, a []membership.Term) membership.Term) *Program {
	r := &recorder{p: Program{Arguments: arguments}, constants: map[float64]int{}}
	a := make([]membership.Term, arguments)
	for i := range a {
		a[i] = i
	}
	r.p.Result = formula(r, a).(int)
	return &r.p
}

// Eval computes the formula.
func (p *Program) Eval(arguments ...float64) float64 {
	v := make([]float64, len(arguments), len(arguments)+len(p.Steps))
	copy(v, arguments)
	for _, s := range p.Steps {
		x, y := s.Value, 0.0
		if s.Op != Const {
			x, y = v[s.X], v[s.Y]
		}
		v = append(v, operations[s.Op].eval(x, y))
	}
	return v[p.Result]
}

// recorder is the [membership.Builder] that records a program. Terms are indices of values.
type recorder struct {
	p         Program
	constants map[float64]int
}

func (r *recorder) step(op Op, x, y membership.Term) membership.Term {
	r.p.Steps = append(r.p.Steps, Step{Op: op, X: x.(int), Y: y.(int)})
	return r.p.Arguments + len(r.p.Steps) - 1
}

func (r *recorder) Const(v float64) membership.Term {
	if at, ok := r.constants[v]; ok && (v != 0 || !math.Signbit(v)) {
		return at
	}
	r.p.Steps = append(r.p.Steps, Step{Op: Const, Value: v})
	at := r.p.Arguments + len(r.p.Steps) - 1
	r.constants[v] = at
	return at
}

func (r *recorder) Add(a, b membership.Term) membership.Term  { return r.step(Add, a, b) }
func (r *recorder) Sub(a, b membership.Term) membership.Term  { return r.step(Sub, a, b) }
func (r *recorder) Mul(a, b membership.Term) membership.Term  { return r.step(Mul, a, b) }
func (r *recorder) Div(a, b membership.Term) membership.Term  { return r.step(Div, a, b) }
func (r *recorder) Min(a, b membership.Term) membership.Term  { return r.step(Min, a, b) }
func (r *recorder) Max(a, b membership.Term) membership.Term  { return r.step(Max, a, b) }
func (r *recorder) Neg(a membership.Term) membership.Term     { return r.step(Neg, a, a) }
func (r *recorder) Square(a membership.Term) membership.Term  { return r.step(Square, a, a) }
func (r *recorder) Exp(a membership.Term) membership.Term     { return r.step(Exp, a, a) }
func (r *recorder) Log(a membership.Term) membership.Term     { return r.step(Log, a, a) }
func (r *recorder) Sqrt(a membership.Term) membership.Term    { return r.step(Sqrt, a, a) }
func (r *recorder) Abs(a membership.Term) membership.Term     { return r.step(Abs, a, a) }
func (r *recorder) Relu(a membership.Term) membership.Term    { return r.step(Relu, a, a) }
func (r *recorder) Tanh(a membership.Term) membership.Term    { return r.step(Tanh, a, a) }
func (r *recorder) Cos(a membership.Term) membership.Term     { return r.step(Cos, a, a) }
func (r *recorder) Sigmoid(a membership.Term) membership.Term { return r.step(Sigmoid, a, a) }

// Syntax is how a language writes the steps of a [Program].
type Syntax struct {
	Let    string               // a line that names a value: "const double %s = %s;"
	Number func(float64) string // a constant, in parentheses if it is negative

	// Ops overrides how operations are written, with verbs for the operands in order:
	// "fmin(%s, %s)". By default they are infix operators, and calls of the lower-case name such
	// as "exp(%s)" and "min(%s, %s)".
	Ops map[Op]string
}

// Body returns the lines that compute a program of arguments of the given names, each indented,
// and the name of the result.
func (s Syntax) Body(p *Program, arguments []string, indent string) (lines, result string) {
	var b strings.Builder
	names := append([]string(nil), arguments...)
	for i, step := range p.Steps {
		if step.Op == Const {
			names = append(names, s.Number(step.Value))
			continue
		}
		format, ok := s.Ops[step.Op]
		if !ok {
			format = cmp.Or(operations[step.Op].infix, step.Op.String()+"(%s)")
		}
		operands := []any{names[step.X], names[step.Y]}[:step.Op.Operands()]
		name := fmt.Sprintf("t%d", i)
		b.WriteString(indent)
		fmt.Fprintf(&b, s.Let, name, fmt.Sprintf(format, operands...))
		b.WriteByte('\n')
		names = append(names, name)
	}
	return b.String(), names[p.Result]
}

// Shortest returns the shortest decimal that reads back as v.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Decimal returns the shortest decimal of a finite number, with a point or an exponent: a number with a fraction in all languages.
func Decimal(v float64) string {
	text := Shortest(v)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// List returns items as text, separated by commas.
func List[T any](items []T, text func(T) string) string {
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = text(item)
	}
	return strings.Join(texts, ", ")
}

// Identifier returns the ASCII letters and digits of a text; other characters between them become underscores, several in a row one.
func Identifier(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "_")
}
