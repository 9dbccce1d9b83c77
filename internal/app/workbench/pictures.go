package workbench

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	format "github.com/tskgraph/tskgraph/internal/data/table"
)

const (
	mostPictures = 64     // columns of a call
	mostDrawn    = 50_000 // rows, at most, that pictures are of; of more, a random sample
	mostDistinct = 1000   // levels of a column that are counted one by one
)

// reading says how the cells of a column are read.
type reading struct {
	Name   string   `json:"name"`
	Levels bool     `json:"levels"` // as categories
	Dates  bool     `json:"dates"`  // as dates or times of day
	NA     []string `json:"na"`     // marks of missing cells
}

// pictured is the result of pictures.
type pictured struct {
	Rows    int       `json:"rows"`
	Drawn   int       `json:"drawn"`           // rows that the pictures are of
	Class   string    `json:"class,omitempty"` // whose share is the mean of a target of classes
	Classes []string  `json:"classes,omitempty"`
	Columns []picture `json:"columns"`
}

// cells are those of a column in the rows drawn: numbers, the places of levels, or seconds since 1970. NaN is a missing cell.
type cells struct {
	values []float64
	levels []string
	met    map[string]int
	dates  *format.Dates // nil for a column of something else
	others []float64     // of dates, with the day first
}

// add adds a cell, or puts it in the place of another row; a date with the month first, and with the day first.
func (c *cells) add(v [2]float64, at int) {
	if setCell(&c.values, v[0], at); c.dates != nil {
		setCell(&c.others, v[1], at)
	}
}

// setCell sets the value at a place, which may be the next one.
func setCell(values *[]float64, v float64, at int) {
	if at == len(*values) {
		*values = append(*values, v)
	} else {
		(*values)[at] = v
	}
}

// date returns the seconds of a date on the clock by which it is written, with the month first and with the day first.
func (c *cells) date(cell string) (seconds [2]float64) {
	read, _ := c.dates.Read(cell)
	for i, t := range read {
		if seconds[i] = math.NaN(); !t.IsZero() {
			_, east := t.Zone()
			seconds[i] = float64(t.Unix() + int64(east))
		}
	}
	return seconds
}

// level returns the place of a level, of which there are mostDistinct and one for all others.
func (c *cells) level(cell string) float64 {
	at, met := c.met[cell]
	if !met {
		if at = len(c.levels); at == mostDistinct {
			return mostDistinct
		}
		if c.met == nil {
			c.met = map[string]int{}
		}
		cell = strings.Clone(cell) // not to keep the whole block
		c.met[cell], c.levels = at, append(c.levels, cell)
	}
	return float64(at)
}

// answerPictures draws columns beside a target, in one pass over the table and memory for mostDrawn rows.
func answerPictures(c call) (any, error) {
	var asked struct {
		Table   string    `json:"table"`
		Target  reading   `json:"target"`
		Class   string    `json:"class"` // whose share is the mean of a target of classes; empty: one that is chosen
		Columns []reading `json:"columns"`
	}
	if err := c.decode(&asked); err != nil {
		return nil, err
	}
	if len(asked.Columns) > mostPictures {
		return nil, message.Usagef("columns: at most %d in a call", mostPictures)
	}
	t, err := find(c.Bench, asked.Table)
	if err != nil {
		return nil, err
	}
	all, p := append(asked.Columns, asked.Target), &pictured{Columns: []picture{}}
	of := make([]cells, len(all))
	if t.builtin != "" {
		p.Rows, err = cellsOfBuiltin(t.builtin, all, of)
	} else {
		p.Rows, err = cellsOf(c.ctx, t.path, all, of)
	}
	if err != nil {
		return nil, err
	}
	last := len(all) - 1
	p.Drawn = len(of[last].values)
	y := of[last].values
	if asked.Target.Levels {
		if y, p.Class, p.Classes = of[last].oneOf(asked.Class); asked.Class != "" && asked.Class != p.Class {
			return nil, message.Usagef("class: the target has no class %q", asked.Class)
		}
	}
	for i, column := range asked.Columns {
		one := picture{Name: column.Name}
		if column.Name == asked.Target.Name {
			y := slices.Repeat([]float64{math.NaN()}, len(y)) // of itself it says nothing
			one.draw(of[i], column.Levels, y, false)
		} else {
			one.draw(of[i], column.Levels, y, asked.Target.Levels)
		}
		p.Columns = append(p.Columns, one)
	}
	return p, nil
}

