package main

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// flow follows numbers from the products that compute them to the sums that add them.
type flow struct {
	added    map[place]bool    // the number in the place is an operand of a sum
	from     map[place][]place // the places whose numbers are assigned to a place
	products []candidate
	names    map[types.Object]place // of parameters and results
}

// candidate is a product and the places that it is assigned to.
type candidate struct {
	product
	added bool
	to    []place
}

// follow adds the products and assignments of a package.
func (f *flow) follow(p *packages.Package) {
	u := unit{f, p.TypesInfo, p.Fset}
	root := inspector.New(p.Syntax).Root()
	for c := range root.Preorder((*ast.FuncDecl)(nil)) {
		u.declare(c.Node().(*ast.FuncDecl))
	}
	for c := range root.Preorder((*ast.BinaryExpr)(nil), (*ast.AssignStmt)(nil), (*ast.Ident)(nil), (*ast.SelectorExpr)(nil), (*ast.CallExpr)(nil)) {
		switch n := c.Node().(type) {
		case *ast.BinaryExpr:
			if u.multiplies(n, n.Op, n.Y) {
				added, to := u.destination(c, 0)
				f.products = append(f.products, candidate{binaryProduct(u.fset, n, around(c)), added, to})
			}
		case *ast.AssignStmt:
			if u.multiplies(n.Lhs[0], operator(n.Tok), n.Rhs[0]) {
				f.products = append(f.products, candidate{assignedProduct(u.fset, n), false, u.places(n.Lhs[0])})
			}
		case *ast.CallExpr:
			for i, result := range u.results(n) {
				u.connect(result, c, i)
			}
		default:
			for _, from := range u.places(n.(ast.Expr)) {
				u.connect(from, c, 0)
			}
		}
	}
}

// connect records where the number of a place, used at c, goes; i is the index of a result
// if c is a call.
func (u unit) connect(from place, c inspector.Cursor, i int) {
	added, to := u.destination(c, i)
	u.added[from] = u.added[from] || added
	for _, t := range to {
		u.from[t] = append(u.from[t], from)
	}
}

// fusable returns the products that reach a sum, directly or through other places.
func (f *flow) fusable() []product {
	var todo []place
	for p, added := range f.added {
		if added {
			todo = append(todo, p)
		}
	}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range f.from[last] {
			if !f.added[p] {
				f.added[p] = true
				todo = append(todo, p)
			}
		}
	}
	var found []product
	for _, c := range f.products {
		for _, p := range c.to {
			c.added = c.added || f.added[p]
		}
		if c.added {
			found = append(found, c.product)
		}
	}
	return found
}

// around returns the outermost parentheses around an expression, or the expression.
func around(c inspector.Cursor) ast.Node {
	for c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	return c.Node()
}

// operator returns the binary operator of an assignment such as x *= y.
func operator(t token.Token) token.Token {
	if t == token.MUL_ASSIGN {
		return token.MUL
	} else if t == token.QUO_ASSIGN {
		return token.QUO
	}
	return t
}

// isFloat reports whether an expression is a float64 and not constant.
func isFloat(v types.TypeAndValue) bool {
	if v.Type == nil || v.Value != nil {
		return false
	}
	b, ok := v.Type.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float64
}
