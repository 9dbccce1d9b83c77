package xlsx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/loss"
)

// calculation is the sheet of a member: tables of its inputs, conditions, consequents and rules, one
// below the other.
type calculation struct {
	*sheet
	form  *export.Form
	m     *export.Member
	bold  int
	row   int      // the next free row
	names []string // of the inputs of the rules
	u     []string // cells of the inputs of conditions
	first int      // row of the first input of consequents, after the one of the bias
	last  int      // that of the last
}

// write writes the sheet and returns the cells of the response [J]. feature returns the formula of a
// feature, "" if it is missing.
func (c *calculation) write(feature func(i int) string) []string {
	c.text(1, 1, "How the prediction comes about")
	c.style(1, 1, 1, 1, c.bold)
	c.row = 3
	c.inputs(feature)
	levels := c.conditions()
	outputs := c.consequents()
	covered, y := c.rules(levels, outputs)
	return c.response(covered, y)
}

// inputs writes the table of features and their z-scores.
func (c *calculation) inputs(feature func(i int) string) {
	c.header(c.row, c.bold, "Feature", "value", "mean", "standard deviation", "z-score if missing", "z-score", "lambda", "mean",
		"standard deviation", "input of conditions")
	from := c.row + 1
	for _, in := range c.m.Inputs {
		c.row++
		r := c.row
		c.text(1, r, c.form.Features[in.Feature].Name)
		c.names = append(c.names, c.form.Features[in.Feature].Name)
		c.formula(2, r, feature(in.Feature))
		for i, v := range []float64{in.Mean, in.SD, in.Missing} {
			c.number(3+i, r, v)
		}
		z := fmt.Sprintf("(B%d-C%[1]d)/D%[1]d", r)
		if in.Limited() {
			z = fmt.Sprintf("MAX(%s,MIN(%s,%s))", number(max(in.Low, -export.Farthest)), number(min(in.High, export.Farthest)), z)
		}
		c.formula(6, r, fmt.Sprintf(`IF(B%d="",E%[1]d,IF(ABS(%[2]s)<%[3]s,%[2]s,NA()))`, r, z, number(export.Farthest)))
		c.formula(10, r, fmt.Sprint("F", r))
		if p := in.Power; p != nil {
			for i, v := range []float64{p.Lambda, p.Mean, p.SD} {
				c.number(7+i, r, v)
			}
			kappa := fmt.Sprintf("IF(F%d<0,2-G%[1]d,G%[1]d)", r)
			size := fmt.Sprintf("LN(1+MIN(1E+40,ABS(F%d)))", r) // e^(7 size) does not overflow, and the limits hold far before
			psi := fmt.Sprintf("SIGN(F%d)*IF(%s=0,%s,2*SINH(%[2]s*%[3]s/2)*EXP(%[2]s*%[3]s/2)/%[2]s)", r, kappa, size)
			c.formula(10, r, fmt.Sprintf("MAX(-%[3]v,MIN(%[3]v,(%[1]s-H%[2]d)/I%[2]d))", psi, r, export.PowerLimit))
		}
		c.u = append(c.u, fmt.Sprint("$J$", r))
	}
	c.first, c.last = from, c.row
	if c.m.Components == nil {
		return
	}
	c.names, c.u = nil, nil
	for k, loadings := range c.m.Components { // to the right of the features
		c.text(12+k, from-1, fmt.Sprint("loadings of component ", k+1))
		for i, l := range loadings {
			c.number(12+k, from+i, l)
		}
	}
	c.row += 2
	c.header(c.row, c.bold, "Component", "", "", "", "", "value", "", "", "", "input of conditions")
	for k := range c.m.Components {
		c.row++
		name := fmt.Sprint("component ", k+1)
		c.text(1, c.row, name)
		c.formula(6, c.row, sumProduct(span(6, c.first, c.last), span(12+k, c.first, c.last)))
		c.formula(10, c.row, fmt.Sprint("F", c.row))
		c.names, c.u = append(c.names, name), append(c.u, fmt.Sprint("$J$", c.row))
	}
	c.first, c.last = c.row-len(c.m.Components)+1, c.row
}

