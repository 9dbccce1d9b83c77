package figures

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

const bins = 25

// addHistogram draws how the values in a range lie, the highest bar at 1.
func addHistogram(p *plot.Plot, c column, values []float64, low, high float64) error {
	n := bins
	if c.levels != nil {
		n = len(c.levels)
	}
	counts := make([]float64, n)
	most := 1.0
	for _, v := range values {
		if v < low || v > high {
			continue
		}
		k := min(n-1, int((v-low)/(high-low)*float64(n)))
		counts[k]++
		most = max(most, counts[k])
	}
	width := (high - low) / float64(n)
	for k, count := range counts {
		if count == 0 {
			continue
		}
		left, right, top := low+float64(k)*width, low+float64(k+1)*width, count/most
		bar, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: 0}, {X: left, Y: top}, {X: right, Y: top}, {X: right, Y: 0}})
		if err != nil {
			return err
		}
		bar.Color, bar.LineStyle.Width = bars, 0
		p.Add(bar)
	}
	return nil
}
