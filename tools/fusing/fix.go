package main

import (
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
)

// edit replaces the bytes [from, to) of a file.
type edit struct {
	from, to int
	text     string
}

// binaryProduct returns the product e with the edits that round it. around is e or the
// parentheses around it.
func binaryProduct(fset *token.FileSet, e *ast.BinaryExpr, around ast.Node) product {
	p := product{Position: fset.Position(e.Pos()), text: types.ExprString(e)}
	from, to := fset.Position(around.Pos()).Offset, fset.Position(around.End()).Offset
	if around == e {
		p.edits = []edit{{from, from, "float64("}, {to, to, ")"}}
	} else {
		p.edits = []edit{{from, from, "float64"}}
	}
	return p
}

// assignedProduct returns the product of x *= y with the edits to x = float64(x * (y)).
func assignedProduct(fset *token.FileSet, s *ast.AssignStmt) product {
	x, y := s.Lhs[0], s.Rhs[0]
	operator := strings.TrimSuffix(s.Tok.String(), "=")
	at, end := fset.Position(s.TokPos).Offset, fset.Position(y.End()).Offset
	before, after := "= float64("+types.ExprString(x)+operator, ")"
	if _, ok := y.(*ast.BinaryExpr); ok {
		before, after = before+"(", after+")"
	}
	return product{
		Position: fset.Position(s.Pos()),
		text:     types.ExprString(x) + " " + s.Tok.String() + " " + types.ExprString(y),
		edits:    []edit{{at, at + len(s.Tok.String()), before}, {end, end, after}},
	}
}

// write applies the edits of the products to their files.
func write(found []product) error {
	byFile := map[string][]edit{}
	for _, p := range found {
		byFile[p.Filename] = append(byFile[p.Filename], p.edits...)
	}
	for name, edits := range byFile {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		slices.SortStableFunc(edits, func(a, b edit) int { return b.from - a.from }) // from the end of the file
		for _, e := range edits {
			text = slices.Concat(text[:e.from], []byte(e.text), text[e.to:])
		}
		if text, err = format.Source(text); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