// conditions writes the table of conditions, and returns the cells of the levels of the rules.
func (c *calculation) conditions() []string {
	c.row += 2
	titles := []string{"Rule", "input", "value"}
	for _, p := range c.m.Shape.Params() {
		titles = append(titles, p.Name)
	}
	grade, level := "grade", "level of the rule so far"
	if c.m.LogSpace {
		grade, level = "logarithm of the grade", "logarithm of the level so far"
	}
	c.header(c.row, c.bold, append(titles, level, grade, "steps")...)
	P := c.m.Parameters
	var levels []string
	for r, rule := range c.m.Rules {
		current := number(c.m.Start())
		for i, input := range rule.If {
			c.row++
			c.number(1, c.row, float64(r+1))
			c.text(2, c.row, c.names[input])
			c.formula(3, c.row, c.u[input])
			arguments := []string{fmt.Sprint("C", c.row)}
			for k, v := range rule.Params[i] {
				c.number(4+k, c.row, v)
				arguments = append(arguments, cell(4+k, c.row))
			}
			grade, next := c.place(c.m.Grade, 6+P, arguments...)
			c.formula(5+P, c.row, grade)
			joined, _ := c.place(c.m.Join, next, current, cell(5+P, c.row))
			c.formula(4+P, c.row, joined)
			current = cell(4+P, c.row)
		}
		levels = append(levels, current)
	}
	return levels
}

// consequents writes the table of the weights of the inputs in the outputs of the rules, and returns
// the cells of the outputs [C][R].
func (c *calculation) consequents() [][]string {
	c.row += 2
	C, R := c.m.Outputs, len(c.m.Rules)
	titles := []string{"THEN", "value"}
	for r := range R {
		for o := range C {
			title := fmt.Sprint("rule ", r+1)
			if C > 1 {
				title += fmt.Sprint(" output ", o+1)
			}
			titles = append(titles, title)
		}
	}
	c.header(c.row, c.bold, titles...)
	from := c.row + 1
	c.line("one", "1", func(r, o int) float64 { return c.m.Rules[r].Weights[o][0] })
	for i, name := range c.names {
		c.line(name, cell(6, c.first+i), func(r, o int) float64 { return c.m.Rules[r].Weights[o][i+1] })
	}
	knot := 0
	for i, knots := range c.m.Knots {
		for k := range knots {
			c.line(fmt.Sprintf("%s near %.3g", c.names[i], knots[k]), hat(knots, k, cell(6, c.first+i)),
				func(r, o int) float64 { return c.m.Curve(o, r)[knot] })
			knot++
		}
	}
	to := c.row
	c.row++
	c.text(1, c.row, "output")
	outputs := make([][]string, C)
	for r := range R {
		for o := range C {
			column := 3 + r*C + o
			c.formula(column, c.row, sumProduct(span(2, from, to), span(column, from, to)))
			outputs[o] = append(outputs[o], cell(column, c.row))
		}
	}
	return outputs
}

// line writes a row of the table of consequents.
func (c *calculation) line(name, value string, weight func(r, o int) float64) {
	c.row++
	c.text(1, c.row, name)
	c.formula(2, c.row, value)
	for r := range c.m.Rules {
		for o := range c.m.Outputs {
			c.number(3+r*c.m.Outputs+o, c.row, weight(r, o))
		}
	}
}

// hat returns the weight of knot k in the value of a curve at z.
func hat(knots []float64, k int, z string) string {
	var parts []string
	if k > 0 {
		parts = append(parts, fmt.Sprintf("(%s-%s)/%s", z, number(knots[k-1]), number(knots[k]-knots[k-1])))
	}
	if k < len(knots)-1 {
		parts = append(parts, fmt.Sprintf("(%s-%s)/%s", number(knots[k+1]), z, number(knots[k+1]-knots[k])))
	}
	return "MAX(0,MIN(1," + strings.Join(parts, ",") + "))"
}

// rules writes the table of rules, and returns a condition for any of them to fire and the cells of the
// outputs [C].
func (c *calculation) rules(levels []string, outputs [][]string) (covered string, y []string) {
	c.row += 2
	titles := []string{"Rule", "level", "weight", "relative weight", "share"}
	for o := range outputs {
		titles = append(titles, fmt.Sprint("output ", o+1))
	}
	c.header(c.row, c.bold, titles...)
	from, to := c.row+1, c.row+len(levels)
	for r, level := range levels {
		c.row++
		c.number(1, c.row, float64(r+1))
		c.formula(2, c.row, level)
		weight := cell(2, c.row)
		if c.m.Weight != nil {
			argument := weight
			if !c.m.LogSpace {
				argument = "LN(MAX(" + weight + "," + number(export.LeastLevel) + "))"
			}
			c.formula(7+len(outputs), c.row, argument)
			if weight, _ = c.place(c.m.Weight, 8+len(outputs), cell(7+len(outputs), c.row)); !c.m.LogSpace {
				weight = fmt.Sprintf("IF(%s<%s,0,EXP(%s))", cell(2, c.row), number(export.LeastLevel), weight)
			}
		}
		c.formula(3, c.row, weight)
		relative := cell(3, c.row)
		if c.m.LogSpace {
			relative = fmt.Sprintf("EXP(%s-MAX(%s))", relative, span(3, from, to))
		}
		c.formula(4, c.row, relative)
		c.formula(5, c.row, fmt.Sprintf("IF(SUM(%s)>%s,%s/SUM(%[1]s),0)", span(4, from, to), number(export.MinFiring), cell(4, c.row)))
		for o := range outputs {
			c.formula(6+o, c.row, outputs[o][r])
		}
	}
	c.row++
	c.text(1, c.row, "mean")
	for o := range outputs {
		c.formula(6+o, c.row, sumProduct(span(5, from, to), span(6+o, from, to)))
		y = append(y, cell(6+o, c.row))
	}
	covered = fmt.Sprintf("SUM(%s)>%s", span(4, from, to), number(export.MinFiring))
	if c.m.LogSpace {
		covered = fmt.Sprintf("AND(%s,MAX(%s)>-1E+299)", covered, span(3, from, to))
	}
	return covered, y
}

