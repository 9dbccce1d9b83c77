// Package text writes results as tables for the terminal and in Markdown: rules, explanations, summaries, verifications, searches.
package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// WriteRules writes the rules as a table for the terminal, a row per rule: in words or, for a model without words, in numbers.
func WriteRules(w io.Writer, d words.Description) error {
	return writeTables(w, d.Sentences(), format{
		table: (*Table).String, curves: words.CurveText.String, escape: func(text string) string { return text },
	})
}

// WriteRulesMarkdown writes the table of [WriteRules] in Markdown.
func WriteRulesMarkdown(w io.Writer, d words.Description) error {
	return writeTables(w, d.Sentences(), format{table: (*Table).Markdown, curves: curvesMarkdown, escape: escape.Markdown})
}

// format is how the parts of a wording are written.
type format struct {
	table  func(*Table) string
	curves func(words.CurveText) string
	escape func(string) string
}

// lines escapes each line of a text.
func (f format) lines(text string) string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, f.escape(strings.TrimRight(line, "\n")))
	}
	return strings.Join(all, "\n")
}

// curvesMarkdown returns the words of curves as a list in Markdown.
func curvesMarkdown(t words.CurveText) string {
	text := escape.Markdown(t.Heading) + ":\n\n"
	for _, line := range t.Lines() {
		indented := strings.TrimLeft(line, " ")
		text += line[:len(line)-len(indented)] + "- " + escape.Markdown(indented) + "\n"
	}
	return text
}

// writeTables writes a table per rulebase, and the legend of the words.
func writeTables(w io.Writer, d words.Wording, f format) error {
	all := []string{d.Remark}
	members := d.Members
	if members == nil {
		members = []words.Wording{d}
	}
	for i, one := range members {
		if d.Members != nil {
			all = append(all, fmt.Sprintf("Member %d of %d, %d rules", i+1, len(members), len(one.Rules)))
		}
		if one.Page != "" {
			all = append(all, f.lines(one.Introduction))
		}
		t := &Table{Head: []string{"rule", "IF", "THEN"}, Left: 3}
		for _, r := range one.Rules {
			var row []string
			for _, cell := range r.Cells() {
				row = append(row, strings.Join(cell, "\n"))
			}
			t.Add(row...)
		}
		all = append(all, f.table(t))
		for _, t := range one.Tables {
			of := &Table{Head: []string{t.Heading, "entry"}, Left: 1}
			for _, e := range t.Rows {
				of.Add(e.At, e.Entry)
			}
			all = append(all, f.table(of))
		}
		for _, t := range one.Curves {
			all = append(all, f.curves(t))
		}
		all = append(all, f.escape(strings.Join(one.Bounds, " ")), one.Measures)
		if one.Page != "" {
			all = append(all, f.lines(one.Computing))
		} else if one.Measures == "" { // without words
			all = append(all, one.Introduction)
		}
	}
	all = append(append(append(all, strings.Join(d.Readability, "\n")), d.Notes...), d.Legend)
	var b strings.Builder
	for _, text := range all {
		if text = strings.Trim(text, "\n"); text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	_, err := io.WriteString(w, strings.TrimSuffix(b.String(), "\n"))
	return err
}
