package config

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Reference returns every key with its default and meaning as a page of Markdown, a
// table for each section. A default in italics is an example: such a key has none.
func Reference() []byte {
	var b bytes.Buffer
	b.WriteString("# Keys\n\nEvery key of config.yaml, with its default under `preset: robust`. Keys without a default show an example in *italics*.\n" +
		"[Configuration](config.md) says which key answers which question. `tskgraph config print --markdown` prints this page.\n")
	c := presetConfig(recipe.Presets()[0])
	section := "none"
	for _, k := range keys() {
		if s, _ := k.section(); s != section {
			if s != "" {
				fmt.Fprintf(&b, "\n## %s\n", s)
			}
			b.WriteString("\n| key | default | meaning |\n|---|---|---|\n")
			section = s
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.name, referenceValue(k, c), cell(k.doc))
	}
	return b.Bytes()
}

// referenceValue is the default of a key as a cell, each line of it as code.
func referenceValue(k key, c *Config) string {
	value := k.templateValue(c)
	if _, examples := shownInSchema(k, c); examples != nil {
		return "*" + cell(value) + "*"
	}
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		lines[i] = "`" + line + "`"
	}
	return cell(strings.Join(lines, "<br>"))
}

// cell escapes what would end a cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
