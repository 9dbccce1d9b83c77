package data

import (
	"slices"
	"strings"
	"time"
)

// datesBy is the largest number of cells other than numbers that a column has before its first date; dates are not
// looked for after them.
const datesBy = 1000

// dateLayouts are the known layouts of dates: with the month before the day where the layout is ambiguous, and with the
// day before the month.
var dateLayouts = func() (orders [2][]string) {
	fixed := []string{"2006-1-2", "2006/1/2", "2.1.2006", "2.1.06", "2-Jan-2006", "2 Jan 2006", "Jan 2, 2006", "January 2, 2006"}
	clock := []string{"", " 15:04", " 15:04:05", "T15:04", "T15:04:05", " 3:04 PM", " 3:04:05 PM"}
	for i, open := range [][]string{{"1/2/2006", "1/2/06", "1-2-2006"}, {"2/1/2006", "2/1/06", "2-1-2006"}} {
		orders[i] = []string{time.RFC3339, "2006-01", "15:04", "15:04:05", "15.04.05"}
		for _, day := range append(open, fixed...) {
			for _, at := range clock {
				orders[i] = append(orders[i], day+at)
			}
		}
	}
	return orders
}()

// dates describes the dates of a column so far, read in each order of month and day that fits all of them.
type dates struct{ orders [2]dateOrder }

type dateOrder struct {
	wrong, falls bool // a date has no such day or month; one is before that above it
	latest       time.Time
	layout       string // of the latest, which is tried first
}

// parse reads a cell as a date or a time of day, by the layout of the one before if it can.
func (o *dateOrder) parse(cell string, layouts []string) (time.Time, bool) {
	if len(cell) < 4 || len(cell) > 35 || !strings.ContainsAny(cell, "0123456789") || !strings.ContainsAny(cell, "-/.: ") { // as all layouts do
		return time.Time{}, false
	}
	if when, err := time.Parse(o.layout, cell); err == nil && o.layout != "" {
		return when, true
	}
	for _, layout := range layouts {
		if when, err := time.Parse(layout, cell); err == nil {
			o.layout = layout
			return when, true
		}
	}
	return time.Time{}, false
}

// see reports whether a cell is a date.
func (d *dates) see(cell string) bool {
	var read [2]time.Time
	var ok [2]bool
	for i := range d.orders {
		o := &d.orders[i]
		read[i], ok[i] = o.parse(cell, dateLayouts[i])
	}
	if !ok[0] && !ok[1] {
		return false
	}
	for i := range d.orders {
		o := &d.orders[i]
		o.wrong = o.wrong || !ok[i]
		o.falls = o.falls || !o.latest.IsZero() && read[i].Before(o.latest)
		o.latest = read[i]
	}
	return true
}

// rise reports whether no date is before that above it, in an order that fits all of them.
func (d *dates) rise() bool {
	return slices.ContainsFunc(d.orders[:], func(o dateOrder) bool { return !o.wrong && !o.falls })
}
