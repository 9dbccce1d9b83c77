package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// span is a part of a source text that gives way to another text.
type span struct {
	from, to int
	text     string
}

// apply returns a Go file without what a cut names, and without the imports that it used alone; done has the names that were found.
func (c cut) apply(name string, source []byte) (out []byte, done map[string]bool, err error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		return nil, nil, err
	}
	done = map[string]bool{}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	var spans []span
	for _, d := range f.Decls {
		function, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		switch name := nameOf(function); {
		case slices.Contains(c.remove, name):
			spans, done[name] = append(spans, span{offset(function.Pos()), offset(function.End()), ""}), true
		case slices.Contains(c.stub, name), slices.Contains(c.stub, everything) && name != "init":
			done[everything] = true
			spans, done[name] = append(spans, span{offset(function.Body.Pos()), offset(function.Body.End()), "{ panic(\"" + name + " is " + absent + "\") }"}), true
		case len(c.cases) > 0:
			clauses, err := c.clauses(function, done)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, clause := range clauses {
				spans = append(spans, span{offset(clause.Pos()), offset(clause.End()), ""})
			}
		}
	}
	text := c.replace(source, spans, done)
	if bytes.Equal(text, source) {
		return source, done, nil
	}
	out, err = withoutUnused(name, f, text)
	return out, done, err
}

// replace returns a text with other spans, which are in ascending order, and with the cut's edits and addition.
func (c cut) replace(source []byte, spans []span, done map[string]bool) []byte {
	var b bytes.Buffer
	at := 0
	for _, s := range spans {
		b.Write(source[at:s.from])
		b.WriteString(s.text)
		at = s.to
	}
	b.Write(source[at:])
	text := b.Bytes()
	for _, e := range c.edits {
		if bytes.Count(text, []byte(e.old)) == 1 {
			text, done[e.old] = bytes.Replace(text, []byte(e.old), []byte(e.new), 1), true
		}
	}
	return append(text, c.add...)
}

// nameOf returns the name of a function, or Type.Method.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if pointer, ok := of.(*ast.StarExpr); ok {
		of = pointer.X
	}
	if t, ok := of.(*ast.Ident); ok {
		return t.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// clauses returns the clauses of a function that a cut names. A switch that has some needs a default clause, which is what remains.
func (c cut) clauses(f *ast.FuncDecl, done map[string]bool) (found []*ast.CaseClause, err error) {
	ast.Inspect(f, func(n ast.Node) bool {
		choice, ok := n.(*ast.SwitchStmt)
		if !ok {
			return true
		}
		cuts, usual := 0, false
		for _, s := range choice.Body.List {
			clause := s.(*ast.CaseClause)
			usual = usual || clause.List == nil
			if len(clause.List) != 1 {
				continue
			}
			if t, ok := clause.List[0].(*ast.Ident); ok && slices.Contains(c.cases, t.Name) {
				found, done[t.Name] = append(found, clause), true
				cuts++
			}
		}
		if cuts > 0 && !usual {
			err = fmt.Errorf("a switch over types has no default clause")
		}
		return cuts == 0 // what is nested in a clause goes with it
	})
	return found, err
}

// withoutUnused returns a file without the imports that are unused, though the file as it was uses them.
func withoutUnused(name string, was *ast.File, text []byte) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, i := range was.Imports {
		p, alias := strings.Trim(i.Path.Value, `"`), ""
		if i.Name != nil {
			alias = i.Name.Name
		}
		qualifier := cmp.Or(alias, strings.TrimPrefix(path.Base(p), "go-"))
		if qualifies(was, qualifier) && !qualifies(f, qualifier) {
			astutil.DeleteNamedImport(files, f, alias, p)
		}
	}
	var b bytes.Buffer
	err = format.Node(&b, files, f)
	return b.Bytes(), err
}

// qualifies reports whether a file has an identifier qualified by the name of a package.
func qualifies(f *ast.File, name string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			found = found || ok && x.Name == name
		}
		return !found
	})
	return found
}
