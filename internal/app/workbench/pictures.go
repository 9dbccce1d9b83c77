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
	mostDistinct = 1000   // levels of a column that are told apart
)

// reading says how the cells of a column are read.
type reading struct {
	Name   string   `json:"name"`
	Levels bool     `json:"levels"` // as categories
	NA     []string `json:"na"`     // marks of missing cells
}

// pictured is the result of pictures.
type pictured struct {
	Rows    int       `json:"rows"`
	Drawn   int       `json:"drawn"`           // rows that the pictures are of
	Class   string    `json:"class,omitempty"` // whose share is the mean of a target of classes
	Classes int       `json:"classes,omitempty"`
	Columns []picture `json:"columns"`
}

// cells are those of a column in the rows drawn: numbers, or the places of levels. NaN is a missing cell.
type cells struct {
	values []float64
	levels []string
	met    map[string]int
}

// add adds a cell, or puts it in the place of another row.
func (c *cells) add(v float64, at int) {
	if at == len(c.values) {
		c.values = append(c.values, v)
	} else {
		c.values[at] = v
	}
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
		y, p.Class, p.Classes = of[last].oneOf()
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
			v, cell := math.NaN(), strings.TrimSpace(t.Cell(at[i]))
			switch {
			case format.IsMissing(cell) || slices.Contains(c.NA, cell):
			case c.Levels:
				v = of[i].level(cell)
			default:
				if number, ok := t.Number(cell); ok && !marked(number, c.NA, t) {
					v = number
				}
			}
			of[i].add(v, place)
		}
	}
	if !errors.Is(err, io.EOF) {
		return 0, err
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

// oneOf returns 1 for each cell of a level and 0 for the others, and the level: of two the second, of more the most frequent.
func (c cells) oneOf() (y []float64, class string, classes int) {
	order := c.inOrder()
	if len(order) == 0 {
		return c.values, "", 0
	}
	chosen := order[0].level
	if len(c.levels) == 2 && c.levels[chosen] < c.levels[1-chosen] {
		chosen = 1 - chosen
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
	return y, c.levels[chosen], len(c.levels)
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
