package membership

import (
	"errors"
	"fmt"
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Formula defines a shape by an expression of x and its parameters, as in config.yaml:
//
//	membership:
//	  name: mine
//	  expr: 1 / (1 + ((x-c)/s)^2)
//	  params: {c: {init: center}, s: {init: spread, min: 0.05}}
//
// An expression consists of numbers, x, the parameters, pi and e, + - * / ^ with
// their usual precedence (^ is power and associates to the right), parentheses, and the
// functions exp, log, sqrt, abs, min, max, tanh, sigmoid, cos, relu (max(z, 0))
// and clamp(z, low, high). It cannot run code; its length, depth and size are limited.
type Formula struct {
	Name    string         `json:"name"`
	Expr    string         `json:"expr"`               // mu(x)
	LogExpr string         `json:"log_expr,omitempty"` // log mu(x), for a shape that is positive everywhere
	Params  []FormulaParam `json:"params"`
}

// FormulaParam is a parameter of a Formula.
type FormulaParam struct {
	Name string `json:"name"`
	// Init is the initial value: center, spread, a number, or sums and multiples of
	// these, such as center - 0.5*spread. It also determines the kind: a position if it
	// contains center, a spread if it contains only spread, otherwise a number.
	Init string   `json:"init"`
	Min  *float64 `json:"min,omitempty"` // training keeps the parameter at or above it
}

// ErrFormula is wrapped by every error about a formula.
var ErrFormula = errors.New("membership: formula")

// FormulaError reports an error in an expression.
type FormulaError struct {
	Field   string // expr, log_expr, or init of a parameter
	Text    string // the expression
	Column  int    // from 1, in characters
	Message string
}

func (e *FormulaError) Error() string {
	return fmt.Sprintf("%s: column %d of %q: %s", e.Field, e.Column, e.Text, e.Message)
}

// Unwrap returns ErrFormula.
func (e *FormulaError) Unwrap() error { return ErrFormula }

// Shape parses and checks the formula and returns its shape. Names of functions and
// constants are reserved; x and every parameter must occur in the expression; log_expr
// must be the logarithm of expr. Errors wrap [ErrFormula].
func (f Formula) Shape() (Function, error) {
	s := &formulaShape{formula: f}
	if err := f.checkNames(); err != nil {
		return nil, err
	}
	var names []string
	for _, p := range f.Params {
		names = append(names, p.Name)
	}
	var err error
	if s.mu, err = parseExpression("expr", f.Expr, append([]string{"x"}, names...)); err != nil {
		return nil, err
	}
	if !s.mu.uses(0) {
		return nil, fmt.Errorf("%w: x does not occur in expr %q", ErrFormula, f.Expr)
	}
	for i, p := range f.Params {
		field := "init of " + p.Name
		init, err := parseExpression(field, p.Init, []string{"center", "spread"})
		if err != nil {
			return nil, err
		}
		if !init.linear() {
			return nil, &FormulaError{field, p.Init, 1, "want center, spread, numbers, and sums and multiples of these"}
		}
		if !s.mu.uses(i + 1) {
			return nil, fmt.Errorf("%w: parameter %s does not occur in expr %q", ErrFormula, p.Name, f.Expr)
		}
		s.inits = append(s.inits, init)
		s.params = append(s.params, Param{Name: p.Name, Meaning: "starts at " + p.Init, Kind: initKind(init)})
	}
	if f.LogExpr == "" {
		return s, nil
	}
	logMu, err := parseExpression("log_expr", f.LogExpr, append([]string{"x"}, names...))
	if err != nil {
		return nil, err
	}
	l := &logFormulaShape{s, logMu}
	return l, l.checkLogarithm()
}

// checkLogarithm compares the two expressions at points around a function with center 0
// and spread 1.
func (s *logFormulaShape) checkLogarithm() error {
	p := s.Place(0, 1)
	for _, x := range []float64{-3, -1.1, -0.3, 0, 0.2, 0.9, 2.7} {
		mu, logMu := []float64{x}, []float64{x}
		s.Grades(mu, mu, p)
		s.LogGrades(logMu, logMu, p)
		if e := numeric.Exp(logMu[0]); math.Abs(e-mu[0]) > float64(1e-6*math.Abs(mu[0]))+1e-300 {
			return fmt.Errorf("%w: log_expr is not the logarithm of expr: at x = %v with center 0 and spread 1, exp(log_expr) is "+
				"%.6g and expr %.6g", ErrFormula, x, e, mu[0])
		}
	}
	return nil
}

func initKind(init *tree) Kind {
	switch {
	case init.uses(0):
		return Position
	case init.uses(1):
		return Spread
	}
	return Number
}

func (f Formula) checkNames() error {
	fail := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", ErrFormula, fmt.Sprintf(format, a...))
	}
	if !isName(f.Name) {
		return fail("name %q: want letters, digits and _, a letter first, at most %d", f.Name, maxName)
	}
	if len(f.Params) == 0 || len(f.Params) > maxParams {
		return fail("%d parameters: want 1 to %d", len(f.Params), maxParams)
	}
	seen := map[string]bool{}
	for _, p := range f.Params {
		switch {
		case !isName(p.Name):
			return fail("parameter %q: want letters, digits and _, a letter first, at most %d", p.Name, maxName)
		case p.Name == "x" || isReserved(p.Name):
			return fail("parameter %q: the name is reserved", p.Name)
		case seen[p.Name]:
			return fail("parameter %q is given twice", p.Name)
		case p.Min != nil && (math.IsNaN(*p.Min) || math.IsInf(*p.Min, 0)):
			return fail("parameter %s: min %v: must be finite", p.Name, *p.Min)
		}
		seen[p.Name] = true
	}
	return nil
}

