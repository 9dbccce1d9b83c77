// Package texttable sets the tables of the terminal: headers as they are written,
// columns of words aligned to the left, columns of numbers to the right.
package texttable

import (
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// New returns a table that is written to w when it is rendered. Its first left
// columns are aligned to the left, as are those of the further indices; the others
// are aligned to the right.
func New(w io.Writer, left int, further ...int) *tablewriter.Table {
	align := tw.CellAlignment{Global: tw.AlignRight}
	for range left {
		align.PerColumn = append(align.PerColumn, tw.AlignLeft)
	}
	for _, i := range further {
		for len(align.PerColumn) < i {
			align.PerColumn = append(align.PerColumn, tw.AlignRight)
		}
		align.PerColumn = append(align.PerColumn, tw.AlignLeft)
	}
	return tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint()),
		tablewriter.WithConfig(tablewriter.Config{
			Header: tw.CellConfig{Alignment: align, Formatting: tw.CellFormatting{AutoFormat: tw.Off}},
			Row:    tw.CellConfig{Alignment: align},
		}))
}
