package page

import (
	"embed"

	"github.com/tskgraph/tskgraph/internal/base/pageparts"
)

//go:embed assets/page.html
var layout string

//go:embed assets/edit.html
var editLayout string

//go:embed assets/style.css
var style string

//go:embed assets/edit.css
var editStyle string

//go:embed assets/*.js
var sources embed.FS

// scripts are in the order of their dependencies; they share one scope, with those of pageparts before them.
var scripts = []string{
	"forward", "values", "rows", "outputs", "places", "parts", "controls", "intervals", "result", "rules", "cells", "errors", "classes",
	"importance", "contributions", "responses", "surface", "memberships", "curves", "training", "framed",
	"editstate", "editerror", "edithandles", "editplot", "editfields", "editlevels", "editthen", "editkeep", "editcards", "editfile", "editor", "tabs", "main",
}

// script returns the page's script with the evaluator of its model. It defines one global name:
// tskgraph.
func script(evaluator string) string {
	parts := []string{evaluator, pageparts.Script}
	for _, name := range scripts {
		text, err := sources.ReadFile("assets/" + name + ".js")
		if err != nil {
			panic(err) // the file is embedded
		}
		parts = append(parts, string(text))
	}
	return pageparts.Scope(parts...)
}
