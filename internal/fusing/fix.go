package main

import (
	"go/ast"
	"go/format"
	"go/types"
	"os"
	"slices"
	"strings"
)

// edit replaces the bytes of a file from an offset to another one.
type edit struct {
	from, to int
	text     string
}

// product returns the product e, and the edit that converts it, with parentheses that
// may be around it.
func (u unit) product(e *ast.BinaryExpr, around ast.Node) product {
	p := product{Position: u.fset.Position(e.Pos()), text: types.ExprString(e)}
	from, to := u.fset.Position(around.Pos()).Offset, u.fset.Position(around.End()).Offset
	if around == e {
		p.edits = []edit{{from, from, "float64("}, {to, to, ")"}}
	} else {
		p.edits = []edit{{from, from, "float64"}}
	}
	return p
}

// assigned returns the product of x *= y, and the edits that make it x = float64(x * (y)).
func (u unit) assigned(s *ast.AssignStmt) product {
	x, y := s.Lhs[0], s.Rhs[0]
	operator := strings.TrimSuffix(s.Tok.String(), "=")
	at, end := u.fset.Position(s.TokPos).Offset, u.fset.Position(y.End()).Offset
	before, after := "= float64("+types.ExprString(x)+operator, ")"
	if _, ok := y.(*ast.BinaryExpr); ok {
		before, after = before+"(", after+")"
	}
	return product{
		Position: u.fset.Position(s.Pos()),
		text:     types.ExprString(x) + " " + s.Tok.String() + " " + types.ExprString(y),
		edits:    []edit{{at, at + len(s.Tok.String()), before}, {end, end, after}},
	}
}

// write makes the edits of products in their files.
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
		slices.SortStableFunc(edits, func(a, b edit) int { return b.from - a.from }) // the last one first
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