// cellsOf reads columns of a table, and counts its rows.
func cellsOf(ctx context.Context, path string, columns []reading, of []cells) (rows int, err error) {
	t, err := format.OpenTable(format.Input{Name: path, Context: ctx}, "auto")
	if err != nil {
		return 0, err
	}
	defer t.Close()
	at := make([]int, len(columns))
	for i, c := range columns {
		if at[i] = slices.Index(t.Header.Names, c.Name); at[i] < 0 {
			return 0, message.Usagef("columns: the table has no column %q", c.Name)
		}
		if c.Dates {
			of[i].dates = new(format.Dates)
		}
	}
	random := rand.New(rand.NewPCG(1, 0))
	for err = t.Next(); err == nil; err = t.Next() {
		place := t.Row - 1
		if place >= mostDrawn {
			place = random.IntN(t.Row)
		}
		for i, c := range columns {
			if place >= mostDrawn {
				break
			}
			v, cell := [2]float64{math.NaN(), math.NaN()}, strings.TrimSpace(t.Cell(at[i]))
			switch {
			case format.IsMissing(cell) || slices.Contains(c.NA, cell):
			case c.Levels:
				v[0] = of[i].level(cell)
			case c.Dates:
				v = of[i].date(cell)
			default:
				if number, ok := t.Number(cell); ok && !marked(number, c.NA, t) {
					v[0] = number
				}
			}
			of[i].add(v, place)
		}
	}
	if !errors.Is(err, io.EOF) {
		return 0, err
	}
	for i := range of {
		if of[i].dates != nil && of[i].dates.DayFirst() {
			of[i].values = of[i].others
		}
	}
	return t.Row, nil
}

// marked reports whether a number is written otherwise among the marks of missing cells, such as -999.0 for -999.
func marked(v float64, na []string, t *format.Cursor) bool {
	return slices.ContainsFunc(na, func(mark string) bool {
		number, ok := t.Number(mark)
		return ok && number == v
	})
}

// cellsOfBuiltin takes columns of a built-in table.
func cellsOfBuiltin(name string, columns []reading, of []cells) (rows int, err error) {
	d, _, err := data.Builtin(name)
	if err != nil {
		return 0, err
	}
	for i, c := range columns {
		at := slices.IndexFunc(d.Schema.Columns, func(column data.Column) bool { return column.Name == c.Name })
		switch {
		case at >= 0:
			for _, row := range d.X {
				of[i].values = append(of[i].values, row[at])
			}
		case c.Name == d.Schema.Target:
			of[i].values, of[i].levels = d.Y, d.Schema.Classes
		default:
			return 0, message.Usagef("columns: the table has no column %q", c.Name)
		}
	}
	return d.Len(), nil
}

// oneOf returns 1 for each cell of a class and 0 for the others, the class, and all of them, the most frequent first: the class that is
// wanted or, if there is none such, of two the second, of more the most frequent.
func (c cells) oneOf(wanted string) (y []float64, class string, classes []string) {
	order := c.inOrder()
	if len(order) == 0 {
		return c.values, "", nil
	}
	chosen := order[0].level
	if len(c.levels) == 2 && c.levels[chosen] < c.levels[1-chosen] {
		chosen = 1 - chosen
	}
	for _, one := range order {
		if classes = append(classes, c.levels[one.level]); c.levels[one.level] == wanted {
			chosen = one.level
		}
	}
	for _, v := range c.values {
		switch {
		case v != v:
			y = append(y, v)
		case v == float64(chosen):
			y = append(y, 1)
		default:
			y = append(y, 0)
		}
	}
	return y, c.levels[chosen], classes
}

// counted is a level and the cells that have it.
type counted struct{ level, cells int }

// inOrder returns the levels, the most frequent first; that of all others is none of them.
func (c cells) inOrder() []counted {
	all := make([]counted, len(c.levels))
	for i := range all {
		all[i].level = i
	}
	for _, v := range c.values {
		if v < float64(len(all)) {
			all[int(v)].cells++
		}
	}
	slices.SortFunc(all, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.cells, a.cells), strings.Compare(c.levels[a.level], c.levels[b.level]))
	})
	return all
}