// response writes the response, and returns its cells for formulas of other sheets.
func (c *calculation) response(covered string, y []string) []string {
	c.row += 2
	c.header(c.row, c.bold, "Response", "value", "if no rule fires", "lowest", "highest")
	var all []string
	for j, o := range c.form.Outputs {
		c.row++
		c.text(1, c.row, o.Column)
		c.number(3, c.row, c.m.Uncovered[j])
		value := c.link(j, y)
		if c.m.Low != nil {
			value = fmt.Sprintf("MAX(%s,MIN(%s,%s))", number(max(c.m.Low[j], -1e300)), number(min(c.m.High[j], 1e300)), value)
		}
		c.formula(2, c.row, fmt.Sprintf("IF(%s,%s,C%d)", covered, value, c.row))
		all = append(all, c.fixed(2, c.row))
	}
	return all
}

// link returns the formula of response j to outputs.
func (c *calculation) link(j int, y []string) string {
	row := y[0] + ":" + y[len(y)-1]
	switch c.m.Link {
	case "logit":
		if j == 0 {
			return "1/(1+EXP(MIN(700," + y[0] + ")))"
		}
		return "1/(1+EXP(MIN(700,0-" + y[0] + ")))"
	case "softmax":
		return fmt.Sprintf("EXP(%s-MAX(%s))/SUMPRODUCT(EXP(%[2]s-MAX(%[2]s)))", y[j], row)
	case "log":
		return fmt.Sprintf("%s*EXP(MIN(%s,%v))", number(c.m.Targets[0].Mean), y[0], loss.MaxLog)
	case "ordered":
		return fmt.Sprintf("%s+%s*SMALL(%s,%d)", number(c.m.Targets[j].Mean), number(c.m.Targets[j].Scale), row, j+1)
	}
	return fmt.Sprintf("%s+%s*%s", number(c.m.Targets[j].Mean), number(c.m.Targets[j].Scale), y[j])
}

// operations are the formulas of operations on cells or numbers. Excel and LibreOffice report an
// error where a result is too large, so that exponents are limited, and that of zero is no logarithm.
var operations = map[export.Op]string{
	export.Add: "%s+%s", export.Sub: "%s-%s", export.Mul: "%s*%s", export.Div: "%s/%s",
	export.Min: "MIN(%s,%s)", export.Max: "MAX(%s,%s)", export.Neg: "0-%[1]s", export.Square: "%[1]s*%[1]s",
	export.Exp: "EXP(MIN(700,%[1]s))", export.Log: "IF(%[1]s>0,LN(%[1]s),-1E+300)", export.Sqrt: "SQRT(%[1]s)",
	export.Abs: "ABS(%[1]s)", export.Relu: "MAX(%[1]s,0)", export.Tanh: "TANH(%[1]s)", export.Cos: "COS(%[1]s)",
	export.Sigmoid: "IF(%[1]s<0,EXP(%[1]s)/(1+EXP(%[1]s)),1/(1+EXP(0-%[1]s)))",
}

// place writes the steps of a program into cells of the row from a column on, and returns the cell or number of the result, and the next
// free column.
func (c *calculation) place(p *export.Program, column int, arguments ...string) (result string, next int) {
	values := append([]string(nil), arguments...)
	for _, s := range p.Steps {
		if s.Op == export.Const {
			values = append(values, number(s.Value))
			continue
		}
		operands := []any{values[s.X], values[s.Y]}[:s.Op.Operands()]
		c.formula(column, c.row, fmt.Sprintf(operations[s.Op], operands...))
		values = append(values, cell(column, c.row))
		column++
	}
	return values[p.Result], column
}

// number writes a number in a formula.
func number(v float64) string {
	text := strconv.FormatFloat(v, 'G', -1, 64)
	if v < 0 || math.Signbit(v) {
		return "(" + text + ")"
	}
	return text
}

// sumProduct returns the sum of the products of two ranges of the same shape.
func sumProduct(a, b string) string { return "SUMPRODUCT(" + a + "," + b + ")" }
