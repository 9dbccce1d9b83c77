package plot

import (
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

const bins = 25

// addHistogram draws a histogram of the values in a range, from a bottom to a height above it.
func addHistogram(p *gonum.Plot, values []float64, low, high, bottom, height float64) error {
	counts := make([]float64, bins)
	most := 1.0
	for _, v := range values {
		if v < low || v > high {
			continue
		}
		k := min(bins-1, int((v-low)/(high-low)*bins))
		counts[k]++
		most = max(most, counts[k])
	}
	width := (high - low) / bins
	for k, count := range counts {
		if err := addBar(p, low+float64(k)*width, low+float64(k+1)*width, bottom, float64(height*count/most)); err != nil {
			return err
		}
	}
	return nil
}

// addBar draws a bar of a histogram; nothing for height 0.
func addBar(p *gonum.Plot, left, right, bottom, height float64) error {
	if height == 0 {
		return nil
	}
	bar, err := plotter.NewPolygon(plotter.XYs{{X: left, Y: bottom}, {X: left, Y: bottom + height}, {X: right, Y: bottom + height}, {X: right, Y: bottom}})
	if err != nil {
		return err
	}
	bar.Color, bar.LineStyle.Width = bars, 0
	p.Add(bar)
	return nil
}
