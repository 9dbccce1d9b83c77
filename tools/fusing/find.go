package main

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// product is a floating-point product that is added to a number without being rounded.
type product struct {
	token.Position
	text  string
	edits []edit
}

func (p product) String() string { return fmt.Sprintf("%s: %s may be fused", p.Position, p.text) }

// find returns the products that may be fused in the packages that match the patterns and
// in their imports from the same module.
func find(dir string, patterns ...string) ([]product, error) {
	mode := packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule
	tree, err := packages.Load(&packages.Config{Mode: mode, Dir: dir}, patterns...)
	if err != nil {
		return nil, err
	}
	var ours []string
	packages.Visit(tree, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main {
			ours = append(ours, p.PkgPath)
		}
	})
	mode |= packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	mode &^= packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: dir}, ours...)
	if err != nil {
		return nil, err
	}
	f := flow{added: map[place]bool{}, from: map[place][]place{}, names: map[types.Object]place{}}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		f.follow(p)
	}
	return f.fusable(), nil
}
