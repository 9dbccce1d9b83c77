// Package pageparts has what the pages of reports and the page that trains share: the look, and scripts for elements, numbers,
// charts, colours, and for reports that another page shows.
package pageparts

import (
	_ "embed"
	"strings"
)

// Style is the common part of the style sheets: colours, light and dark, type, tables, controls and charts.
//
//go:embed look.css
var Style string

var (
	//go:embed elements.js
	elements string
	//go:embed figures.js
	figures string
	//go:embed outer.js
	outer string
	//go:embed chart.js
	chart string
	//go:embed legend.js
	legend string
	//go:embed theme.js
	theme string
)

// Script is the common part of the scripts, for [Scope].
var Script = elements + figures + outer + chart + legend + theme

// Scope joins scripts to one, in strict mode and a scope of its own: it defines no global name.
func Scope(scripts ...string) string {
	return "(() => {\n\"use strict\";\n" + strings.Join(scripts, "") + "})();\n"
}
