package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// place holds a number without rounding it: a variable, a field of a variable (with its
// name), or a parameter or result of a function (by name only).
type place struct {
	object types.Object
	name   string
}

// unit is a package under examination.
type unit struct {
	*flow
	info *types.Info
	fset *token.FileSet
}

// declare names the parameters and results of a function as other packages do.
func (u unit) declare(d *ast.FuncDecl) {
	f := u.info.Defs[d.Name].(*types.Func)
	for i, v := range variables(f.Signature().Params()) {
		u.names[v] = parameter(f, i)
	}
	for i, v := range variables(f.Signature().Results()) {
		u.names[v] = result(f, i)
	}
}

func parameter(f *types.Func, i int) place {
	return place{name: fmt.Sprintf("%s parameter %d", f.Origin().FullName(), i)}
}

func result(f *types.Func, i int) place {
	return place{name: fmt.Sprintf("%s result %d", f.Origin().FullName(), i)}
}

// variables returns the variables of a tuple.
func variables(t *types.Tuple) []types.Object {
	var all []types.Object
	for v := range t.Variables() {
		all = append(all, v)
	}
	return all
}

// of returns the place of a variable.
func (u unit) of(v types.Object) place {
	if p, ok := u.names[v]; ok {
		return p
	}
	return place{object: v}
}

// places returns the place that an expression denotes: one or none.
func (u unit) places(e ast.Expr) []place {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := u.info.ObjectOf(e).(*types.Var); ok && !v.IsField() {
			return []place{u.of(v)}
		}
	case *ast.SelectorExpr:
		if s := u.info.Selections[e]; s != nil && s.Kind() == types.FieldVal && !s.Indirect() {
			for _, p := range u.places(e.X) {
				p.name += "." + e.Sel.Name
				return []place{p}
			}
		}
	}
	return nil
}

// results returns the places of the results of a call.
func (u unit) results(call *ast.CallExpr) []place {
	return u.tuple(call, (*types.Signature).Results, result)
}

// tuple returns the places of the parameters or results of the called function.
func (u unit) tuple(call *ast.CallExpr, of func(*types.Signature) *types.Tuple, named func(*types.Func, int) place) []place {
	s, ok := u.info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || u.info.Types[call.Fun].IsType() || u.info.Types[call.Fun].IsBuiltin() {
		return nil
	}
	f, static := typeutil.Callee(u.info, call).(*types.Func)
	var all []place
	for i, v := range variables(of(s)) {
		p := u.of(v)
		if static {
			p = named(f, i)
		}
		all = append(all, p)
	}
	return all
}

// destination reports whether the value of an expression, or result i of a call, is an
// operand of a sum, and returns the places that it is assigned to.
func (u unit) destination(c inspector.Cursor, i int) (added bool, to []place) {
	for ; ; c = c.Parent() {
		kind, at := c.ParentEdge()
		switch n := c.Parent().Node().(type) {
		case *ast.ParenExpr:
			continue
		case *ast.UnaryExpr:
			if n.Op == token.SUB || n.Op == token.ADD {
				continue
			}
		case *ast.BinaryExpr:
			return n.Op == token.ADD || n.Op == token.SUB || u.doubles(n), nil
		case *ast.AssignStmt:
			switch {
			case n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN:
				return true, nil
			case kind == edge.AssignStmt_Rhs && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE):
				return false, u.places(n.Lhs[at+i])
			}
		case *ast.ValueSpec:
			if kind == edge.ValueSpec_Values {
				return false, u.places(n.Names[at+i])
			}
		case *ast.ReturnStmt:
			return false, []place{u.returned(c.Parent(), at+i)}
		case *ast.CallExpr:
			if params := u.tuple(n, (*types.Signature).Params, parameter); kind == edge.CallExpr_Args && at+i < len(params) {
				return false, params[at+i : at+i+1]
			}
		}
		return false, nil
	}
}

// returned returns the place of result i of the function that encloses a return.
func (u unit) returned(c inspector.Cursor, i int) place {
	var s *types.Signature
	for f := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch f := f.Node().(type) {
		case *ast.FuncDecl:
			s = u.info.Defs[f.Name].(*types.Func).Signature()
		case *ast.FuncLit:
			s = u.info.TypeOf(f).(*types.Signature)
		}
		break
	}
	return u.of(s.Results().At(i))
}

// multiplies reports whether x op y is compiled to a product, with x a float64 that is not
// constant: x*y, or x/c for a power of two c.
func (u unit) multiplies(x ast.Expr, op token.Token, y ast.Expr) bool {
	if !isFloat(u.info.Types[x]) {
		return false
	}
	return op == token.MUL || op == token.QUO && powerOfTwo(u.info.Types[y].Value)
}

// doubles reports whether an expression is 2*x or x*2, which is compiled to x + x.
func (u unit) doubles(e *ast.BinaryExpr) bool {
	return e.Op == token.MUL && (number(u.info.Types[e.X].Value) == 2 || number(u.info.Types[e.Y].Value) == 2)
}

func powerOfTwo(v constant.Value) bool {
	fraction, _ := math.Frexp(math.Abs(number(v)))
	return fraction == 0.5
}

// number returns the value of a numeric constant, and zero for anything else.
func number(v constant.Value) float64 {
	if v == nil || v.Kind() != constant.Int && v.Kind() != constant.Float {
		return 0
	}
	f, _ := constant.Float64Val(v)
	return f
}
