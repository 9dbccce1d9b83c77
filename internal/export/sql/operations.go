package sql

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/export"
)

// arithmetic computes expressions of columns that are added to a query.
type arithmetic struct{ *query }

// program returns the value of a program.
func (q arithmetic) program(p *export.Program, arguments ...expr) expr {
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
func (q arithmetic) operation(op export.Op, x, y expr) expr {
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
func (q arithmetic) function(op export.Op, x expr) expr {
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
	text := fmt.Sprintf("(CASE WHEN %s < %s THEN 0e0 WHEN %[1]s > 4e1 THEN 1e0 ELSE 1e0 / (1e0 + exp(-%[1]s)) END)", x.text, literal(-farthest))
	return joined(text, 0, 1, math.Exp(-farthest)/2, x)
}

// farthest is the largest absolute value whose exponential is a normal number.
const farthest = 708

// exp returns e^x, zero below -farthest.
func (q arithmetic) exp(x expr) expr {
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
func (q arithmetic) log(x expr) expr {
	if x.lo > 0 {
		return joined("ln("+x.text+")", math.Log(x.lo), math.Log(x.hi), 0, x)
	}
	x = q.short(x)
	return joined(fmt.Sprintf("(CASE WHEN %s > 0e0 THEN ln(%[1]s) ELSE %s END)", x.text, literal(-huge)), -huge, math.Log(max(1, x.hi)), 0, x)
}