const (
	maxName   = 40
	maxParams = 16
)

func isName(s string) bool {
	for i, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return s != "" && len(s) <= maxName
}

// formulaShape is the [Function] of a [Formula].
type formulaShape struct {
	formula Formula
	params  []Param
	inits   []*tree
	mu      *tree
}

// AsFormula returns the formula of a shape that was made by [Formula.Shape], so that it
// can be saved; false for a built-in shape.
func AsFormula(f Function) (Formula, bool) {
	switch s := f.(type) {
	case *formulaShape:
		return s.formula, true
	case *logFormulaShape:
		return s.formula, true
	}
	return Formula{}, false
}

func (s *formulaShape) Name() string    { return s.formula.Name }
func (s *formulaShape) Params() []Param { return s.params }

func (s *formulaShape) Place(center, spread float64) []float64 {
	p := make([]float64, len(s.inits))
	for j, init := range s.inits {
		p[j] = init.eval([]float64{center, spread})
	}
	s.Project(columnsOf(p))
	return p
}

// Project keeps every parameter at or above its min.
func (s *formulaShape) Project(p [][]float64) {
	for j, param := range s.formula.Params {
		if param.Min != nil {
			for i, v := range p[j] {
				p[j][i] = max(v, *param.Min)
			}
		}
	}
}

func (s *formulaShape) Grades(dst, x, p []float64) { evalAll(s.mu, dst, x, p) }

func (s *formulaShape) Expr(b Builder, x Term, p []Term) Term {
	return s.mu.build(b, append([]Term{x}, p...))
}

// Piece identifies a smooth piece by the signs of the arguments of abs and relu and of
// the differences of the arguments of min and max.
func (s *formulaShape) Piece(x float64, p []float64) string {
	return string(s.mu.sides(nil, append([]float64{x}, p...)))
}

// logFormulaShape is the [Function] of a [Formula] with log_expr.
type logFormulaShape struct {
	*formulaShape
	logMu *tree
}

func (s *logFormulaShape) LogGrades(dst, x, p []float64) { evalAll(s.logMu, dst, x, p) }

func (s *logFormulaShape) LogExpr(b Builder, x Term, p []Term) Term {
	return s.logMu.build(b, append([]Term{x}, p...))
}

func (s *logFormulaShape) Piece(x float64, p []float64) string {
	return s.formulaShape.Piece(x, p) + string(s.logMu.sides(nil, append([]float64{x}, p...)))
}

func evalAll(t *tree, dst, x, p []float64) {
	values := append([]float64{0}, p...)
	for i, v := range x {
		values[0] = v
		dst[i] = t.eval(values)
	}
}

// columnsOf returns p as the parameters [P][1] of one function, sharing its memory.
func columnsOf(p []float64) [][]float64 {
	c := make([][]float64, len(p))
	for j := range p {
		c[j] = p[j : j+1]
	}
	return c
}
