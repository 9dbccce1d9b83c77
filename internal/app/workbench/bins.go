package workbench

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	format "github.com/tskgraph/tskgraph/internal/data/table"
)

const (
	shownBars = 8 // of levels; the others are one bar
	leastBand = 5 // rows, from which on a bin has a mean
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
	Period  string   `json:"period,omitempty"` // of each bin of dates
	Levels  []string `json:"levels,omitempty"` // all, in their order, if there are as few as a category may have
}

// part is a bin or a bar: some of the rows. Its mean is nil where they are few; the band is two standard errors, of shares the interval
// of Wilson.
type part struct {
	Level string   `json:"level,omitempty"`
	From  string   `json:"from,omitempty"` // where a period begins
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
	place := p.numbers
	switch {
	case levels:
		place = p.levels
	case c.dates != nil:
		place = p.periods
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

// numbers makes the bins of numbers, and returns the bin of a number. A column of one number has one bin.
func (p *picture) numbers(c cells) func(float64) int {
	values := slices.DeleteFunc(slices.Clone(c.values), math.IsNaN)
	if len(values) == 0 {
		return func(float64) int { return -1 }
	}
	b := numeric.NewBins(values, min(numeric.MostBins, 5+int(math.Sqrt(float64(len(values))/2))))
	if b == nil {
		p.Low, p.High = slices.Min(values), slices.Max(values)
		p.From, p.Width, p.Bins = p.Low-0.5, 1, make([]part, 1)
		return func(float64) int { return 0 }
	}
	p.Bins = make([]part, len(b.Counts))
	p.From, p.Width = b.From, (b.To-b.From)/float64(len(p.Bins))
	p.Low, p.High = b.To, b.From
	for _, v := range values {
		if v >= b.From && v <= b.To {
			p.Low, p.High = min(p.Low, v), max(p.High, v)
		}
	}
	return b.Index
}

// period is what a bin of dates may be: some seconds or some months.
type period struct {
	name            string
	seconds, months int64
	layout          string // of its beginning
}

const (
	hour = 60 * 60
	day  = 24 * hour
	week = 7 * day

	monday    = 4 * day // 5 January 1970, a Monday
	toMinutes = "2006-01-02 15:04"

	mostPeriods   = 60
	fewestPeriods = 12 // that are not too many for few rows
	rowsOfPeriod  = 20 // on average, at least, of more
)

// periods are in ascending order.
var periods = []period{
	{"second", 1, 0, time.DateTime}, {"minute", 60, 0, toMinutes}, {"10 minutes", 600, 0, toMinutes}, {"hour", hour, 0, toMinutes},
	{"6 hours", 6 * hour, 0, toMinutes}, {"day", day, 0, time.DateOnly}, {"week", week, 0, time.DateOnly}, {"month", 0, 1, "2006-01"},
	{"quarter", 0, 3, "2006-01"}, {"year", 0, 12, "2006"}, {"10 years", 0, 120, "2006"}, {"100 years", 0, 1200, "2006"},
}

// of returns the number of the period that a time lies in, in seconds since 1970.
func (p period) of(v float64) int {
	switch {
	case p.months > 0:
		t := time.Unix(int64(v), 0).UTC()
		return (t.Year()*12 + int(t.Month()) - 1) / int(p.months)
	case p.seconds == week:
		v -= monday
	}
	return int(math.Floor(v / float64(p.seconds)))
}

// text returns the beginning of a period, of times of day without the date.
func (p period) text(number int) string {
	t := time.Date(0, time.Month(1+number*int(p.months)), 1, 0, 0, 0, 0, time.UTC)
	if p.months == 0 {
		t = time.Unix(int64(number)*p.seconds, 0).UTC()
	}
	if p.seconds == week {
		t = t.Add(monday * time.Second)
	}
	return strings.TrimPrefix(t.Format(p.layout), "0000-01-01 ")
}

// periods makes a bin of each period between most of the dates, and returns the bin of a date. The periods are the shortest of which there
// are not too many for the rows.
func (p *picture) periods(c cells) func(float64) int {
	values := slices.DeleteFunc(slices.Clone(c.values), math.IsNaN)
	if len(values) == 0 {
		return func(float64) int { return -1 }
	}
	low, high := numeric.Ends(values)
	most := max(fewestPeriods, min(mostPeriods, len(values)/rowsOfPeriod))
	at := slices.IndexFunc(periods, func(one period) bool { return one.of(high)-one.of(low) < most })
	if at < 0 {
		at = len(periods) - 1
	}
	of := periods[at]
	first := of.of(low)
	p.Period, p.Width, p.Bins = of.name, 1, make([]part, of.of(high)-first+1)
	p.High = float64(len(p.Bins))
	for i := range p.Bins {
		p.Bins[i].From = of.text(first + i)
	}
	return func(v float64) int { return max(of.of(v)-first, -1) }
}
