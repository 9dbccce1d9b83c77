package page

import (
	"embed"
	"strings"
)

// PartsStyle is what the style sheets of reports and of the page that trains share: colours, light and dark, type,
// tables, controls and charts.
//
//go:embed look.css
var PartsStyle string

var (
	//go:embed elements.js
	elementsScript string
	//go:embed figures.js
	figuresScript string
	//go:embed outer.js
	outerScript string
	//go:embed chart.js
	chartScript string
	//go:embed sizes.js
	sizesScript string
	//go:embed theme.js
	themeScript string
)

// PartsScript is what their scripts share, for [ScopeScripts]: elements, numbers, charts, colours, and reports that another page shows.
var PartsScript = elementsScript + figuresScript + outerScript + chartScript + sizesScript + themeScript

// ScopeScripts joins scripts to one, in strict mode and a scope of its own: it defines no global name.
func ScopeScripts(scripts ...string) string {
	return "(() => {\n\"use strict\";\n" + strings.Join(scripts, "") + "})();\n"
}

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

// scripts are in the order of their dependencies; they share one scope, with those of PartsScript before them.
var scripts = []string{
	"forward", "values", "rows", "outputs", "places", "parts", "controls", "intervals", "result", "rules", "cells", "errors", "classes",
	"importance", "contributions", "responses", "surface", "forecasts", "memberships", "curves", "training", "framed",
	"editstate", "editerror", "edithandles", "editplot", "editfields", "editlevels", "editthen", "editkeep", "editcards", "editfile",
	"editor", "tabs", "main",
}

// script returns the page's script with the evaluator of its model. It defines one global name: tskgraph.
func script(evaluator string) string {
	parts := []string{evaluator, PartsScript}
	for _, name := range scripts {
		text, err := sources.ReadFile("assets/" + name + ".js")
		if err != nil {
			panic(err) // the file is embedded
		}
		parts = append(parts, string(text))
	}
	return ScopeScripts(parts...)
}
