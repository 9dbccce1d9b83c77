package series

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Columns returns the columns of the samples.
func (h *History) Columns() []string { return h.samples }

func (h *History) columnsOf() []string {
	columns := []string{h.Spec.Time}
	if h.Spec.Series != "" {
		columns = append(columns, h.Spec.Series)
	}
	columns = append(columns, h.Spec.Features()...)
	for _, name := range []string{h.Spec.Target, h.Spec.Weight} {
		if _, ok := h.at[name]; ok && !slices.Contains(columns, name) {
			columns = append(columns, name)
		}
	}
	return columns
}

// Sample returns the cells of a sample in the order of Columns, and the line of its row. If a row of a lag is not there, missing is its
// column and time.
func (h *History) Sample(one *One, p int) (cells []string, line int, missing string) {
	now, there := one.rows[p]
	t := h.step.at(h.origin, p)
	stamp := h.layout.print(t)
	if there {
		t, stamp, line = now.time, now.cells[h.at[h.Spec.Time]], now.line
	}
	if cells = append(cells, stamp); h.Spec.Series != "" {
		cells = append(cells, one.Name)
	}
	for _, l := range h.Spec.Lags {
		for _, lag := range l.Steps {
			r := one.rows[p-lag]
			if r == nil {
				return nil, 0, fmt.Sprintf("%s of %s", escape.Quote(l.Column), h.layout.print(h.step.at(h.origin, p-lag)))
			}
			cells = append(cells, r.cells[h.at[l.Column]])
		}
	}
	for _, name := range h.Spec.Calendar {
		cells = append(cells, strconv.FormatFloat(calendar[name](t), 'g', -1, 64))
	}
	for _, name := range h.samples[len(cells):] {
		cell := ""
		if there {
			cell = now.cells[h.at[name]]
		}
		cells = append(cells, cell)
	}
	return cells, line, ""
}

// Forecast sets the target of a time after the last row with one.
func (h *History) Forecast(one *One, p int, target string) {
	r := one.rows[p]
	if r == nil {
		r = &row{cells: make([]string, len(h.columns)), time: h.step.at(h.origin, p)}
		r.cells[h.at[h.Spec.Time]] = h.layout.print(r.time)
		one.rows[p] = r
	}
	r.cells[h.at[h.Spec.Target]] = target
}

// Target returns the cell of the target of a time; empty if there is none.
func (h *History) Target(one *One, p int) string {
	if r := one.rows[p]; r != nil {
		return r.cells[h.at[h.Spec.Target]]
	}
	return ""
}

// Stamp returns the time stamp of a position.
func (h *History) Stamp(p int) string { return h.layout.print(h.step.at(h.origin, p)) }

// Samples are all samples of a history, in the order of time, those of one time in the order of the series.
type Samples struct {
	Columns []string
	Cells   [][]string // [N]
	Lines   []int      // [N]
	Clock   *Clock
}

// Clock says when the samples of a table are.
type Clock struct {
	Steps, Series []int    // [N] by the number of the row, from 1, less 1
	Times         []string // [N] the stamps
	Names         []string // of the series
	Start, Left   int      // samples that are left out: at the beginning, before which nothing is known, and after gaps
	Notes         []string
}

func (h *History) newClock() *Clock {
	c := &Clock{}
	for _, one := range h.Series {
		c.Names = append(c.Names, one.Name)
	}
	return c
}

func (c *Clock) add(step, series int, stamp string) {
	c.Steps, c.Series, c.Times = append(c.Steps, step), append(c.Series, series), append(c.Times, stamp)
}

// Clock returns when the rows of the table are, in their order.
func (h *History) Clock() *Clock {
	type place struct{ line, at, series int }
	var all []place
	for i, one := range h.Series {
		for at, r := range one.rows {
			all = append(all, place{r.line, at, i})
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.line, b.line) })
	c := h.newClock()
	for _, p := range all {
		c.add(p.at, p.series, h.Series[p.series].rows[p.at].cells[h.at[h.Spec.Time]])
	}
	return c
}

// Samples returns the samples of all rows up to the horizon after the last target; if learn is set, up to the last target.
func (h *History) Samples(learn bool) (*Samples, error) {
	s := &Samples{Columns: h.Columns(), Clock: h.newClock()}
	type place struct{ series, at int }
	var places []place
	longest := 0
	for i, one := range h.Series {
		last := one.End
		if !learn {
			last += h.Spec.Horizon
		}
		longest = max(longest, one.Last-one.First+1)
		for p := one.First; p <= min(last, one.Last); p++ {
			if one.rows[p] != nil {
				places = append(places, place{i, p})
			}
			if p-one.First > len(one.rows)*1000 {
				return nil, fault("data.time", "more than 1000 times as many steps of %s as rows: correct the stamps", h.step.words(1))
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for _, at := range places {
		one := h.Series[at.series]
		cells, line, missing := h.Sample(one, at.at)
		switch {
		case missing == "":
			s.Cells, s.Lines = append(s.Cells, cells), append(s.Lines, line)
			s.Clock.add(at.at, at.series, cells[0])
		case at.at-h.Spec.longest() < one.First:
			s.Clock.Start++
		default:
			s.Clock.Left++
		}
	}
	if len(s.Cells) == 0 {
		return nil, fault("data.lags", "the longest lag is %d steps, and the longest series has %d: no sample is left: give more rows%s",
			h.Spec.longest(), longest, h.ofTraining(", or shorter lags"))
	}
	s.Clock.Notes = h.notes(s.Clock)
	return s, nil
}

// mostGaps is the largest number of gaps that notes name.
const mostGaps = 5

// notes say what was found in the table.
func (h *History) notes(c *Clock) []string {
	notes := []string{fmt.Sprintf("a step is %s; the first %d rows do not have %s before them and are not samples", h.step.words(1), c.Start,
		h.step.words(h.Spec.longest()))}
	var named []string
	count, steps := 0, 0
	for _, one := range h.Series {
		for _, g := range one.Gaps {
			if count++; count <= mostGaps {
				named = append(named, fmt.Sprintf("%s after %s (line %d)", h.step.words(g.Steps), escape.Text(g.After), g.Line))
			}
			steps += g.Steps
		}
	}
	if count > 0 {
		if count > mostGaps {
			named = append(named, fmt.Sprintf("%d more", count-mostGaps))
		}
		notes = append(notes, fmt.Sprintf("gaps in time, of %s in all: %s; %d rows whose lags fall in a gap are not samples", h.step.words(steps),
			strings.Join(named, ", "), c.Left))
	}
	return notes
}
