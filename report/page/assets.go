package page

import (
	"embed"
	"strings"
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

// scripts are in the order of their dependencies; they share one scope.
var scripts = []string{
	"elements", "figures", "forward", "values", "rows", "outputs", "chart", "places", "parts", "controls", "intervals", "result", "rules", "cells", "errors", "classes",
	"importance", "contributions", "responses", "surface", "memberships", "curves", "training", "theme",
	"editstate", "editerror", "edithandles", "editplot", "editfields", "editlevels", "editthen", "editkeep", "editcards", "editfile", "editor", "tabs", "main",
}

// script returns the page's script with the evaluator of its model. It defines one global name:
// tskgraph.
func script(evaluator string) string {
	var b strings.Builder
	b.WriteString("(() => {\n\"use strict\";\n" + evaluator)
	for _, name := range scripts {
		text, err := sources.ReadFile("assets/" + name + ".js")
		if err != nil {
			panic(err) // the file is embedded
		}
		b.Write(text)
	}
	b.WriteString("})();\n")
	return b.String()
}
