package membership

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// Limits of an expression.
const (
	maxLength = 1000 // characters
	maxDepth  = 40   // of nesting
	maxParts  = 500
	maxPower  = 64 // largest whole power, which is expanded to multiplications
)

var constants = map[string]float64{"pi": math.Pi, "e": math.E}

// functions are the functions of an expression, with their number of arguments.
var functions = map[string]int{"clamp": 3}

func init() {
	for name, op := range operations {
		if isName(name) && name != "neg" {
			functions[name] = op.arity
		}
	}
}

func isReserved(name string) bool {
	_, constant := constants[name]
	_, function := functions[name]
	return constant || function || slices.Contains(keywords, name)
}

// keywords are reserved by the parser and cannot name parameters.
var keywords = []string{"true", "false", "nil", "not", "in", "and", "or", "let", "if", "else", "matches", "contains",
	"startsWith", "endsWith"}

// parseExpression parses text with the given variables. Errors are of type
// *FormulaError.
func parseExpression(field, text string, variables []string) (*tree, error) {
	p := &expressionParser{field: field, text: text, variables: variables}
	if n := len([]rune(text)); n > maxLength {
		return nil, &FormulaError{field, string([]rune(text)[:40]) + "...", maxLength,
			fmt.Sprintf("%d characters; at most %d are allowed", n, maxLength)}
	}
	if strings.TrimSpace(text) == "" {
		return nil, p.fault(0, "the expression is empty")
	}
	if i := strings.IndexFunc(text, unreadable); i >= 0 {
		return nil, p.fault(i, "invalid character")
	}
	parsed, err := parser.Parse(text)
	if err != nil {
		var where *file.Error
		if errors.As(err, &where) {
			return nil, p.fault(where.From, "%s", strings.Replace(where.Message, "unexpected token EOF", "the expression ends too early", 1))
		}
		return nil, p.fault(0, "%v", err)
	}
	return p.tree(parsed.Node, 0)
}

// unreadable reports characters outside the syntax of an expression, such as those that
// begin strings and comments, which the parser would accept.
func unreadable(r rune) bool {
	return !strings.ContainsRune(" \t\n+-*/^().,_", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

type expressionParser struct {
	field, text string
	variables   []string
	parts       int
}

// fault returns a *FormulaError at a byte offset of the text.
func (p *expressionParser) fault(offset int, format string, a ...any) error {
	offset = min(max(offset, 0), len(p.text))
	return &FormulaError{p.field, p.text, len([]rune(p.text[:offset])) + 1, fmt.Sprintf(format, a...)}
}

// tree converts a node of the parser's syntax tree.
func (p *expressionParser) tree(n ast.Node, depth int) (*tree, error) {
	at := n.Location().From
	if p.parts++; p.parts > maxParts || depth > maxDepth {
		return nil, p.fault(at, "the expression is too large: at most %d parts, %d deep", maxParts, maxDepth)
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return &tree{op: "number", value: float64(n.Value)}, nil
	case *ast.FloatNode:
		if math.IsInf(n.Value, 0) {
			return nil, p.fault(at, "the number is too large")
		}
		return &tree{op: "number", value: n.Value}, nil
	case *ast.IdentifierNode:
		return p.name(n.Value, at)
	case *ast.UnaryNode:
		switch n.Operator {
		case "+":
			return p.tree(n.Node, depth+1)
		case "-":
			return p.apply("neg", at, depth, n.Node)
		}
		return nil, p.fault(at, "operator %s is not supported", n.Operator)
	case *ast.BinaryNode:
		return p.operator(n, at, depth)
	case *ast.BuiltinNode: // a built-in function of the parser
		return p.call(n.Name, at, depth, n.Arguments)
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok {
			return p.call(callee.Value, callee.Location().From, depth, n.Arguments)
		}
	}
	return nil, p.fault(at, "not a numeric expression")
}

func (p *expressionParser) name(name string, at int) (*tree, error) {
	if i := slices.Index(p.variables, name); i >= 0 {
		return &tree{op: "variable", index: i}, nil
	}
	if v, ok := constants[name]; ok {
		return &tree{op: "number", value: v}, nil
	}
	if _, ok := functions[name]; ok {
		return nil, p.fault(at, "%s is a function and needs arguments", name)
	}
	message := fmt.Sprintf("unknown name %s: want %s, pi or e", name, strings.Join(p.variables, ", "))
	if closest := registry.Closest(name, p.variables); closest != "" {
		message += "; did you mean " + closest + "?"
	}
	return nil, p.fault(at, "%s", message)
}

func (p *expressionParser) operator(n *ast.BinaryNode, at, depth int) (*tree, error) {
	switch n.Operator {
	case "+", "-", "*", "/":
		return p.apply(n.Operator, at, depth, n.Left, n.Right)
	case "^":
		power := &tree{op: "^"}
		for _, side := range []ast.Node{n.Left, n.Right} {
			arg, err := p.tree(side, depth+1)
			if err != nil {
				return nil, err
			}
			power.args = append(power.args, arg)
		}
		if k, ok := power.args[1].whole(); ok {
			if k < -maxPower || k > maxPower {
				return nil, p.fault(at, "a whole power of %d: at most %d", k, maxPower)
			}
			return p.fold(&tree{op: "^n", args: power.args[:1], index: k}, at)
		}
		return p.fold(power, at)
	}
	return nil, p.fault(at, "operator %s is not supported: use + - * / ^", n.Operator)
}

// whole returns the value of a tree that is a whole number or its negation.
func (t *tree) whole() (int, bool) {
	switch {
	case t.op == "number" && t.value == math.Trunc(t.value) && math.Abs(t.value) < 1e9:
		return int(t.value), true
	case t.op == "neg":
		k, ok := t.args[0].whole()
		return -k, ok
	}
	return 0, false
}

func (p *expressionParser) call(name string, at, depth int, args []ast.Node) (*tree, error) {
	arity, ok := functions[name]
	switch {
	case !ok:
		known := slices.Sorted(maps.Keys(functions))
		return nil, p.fault(at, "unknown function %s: want one of %s", name, strings.Join(known, ", "))
	case len(args) != arity:
		return nil, p.fault(at, "%s takes %s, not %d", name, arguments(arity), len(args))
	case name != "clamp":
		return p.apply(name, at, depth, args...)
	}
	// clamp(z, low, high) = min(max(z, low), high)
	low, err := p.apply("max", at, depth, args[0], args[1])
	if err != nil {
		return nil, err
	}
	high, err := p.tree(args[2], depth+1)
	if err != nil {
		return nil, err
	}
	return p.fold(&tree{op: "min", args: []*tree{low, high}}, at)
}

func (p *expressionParser) apply(op string, at, depth int, args ...ast.Node) (*tree, error) {
	t := &tree{op: op}
	for _, arg := range args {
		a, err := p.tree(arg, depth+1)
		if err != nil {
			return nil, err
		}
		t.args = append(t.args, a)
	}
	return p.fold(t, at)
}

// fold completes an operation. It replaces an operation on constants by its value, which
// a graph cannot compute.
func (p *expressionParser) fold(t *tree, at int) (*tree, error) {
	t.compute = operations[t.op]
	for _, a := range t.args {
		if a.op != "number" {
			return t, nil
		}
	}
	v := t.eval(nil)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, p.fault(at, "the value is %v", v)
	}
	return &tree{op: "number", value: v}, nil
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}
