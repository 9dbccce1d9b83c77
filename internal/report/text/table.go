package text

import (
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Table is a table for people. Cells may have several lines.
type Table struct {
	Head []string
	Left int   // number of columns aligned to the left, the first ones; the others are aligned to the right
	Also []int // further ones
	Rows [][]string
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String returns the table for a terminal. Its cells must be escaped.
func (t *Table) String() string {
	align := tw.CellAlignment{Global: tw.AlignRight}
	for i := range t.Head {
		side := tw.AlignRight
		if t.left(i) {
			side = tw.AlignLeft
		}
		align.PerColumn = append(align.PerColumn, side)
	}
	var b strings.Builder
	w := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithConfig(tablewriter.Config{
			Header: tw.CellConfig{Alignment: align, Formatting: tw.CellFormatting{AutoFormat: tw.Off}},
			Row:    tw.CellConfig{Alignment: align},
		}))
	w.Header(t.Head)
	for _, row := range t.Rows {
		w.Append(row)
	}
	w.Render() // into memory: it cannot fail
	return b.String()
}

func (t *Table) left(i int) bool {
	return i < t.Left || slices.Contains(t.Also, i)
}

// Markdown returns the table in Markdown, which it escapes.
func (t *Table) Markdown() string { return escape.MarkdownTable(t.Head, t.Rows, t.left) }
