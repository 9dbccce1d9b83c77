package sql

import (
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/export"
)

// clamp limits x to the range from -top to top.
func (q *query) clamp(x expr, top float64) expr { return q.limit(x, -top, top) }

// limit limits x to the range from low to high, which may be infinite.
func (q *query) limit(x expr, low, high float64) expr {
	guards := ""
	if x.lo < low || x.hi > high {
		x = q.short(x)
	}
	least := x.least
	if x.lo < low {
		guards += fmt.Sprintf("WHEN %s < %s THEN %[2]s ", x.text, literal(low))
		least = min(least, math.Abs(low))
	}
	if x.hi > high {
		guards += fmt.Sprintf("WHEN %s > %s THEN %[2]s ", x.text, literal(high))
		least = min(least, math.Abs(high))
	}
	if guards == "" {
		return x
	}
	return joined(fmt.Sprintf("(CASE %sELSE %s END)", guards, x.text), max(low, min(high, x.lo)), max(low, min(high, x.hi)), least, x)
}

// flush returns x, zero below root.
func (q *query) flush(x expr) expr {
	if x.least >= root {
		return x
	}
	x = q.short(x)
	return joined(fmt.Sprintf("(CASE WHEN abs(%s) < %s THEN 0e0 ELSE %[1]s END)", x.text, literal(root)), x.lo, x.hi, root, x)
}

// mul returns x y, zero for products below tiny.
func (q *query) mul(x, y expr) expr {
	if y.number {
		x, y = y, x
	}
	switch {
	case x.number && y.number:
		return q.operation(export.Mul, x, y)
	case x.number && x.lo == 0:
		return x
	case x.number:
		return q.scale(x.lo, y)
	}
	x, y = q.clamp(x, 1/root), q.clamp(y, 1/root)
	if x.least < y.least {
		x, y = y, x
	}
	switch {
	case x.least*y.least >= tiny:
	case x.least >= root && y.least >= tiny && x.top() <= 1e75 && y.top() <= 1e75:
		x, y = q.short(x), q.short(y)
		text := fmt.Sprintf("(CASE WHEN abs(%s * %s * %s) < %s THEN 0e0 ELSE %[1]s * %[3]s END)", y.text, literal(1/root), x.text, literal(root))
		lo, hi := products(x, y)
		return joined(text, lo, hi, tiny, x, y)
	default:
		x, y = q.flush(x), q.flush(y)
	}
	lo, hi := products(x, y)
	return joined("("+x.text+" * "+y.text+")", lo, hi, x.least*y.least, x, y)
}

// products returns bounds of x y.
func products(x, y expr) (lo, hi float64) {
	a, b, c, d := x.lo*y.lo, x.lo*y.hi, x.hi*y.lo, x.hi*y.hi
	return min(a, b, c, d), max(a, b, c, d)
}

// scale returns c x.
func (q *query) scale(c float64, x expr) expr {
	switch c {
	case 1:
		return x
	case -1:
		return neg(x)
	}
	x = q.clamp(x, min(huge, huge/math.Abs(c)))
	lo, hi := products(number(c), x)
	e := joined("("+literal(c)+" * "+x.text+")", lo, hi, math.Abs(c)*x.least, x)
	if c < 0 {
		e.minus = "(" + literal(-c) + " * " + x.text + ")"
	}
	if math.Abs(c) < 1 && e.least < tiny {
		x = q.short(x)
		e = joined(fmt.Sprintf("(CASE WHEN abs(%s) < %s THEN 0e0 ELSE %s * %[1]s END)", x.text, literal(tiny/math.Abs(c)), literal(c)), lo, hi,
			tiny, x)
	}
	return e
}

// square returns x x.
func (q *query) square(x expr) expr {
	x = q.flush(q.short(q.clamp(x, 1/root)))
	x = q.short(x)
	lo := 0.0
	if x.lo > 0 || x.hi < 0 {
		lo = min(x.lo*x.lo, x.hi*x.hi)
	}
	return joined("("+x.text+" * "+x.text+")", lo, x.top()*x.top(), x.least*x.least, x)
}

// div returns x / y, plus or minus huge where it is infinite.
func (q *query) div(x, y expr) expr {
	if y.number && y.lo != 0 {
		return q.over(x, y.lo)
	}
	text := "(" + x.text + " / " + y.text + ")"
	if y.lo > 0 && x.top()/y.lo <= huge && x.least/y.hi >= tiny {
		lo, hi := products(x, expr{lo: 1 / y.hi, hi: 1 / y.lo})
		return joined(text, lo, hi, x.least/y.hi, x, y)
	}
	x, y = q.short(x), q.short(y)
	text = fmt.Sprintf("(CASE WHEN abs(%s) < %s THEN CASE WHEN %s = 0e0 THEN NULL WHEN (%[3]s < 0e0) = (%[1]s < 0e0) THEN %[4]s ELSE "+
		"(-%[4]s) END WHEN abs(%[3]s) < %[5]s THEN 0e0 ELSE %[3]s / %[1]s END)",
		y.text, literal(max(tiny, x.top()*tiny)), x.text, literal(huge), literal(max(tiny, tiny*y.top())))
	return joined(text, -huge, huge, tiny, x, y)
}

// over returns x / c.
func (q *query) over(x expr, c float64) expr {
	if c == 1 {
		return x
	}
	x = q.clamp(x, min(huge, huge*math.Abs(c)))
	lo, hi := min(x.lo/c, x.hi/c), max(x.lo/c, x.hi/c)
	e := joined("("+x.text+" / "+literal(c)+")", lo, hi, x.least/math.Abs(c), x)
	if math.Abs(c) > 1 && e.least < tiny {
		x = q.short(x)
		e = joined(fmt.Sprintf("(CASE WHEN abs(%s) < %s THEN 0e0 ELSE %[1]s / %[3]s END)", x.text, literal(tiny*math.Abs(c)), literal(c)), lo,
			hi, tiny, x)
	}
	return e
}

// lesser returns the lesser of two.
func (q *query) lesser(x, y expr) expr {
	return q.choose(x, y, "<", min(x.lo, y.lo), min(x.hi, y.hi))
}

// greater returns the greater of two.
func (q *query) greater(x, y expr) expr {
	return q.choose(x, y, ">", max(x.lo, y.lo), max(x.hi, y.hi))
}

// choose returns x where a comparison with y holds, else y.
func (q *query) choose(x, y expr, comparison string, lo, hi float64) expr {
	x, y = q.short(x), q.short(y)
	text := fmt.Sprintf("(CASE WHEN %s %s %s THEN %[1]s ELSE %[3]s END)", x.text, comparison, y.text)
	return joined(text, lo, hi, min(x.least, y.least), x, y)
}
