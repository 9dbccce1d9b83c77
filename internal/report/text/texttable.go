package text

import (
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// NewTable returns a table that renders to w. It aligns the first left columns and those with
// the further indices to the left, and the others to the right.
func NewTable(w io.Writer, left int, further ...int) *tablewriter.Table {
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
