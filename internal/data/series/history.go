package series

import (
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// History is a table of time stamps: its rows by series and time.
type History struct {
	Spec   Spec // with the step
	Series []*One

	Delimiter byte // of the table, if it is delimited text

	trained bool // a model reads the table: its Spec has the step
	columns []string
	samples []string       // Columns
	at      map[string]int // column by name
	origin  time.Time
	step    step
	layout  layout
}

// One is a series.
type One struct {
	Name        string // the cell of data.series
	First, Last int    // positions of its rows, in steps from the origin of the history
	End         int    // position of the last row with a target; First-1 without one
	Gaps        []Gap
	rows        map[int]*row
}

// Gap is a run of steps without rows.
type Gap struct {
	Line  int    // of the row after it
	After string // the stamp before it
	Steps int
}

// ofTraining returns a remedy for the table of a training, and none for one that a model reads.
func (h *History) ofTraining(remedy string) string {
	if h.trained {
		return ""
	}
	return remedy
}

type row struct {
	line  int
	cells []string
	time  time.Time
}

// New reads a history from rows that next returns, with their lines, until it returns nil cells or an error. A table whose stamps do not
// ascend in steps is a *Fault.
func New(spec Spec, columns []string, next func() (cells []string, line int, err error)) (*History, error) {
	h := &History{Spec: spec, columns: columns, trained: spec.Step != ""}
	var err error
	if h.at, err = spec.find(columns); err != nil {
		return nil, err
	}
	bySeries, order := map[string][]*row{}, []string(nil)
	for {
		cells, line, err := next()
		if err != nil {
			return nil, err
		}
		if cells == nil {
			break
		}
		name := ""
		if spec.Series != "" {
			name = cells[h.at[spec.Series]]
		}
		if bySeries[name] == nil {
			order = append(order, name)
		}
		bySeries[name] = append(bySeries[name], &row{line: line, cells: cells})
	}
	if len(order) == 0 {
		return nil, fault("", "the table has a header but no rows")
	}
	rows := make([][]*row, len(order))
	for i, name := range order {
		rows[i] = bySeries[name]
	}
	if err := h.readTimes(rows); err != nil {
		return nil, err
	}
	for i, name := range order {
		one, err := h.place(name, rows[i])
		if err != nil {
			return nil, err
		}
		h.Series = append(h.Series, one)
	}
	return h, nil
}

// readTimes finds the format and the step of the stamps. Of formats that fit all stamps, such as 03/04/2024, it is the first of regular
// steps.
func (h *History) readTimes(series [][]*row) error {
	var first error
	best, wrong := -1, (*row)(nil)
	for _, l := range layouts {
		read, at := h.parse(l, series)
		if at != nil {
			if read > best {
				best, wrong = read, at
			}
			continue
		}
		err := h.findSteps(l, series)
		if err == nil {
			h.Spec.Step = h.step.String()
			h.samples = h.columnsOf()
			return nil
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		return first
	}
	f := fault("data.time", "column %s: %s is no time stamp in the format of the others: write such as 2024-03-31 13:00, 2024-03-31, "+
		"2024-03, 2024-Q1 or 2024", escape.Quote(h.Spec.Time), escape.Quote(wrong.cells[h.at[h.Spec.Time]]))
	f.Line = wrong.line
	return f
}

// parse reads all stamps in a format; it returns how many it read, and the first row that has another.
func (h *History) parse(l layout, series [][]*row) (read int, wrong *row) {
	for _, rows := range series {
		for _, r := range rows {
			t, err := l.parse(strings.TrimSpace(r.cells[h.at[h.Spec.Time]]))
			if err != nil {
				return read, r
			}
			r.time = t
			read++
		}
	}
	return read, nil
}

// findSteps finds the step, and checks that all rows are in steps from the first, and ascend.
func (h *History) findSteps(l layout, series [][]*row) error {
	times := make([][]time.Time, len(series))
	for i, rows := range series {
		for _, r := range rows {
			times[i] = append(times[i], r.time)
		}
	}
	h.layout, h.step = l, parseStep(h.Spec.Step)
	if h.Spec.Step == "" {
		ok := false
		if h.step, ok = findStep(times); !ok {
			return fault("data.time", "column %s: no step is found in the time stamps of %d rows: want at least two rows of a series, in ascending "+
				"order", escape.Quote(h.Spec.Time), len(times[0]))
		}
	}
	h.origin = times[0][0]
	for _, all := range times {
		for _, t := range all {
			if t.Before(h.origin) {
				h.origin = t
			}
		}
	}
	for _, rows := range series {
		for i, r := range rows {
			if f := h.checkRow(rows, i); f != nil {
				f.Line = r.line
				return f
			}
		}
	}
	return nil
}

// checkRow refuses a stamp that is not in steps, or not after the one before.
func (h *History) checkRow(rows []*row, i int) *Fault {
	r, name := rows[i], escape.Quote(h.Spec.Time)
	stamp := escape.Quote(r.cells[h.at[h.Spec.Time]])
	if i > 0 && !r.time.After(rows[i-1].time) {
		before, apart := rows[i-1], h.ofTraining(", or name the column of the series in data.series")
		if r.time.Equal(before.time) {
			return fault("data.time", "column %s: %s is the time of line %d, too: leave one of them out%s", name, stamp, before.line, apart)
		}
		return fault("data.time", "column %s: %s comes after %s in line %d: sort the rows by time%s", name, stamp,
			escape.Quote(before.cells[h.at[h.Spec.Time]]), before.line, apart)
	}
	if _, whole := h.step.position(h.origin, r.time); !whole {
		return fault("data.time", "column %s: %s is not in steps of %s from the first, %s: give the rows a regular step", name, stamp,
			h.step.words(1), escape.Quote(h.layout.print(h.origin)))
	}
	return nil
}

// place finds the positions of the rows of a series, and its gaps.
func (h *History) place(name string, rows []*row) (*One, error) {
	one := &One{Name: name, rows: make(map[int]*row, len(rows))}
	target, known := h.at[h.Spec.Target]
	for i, r := range rows {
		p, _ := h.step.position(h.origin, r.time)
		if i == 0 {
			one.First, one.End = p, p-1
		} else if missing := p - one.Last - 1; missing > 0 {
			one.Gaps = append(one.Gaps, Gap{r.line, rows[i-1].cells[h.at[h.Spec.Time]], missing})
		}
		one.rows[p], one.Last = r, p
		if known && !h.Spec.Blank(r.cells[target]) {
			one.End = p
		}
	}
	if !known {
		one.End = one.Last
	}
	return one, nil
}
