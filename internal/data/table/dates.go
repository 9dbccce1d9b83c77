package table

import (
	"slices"
	"strings"
	"time"
)

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

// Dates reads the cells of a column as dates or times of day, in each order of month and day.
type Dates struct{ orders [2]dateOrder }

type dateOrder struct {
	wrong, falls bool // a date has no such day or month; one is before that above it
	latest       time.Time
	layout       string // of the latest, which is tried first
}

// parse reads a cell as a date or a time of day, by the layout of the one before if it can.
func (o *dateOrder) parse(cell string, layouts []string) (time.Time, bool) {
	// as all layouts do
	if len(cell) < 4 || len(cell) > 35 || !strings.ContainsAny(cell, "0123456789") || !strings.ContainsAny(cell, "-/.: ") {
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

// Read reads a cell with the month first and with the day first, which differ where its layout is ambiguous, and reports whether it is a
// date in either; the time is zero in an order in which it is none. A time of day is one of year 0.
func (d *Dates) Read(cell string) (read [2]time.Time, is bool) {
	var ok [2]bool
	for i := range d.orders {
		read[i], ok[i] = d.orders[i].parse(cell, dateLayouts[i])
	}
	if !ok[0] && !ok[1] {
		return read, false
	}
	for i := range d.orders {
		o := &d.orders[i]
		o.wrong = o.wrong || !ok[i]
		o.falls = o.falls || !o.latest.IsZero() && read[i].Before(o.latest)
		o.latest = read[i]
	}
	return read, true
}

// Rise reports whether no date is before that above it, in an order that fits all of them.
func (d *Dates) Rise() bool {
	return slices.ContainsFunc(d.orders[:], func(o dateOrder) bool { return !o.wrong && !o.falls })
}

// DayFirst reports whether only the order with the day first fits all dates or, if both do, only in it they rise.
func (d *Dates) DayFirst() bool {
	month, day := d.orders[0], d.orders[1]
	return !day.wrong && (month.wrong || month.falls && !day.falls)
}
