package plot

import (
	"image/color"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// multiples arranges panels in rows of some columns, below a legend.
func multiples(panels []*gonum.Plot, columns int, panelHeight vg.Length, l legend) *Figure {
	grid := inRows(panels, columns)
	above := l.height()
	return &Figure{
		width: Width, height: above + vg.Length(len(grid))*panelHeight,
		draw: func(whole draw.Canvas) {
			fill(whole)
			l.draw(draw.Crop(whole, 0, 0, whole.Max.Y-whole.Min.Y-above, 0))
			below := draw.Crop(whole, vg.Millimeter, -2*vg.Millimeter, vg.Millimeter, -above-vg.Millimeter)
			drawGrid(grid, below, 2.5*vg.Millimeter, 2*vg.Millimeter)
		},
	}
}

// inRows splits panels into rows of some columns; nil pads the last row.
func inRows(panels []*gonum.Plot, columns int) [][]*gonum.Plot {
	grid := make([][]*gonum.Plot, (len(panels)+columns-1)/columns)
	for i := range grid {
		grid[i] = make([]*gonum.Plot, columns)
		copy(grid[i], panels[i*columns:])
	}
	return grid
}

// fill fills a canvas with white.
func fill(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
}

// drawGrid draws rows of panels with aligned axes and gaps between columns and rows.
func drawGrid(grid [][]*gonum.Plot, c draw.Canvas, between, below vg.Length) {
	tiles := draw.Tiles{Rows: len(grid), Cols: len(grid[0]), PadX: between, PadY: below}
	for r, canvases := range gonum.Align(grid, tiles, c) {
		for k, canvas := range canvases {
			if grid[r][k] != nil {
				grid[r][k].Draw(canvas)
			}
		}
	}
}
