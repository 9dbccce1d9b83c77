// Package text writes results as tables for the terminal and in Markdown: rules,
// explanations, summaries, verifications, searches.
package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/texttable"
)

// WriteRules writes the rules as a table for the terminal, a row per rule: in words or, for a
// model without words, in numbers.
func WriteRules(w io.Writer, d words.Description) error {
	return writeTables(w, d, func(d words.Description) (string, error) {
		var b strings.Builder
		table := texttable.New(&b, 3)
		table.Header([]string{"rule", "IF", "THEN"})
		for _, r := range words.Listed(d) {
			l := d.Lines(r)
			if err := table.Append([]string{strings.Join(l.Rule, "\n"), strings.Join(l.If, "\n"), strings.Join(l.Then, "\n")}); err != nil {
				return "", err
			}
		}
		err := table.Render()
		for _, t := range words.CurvesInWords(d) {
			b.WriteString("\n" + t.String())
		}
		writeBounds(&b, d, func(s string) string { return s })
		return b.String(), err
	})
}

// WriteRulesMarkdown writes the table of [WriteRules] in Markdown.
func WriteRulesMarkdown(w io.Writer, d words.Description) error {
	return writeTables(w, d, func(d words.Description) (string, error) {
		var b strings.Builder
		b.WriteString("| rule | IF | THEN |\n| --- | --- | --- |\n")
		for _, r := range words.Listed(d) {
			l := d.Lines(r)
			for _, cell := range [][]string{l.Rule, l.If, l.Then} {
				for i, line := range cell {
					cell[i] = escape.Markdown(strings.Join(strings.Fields(line), " "))
				}
				b.WriteString("| " + strings.Join(cell, "<br>") + " ")
			}
			b.WriteString("|\n")
		}
		for _, t := range words.CurvesInWords(d) {
			b.WriteString("\n" + curvesMarkdown(t))
		}
		writeBounds(&b, d, escape.Markdown)
		return b.String(), nil
	})
}

// writeBounds writes what the signs of slopes mean as a paragraph.
func writeBounds(b *strings.Builder, d words.Description, escaped func(string) string) {
	if lines := words.BoundsInWords(d); lines != nil {
		b.WriteString("\n" + escaped(strings.Join(lines, " ")) + "\n")
	}
}

// curvesMarkdown returns the words of curves as a list in Markdown.
func curvesMarkdown(t *words.CurveText) string {
	text := escape.Markdown(t.Heading) + ":\n\n"
	for _, line := range t.Lines() {
		indented := strings.TrimLeft(line, " ")
		text += line[:len(line)-len(indented)] + "- " + escape.Markdown(indented) + "\n"
	}
	return text
}

// writeTables writes a table per rulebase, and the legend of the words.
func writeTables(w io.Writer, d words.Description, table func(words.Description) (string, error)) error {
	var b strings.Builder
	if remark := d.Readability.Remark(); remark != "" {
		b.WriteString(remark + "\n\n")
	}
	all := d.Members
	if len(all) == 0 {
		all = []words.Description{d}
	}
	for i, one := range all {
		if len(all) > 1 {
			fmt.Fprintf(&b, "Member %d of %d, %d rules\n\n", i+1, len(all), len(one.Rules))
		}
		text, err := table(one)
		if err != nil {
			return err
		}
		b.WriteString(text + "\n")
		if one.Interpretability == nil {
			b.WriteString(one.WhyNoWords() + "\n\n")
		} else {
			b.WriteString(one.Interpretability.String() + "\n\n")
		}
	}
	if d.Readability != nil {
		b.WriteString(d.Readability.String() + "\n\n")
	}
	if d.Neighbours != nil {
		b.WriteString(d.Neighbours.String() + "\n\n")
	}
	b.WriteString(words.Legend(d))
	_, err := io.WriteString(w, b.String())
	return err
}
