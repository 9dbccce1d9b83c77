package workbench

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	format "github.com/tskgraph/tskgraph/internal/data/table"
)

const (
	mostBins   = 24   // of numbers
	shownBars  = 8    // of levels; the others are one bar
	leastBand  = 5    // rows, from which on a bin has a mean
	farTail    = 0.25 // of the range between the outer quantiles, beyond which an end of the axis is at its quantile
	outerShare = 200  // one in how many cells is beyond each of the outer quantiles
)

// picture is a histogram of a column, or a bar for each level, with the mean target of each bin and its band.
type picture struct {
	Name    string   `json:"name"`
	From    float64  `json:"from"` // of the first bin of numbers
	Width   float64  `json:"width"`
	Low     float64  `json:"low"` // number in the bins
	High    float64  `json:"high"`
	Bins    []part   `json:"bins"`
	Below   int      `json:"below,omitempty"` // cells below the first bin
	Above   int      `json:"above,omitempty"`
	Missing *part    `json:"missing,omitempty"`
	Others  *part    `json:"others,omitempty"` // of all levels that have no bar
	Levels  []string `json:"levels,omitempty"` // all, in their order, if there are as few as a category may have
}

// part is a bin or a bar: some of the rows. Its mean is nil where they are few; the band is two standard errors, of shares the interval
// of Wilson.
type part struct {
	Level string   `json:"level,omitempty"`
	Rows  int      `json:"rows"`
	Mean  *float64 `json:"mean,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`

	known, mean, squares float64 // rows with a target; sum of squared differences from the mean
}

// add counts a row.
func (b *part) add(y float64) {
	b.Rows++
	if y == y {
		b.known++
		before := y - b.mean
		b.mean += before / b.known
		b.squares += before * (y - b.mean)
	}
}

// conclude finds the mean and the band.
func (b *part) conclude(share bool) {
	if b == nil || b.known < leastBand {
		return
	}
	centre, half := b.mean, 2*math.Sqrt(b.squares/(b.known-1)/b.known)
	if share {
		z := 4 / b.known
		centre, half = (b.mean+z/2)/(1+z), 2*math.Sqrt(b.mean*(1-b.mean)/b.known+1/(b.known*b.known))/(1+z)
	}
	b.Mean, b.Low, b.High = numeric.OrNil(b.mean), numeric.OrNil(centre-half), numeric.OrNil(centre+half)
}

// draw fills the bins with the cells of a column and the target y, which is 0 or 1 for a share. NaN is a missing target.
func (p *picture) draw(c cells, levels bool, y []float64, share bool) {
	levels = levels || c.levels != nil
	place := p.levels
	if !levels {
		place = p.numbers
	}
	bin := place(c)
	for i, v := range c.values {
		to := &p.Missing
		if v == v {
			at := bin(v)
			switch {
			case at == -1:
				p.Below++
				continue
			case at >= 0 && at < len(p.Bins):
				p.Bins[at].add(y[i])
				continue
			case !levels:
				p.Above++
				continue
			}
			to = &p.Others
		}
		if *to == nil {
			*to = new(part)
		}
		(*to).add(y[i])
	}
	for i := range p.Bins {
		p.Bins[i].conclude(share)
	}
	p.Missing.conclude(share)
	p.Others.conclude(share)
}

// levels makes a bin of each of the most frequent levels, and returns the bin of a level.
func (p *picture) levels(c cells) func(float64) int {
	order, at := c.inOrder(), map[float64]int{}
	for i, one := range order[:min(len(order), shownBars)] {
		p.Bins = append(p.Bins, part{Level: c.levels[one.level]})
		at[float64(one.level)] = i
	}
	if len(c.levels) <= format.MaxFoundLevels {
		p.Levels = slices.Clone(c.levels)
		slices.SortFunc(p.Levels, byValue)
	}
	return func(v float64) int {
		if i, shown := at[v]; shown {
			return i
		}
		return len(p.Bins)
	}
}

// byValue orders levels, those that are numbers by value.
func byValue(a, b string) int {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX != nil || errY != nil || x == y || x != x || y != y:
		return strings.Compare(a, b)
	case x < y:
		return -1
	}
	return 1
}

// numbers makes the bins of numbers, and returns the bin of a number; -1: below the first. An end of the axis is at the outer quantile if
// cells lie far beyond it. Of numbers on a grid, such as whole ones, all bins have as many places.
func (p *picture) numbers(c cells) func(float64) int {
	sorted := slices.DeleteFunc(slices.Clone(c.values), math.IsNaN)
	if len(sorted) == 0 {
		return func(float64) int { return -1 }
	}
	slices.Sort(sorted)
	last := len(sorted) - 1
	first, end := sorted[len(sorted)/outerShare], sorted[last-len(sorted)/outerShare]
	low, high, far := sorted[0], sorted[last], farTail*(end-first)
	if low < first-far {
		low = first
	}
	if high > end+far {
		high = end
	}
	within := slices.DeleteFunc(sorted, func(v float64) bool { return v < low || v > high })
	bins := max(5, min(mostBins, int(math.Sqrt(float64(len(within)))/2)))
	p.From, p.Width = low, high/float64(bins)-low/float64(bins)
	if step := stepOf(within); step > 0 {
		places := math.Round((high-low)/step) + 1
		p.Width = step * math.Ceil(places/mostBins)
		p.From, bins = low-step/2, int(math.Ceil(places*step/p.Width-1e-9))
	} else if !(p.Width > 0) { // one number, or two that are too near
		p.From, p.Width, bins = low-0.5, 1, 1
	}
	p.Low, p.High, p.Bins = low, high, make([]part, bins)
	return func(v float64) int {
		switch {
		case v < low:
			return -1
		case v > high:
			return bins
		}
		return max(0, min(bins-1, int(math.Floor(v/p.Width-p.From/p.Width))))
	}
}

// stepOf returns the largest step of a grid that sorted numbers lie on, if it has at most a few decimals and places; else 0.
func stepOf(sorted []float64) float64 {
	const mostDecimals, mostPlaces = 4, 2000
	low, high := sorted[0], sorted[len(sorted)-1]
	for scale := 1.0; scale <= math.Pow10(mostDecimals); scale *= 10 {
		if (high-low)*scale > mostPlaces*1000 {
			return 0
		}
		common, fits := 0, true
		for i := 1; i < len(sorted) && fits; i++ {
			places := (sorted[i] - low) * scale
			whole := math.Round(places)
			fits = math.Abs(places-whole) < 1e-6*max(1, scale)
			common = divisor(int(whole), common)
		}
		if step := float64(common) / scale; fits && common > 0 {
			if (high-low)/step > mostPlaces {
				return 0
			}
			return step
		}
	}
	return 0
}

// divisor returns the greatest common divisor.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
