package sql

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// Bounds within which no operation of PostgreSQL raises an error of overflow or underflow.
const (
	noNumber = 1e308 // stands for a text that is no number, or infinite

	huge = 1e300  // stands for infinity
	tiny = 1e-300 // least absolute value of a result that is not zero
	root = 1e-150 // its root
	mite = 1e-140 // is added to a sum that may be too small to multiply
)

// expr is an expression of type DOUBLE PRECISION. Its text is a name, a number or in parentheses.
type expr struct {
	text    string
	minus   string  // text of the negative of a product with a negative number, else empty
	number  bool    // a constant: lo
	lo, hi  float64 // bounds of its values
	least   float64 // lower bound of their absolute values, except zero
	nesting int     // of parentheses
}

// number returns a constant.
func number(v float64) expr {
	e := expr{text: literal(v), number: true, lo: v, hi: v, least: math.Abs(v)}
	if v == 0 {
		e.least = huge
	}
	return e
}

// literal writes a number that DuckDB and SQLite read as a double and PostgreSQL as a numeric,
// which it converts to a double beside one. A negative number is in parentheses: -- is a comment.
func literal(v float64) string {
	text := export.Shortest(v)
	if !strings.Contains(text, "e") {
		text += "e0"
	}
	if v < 0 || math.Signbit(v) {
		return "(" + text + ")"
	}
	return text
}

// typed returns the text of an expression that is not a numeric in PostgreSQL.
func (e expr) typed() string {
	if e.number {
		return "CAST(" + e.text + " AS DOUBLE PRECISION)"
	}
	return e.text
}

// top is the largest absolute value.
func (e expr) top() float64 { return max(math.Abs(e.lo), math.Abs(e.hi)) }

// joined returns an expression of the text of others, with bounds.
func joined(text string, lo, hi, least float64, of ...expr) expr {
	e := expr{text: text, lo: lo, hi: hi, least: least}
	for _, o := range of {
		e.nesting = max(e.nesting, o.nesting+1)
	}
	return e
}

// add returns x + y.
func add(x, y expr) expr {
	if x.number {
		x, y = y, x
	}
	switch {
	case x.number:
		return number(x.lo + y.lo)
	case y.number && y.lo == 0:
		return x
	}
	least := 0.0
	switch {
	case y.number: // numbers near -y lie so far apart
		least = min(y.least, y.least*0x1p-55)
	case x.lo >= 0 && y.lo >= 0 || x.hi <= 0 && y.hi <= 0:
		least = min(x.least, y.least)
	}
	text := "(" + x.text + " + " + y.text + ")"
	if y.number && y.lo < 0 {
		text = "(" + x.text + " - " + literal(-y.lo) + ")"
	}
	return joined(text, x.lo+y.lo, x.hi+y.hi, least, x, y)
}

// sub returns x - y.
func sub(x, y expr) expr {
	if y.number || x.number {
		return add(x, neg(y))
	}
	return joined("("+x.text+" - "+y.text+")", x.lo-y.hi, x.hi-y.lo, 0, x, y)
}

// neg returns -x.
func neg(x expr) expr {
	if x.number {
		return number(-x.lo)
	}
	return joined("(-"+x.text+")", -x.hi, -x.lo, x.least, x)
}

// absolute returns |x|.
func absolute(x expr) expr {
	if x.number {
		return number(math.Abs(x.lo))
	}
	lo := 0.0
	if x.lo > 0 || x.hi < 0 {
		lo = min(math.Abs(x.lo), math.Abs(x.hi))
	}
	return joined("abs("+x.text+")", lo, x.top(), x.least, x)
}

// chain returns a sum in the order of its terms.
func chain(terms []expr) expr {
	if len(terms) == 1 {
		return terms[0]
	}
	text := terms[0].text
	for _, t := range terms[1:] {
		if t.minus != "" {
			text += " - " + t.minus // DuckDB is slow to fold thousands of negative numbers
		} else {
			text += " + " + t.text
		}
	}
	lo, hi, positive, least := 0.0, 0.0, true, math.Inf(1)
	for _, t := range terms {
		lo, hi, positive, least = lo+t.lo, hi+t.hi, positive && t.lo >= 0, min(least, t.least)
	}
	if !positive {
		least = 0
	}
	e := joined("("+text+")", lo, hi, least, terms...)
	e.nesting += len(terms)
	return e
}

