package workbench

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

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
