package page

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed assets/page.html
var layout string

//go:embed assets/style.css
var style string

//go:embed assets/*.js
var sources embed.FS

// scripts are in the order of their dependencies; they share one scope.
var scripts = []string{
	"elements", "figures", "forward", "values", "rows", "outputs", "chart", "places", "parts", "controls", "result", "rules", "cells", "errors", "classes",
	"importance", "contributions", "responses", "surface", "memberships", "curves", "training", "theme", "main",
}

// script returns the page's script, with shapes written by shapeScript. It defines one global
// name: tskgraph.
func script(shapes []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "(() => {\n\"use strict\";\nconst shapes = [\n%s\n];\n", strings.Join(shapes, ",\n"))
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