// program returns the value of a program.
func (q *query) program(p *export.Program, arguments ...expr) expr {
	uses := make([]int, p.Arguments+len(p.Steps))
	for _, s := range p.Steps {
		if s.Op != export.Const {
			uses[s.X]++
			uses[s.Y]++
		}
	}
	values := slices.Clone(arguments)
	for i, s := range p.Steps {
		if s.Op == export.Const {
			values = append(values, number(s.Value))
			continue
		}
		v := q.shallow(q.operation(s.Op, values[s.X], values[s.Y]))
		if uses[p.Arguments+i] > 1 {
			v = q.short(v)
		}
		values = append(values, v)
	}
	return values[p.Result]
}

// operation returns the value of an operation. Overflow gives plus or minus huge.
func (q *query) operation(op export.Op, x, y expr) expr {
	if x.number && y.number { // PostgreSQL would compute with decimals
		p := export.Program{Arguments: 2, Steps: []export.Step{{Op: op, X: 0, Y: 1}}, Result: 2}
		return number(max(-huge, min(huge, p.Eval(x.lo, y.lo))))
	}
	switch op {
	case export.Add, export.Sub:
		x, y = q.clamp(x, huge), q.clamp(y, huge)
		if op == export.Add {
			return add(x, y)
		}
		return sub(x, y)
	case export.Mul:
		return q.mul(x, y)
	case export.Square:
		return q.square(x)
	case export.Div:
		return q.div(x, y)
	case export.Min:
		return q.lesser(x, y)
	case export.Max:
		return q.greater(x, y)
	case export.Relu:
		return q.greater(x, number(0))
	case export.Neg:
		return neg(x)
	case export.Abs:
		return absolute(x)
	}
	return q.function(op, x)
}

// function returns the value of a function of one argument.
func (q *query) function(op export.Op, x expr) expr {
	switch op {
	case export.Exp:
		return q.exp(x)
	case export.Log:
		return q.log(x)
	case export.Sqrt:
		e := joined("sqrt("+x.text+")", math.Sqrt(max(0, x.lo)), math.Sqrt(max(0, x.hi)), math.Sqrt(x.least), x)
		if x.lo < 0 {
			x = q.short(x)
			e.text = fmt.Sprintf("(CASE WHEN %s >= 0e0 THEN sqrt(%[1]s) END)", x.text)
		}
		return e
	case export.Tanh:
		return joined("tanh("+x.text+")", -1, 1, min(1, x.least)/2, x)
	case export.Cos:
		return joined("cos("+x.text+")", -1, 1, 0, x)
	}
	x = q.short(x) // a sigmoid: 1 + e^-40 is 1
	text := fmt.Sprintf("(CASE WHEN %s < %s THEN 0e0 WHEN %[1]s > 4e1 THEN 1e0 ELSE 1e0 / (1e0 + exp(-%[1]s)) END)", x.text,
		literal(-farthest))
	return joined(text, 0, 1, math.Exp(-farthest)/2, x)
}

// farthest is the largest absolute value whose exponential is a normal number.
const farthest = 708

// exp returns e^x, zero below -farthest.
func (q *query) exp(x expr) expr {
	lo, hi := max(-farthest, x.lo), min(farthest, x.hi)
	guards := ""
	if x.lo < -farthest || x.hi > farthest {
		x = q.short(x)
	}
	e := joined("", math.Exp(lo), math.Exp(hi), math.Exp(lo), x)
	if x.lo < -farthest {
		guards += fmt.Sprintf("WHEN %s < %s THEN 0e0 ", x.text, literal(-farthest))
		e.lo = 0
	}
	if x.hi > farthest {
		guards += fmt.Sprintf("WHEN %s > %s THEN %s ", x.text, literal(farthest), literal(huge))
	}
	if e.text = "exp(" + x.text + ")"; guards != "" {
		e.text = fmt.Sprintf("(CASE %sELSE %s END)", guards, e.text)
	}
	return e
}

// log returns the natural logarithm, -huge of zero.
func (q *query) log(x expr) expr {
	if x.lo > 0 {
		return joined("ln("+x.text+")", math.Log(x.lo), math.Log(x.hi), 0, x)
	}
	x = q.short(x)
	return joined(fmt.Sprintf("(CASE WHEN %s > 0e0 THEN ln(%[1]s) ELSE %s END)", x.text, literal(-huge)), -huge, math.Log(max(1, x.hi)), 0, x)
}
