package page

import (
	_ "embed"
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
	//go:embed legend.js
	legendScript string
	//go:embed theme.js
	themeScript string
)

// PartsScript is what their scripts share, for [ScopeScripts]: elements, numbers, charts, colours, and reports that another page shows.
var PartsScript = elementsScript + figuresScript + outerScript + chartScript + legendScript + themeScript

// ScopeScripts joins scripts to one, in strict mode and a scope of its own: it defines no global name.
func ScopeScripts(scripts ...string) string {
	return "(() => {\n\"use strict\";\n" + strings.Join(scripts, "") + "})();\n"
}
