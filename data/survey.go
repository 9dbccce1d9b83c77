package data

import (
	"hash/maphash"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Survey is what a look at a table finds, before anything is decided about it.
type Survey struct {
	Rows     int
	Columns  []Profile // in the order of the table, those without a name aside
	Nameless int       // columns without a name
}

// Profile says what the cells of a column are. A cell is missing, a number, a word (it begins with a letter), or
// something else.
type Profile struct {
	Name    string
	Missing int
	Numbers int // the counts are of cells
	Words   int
	Others  int
	Dates   int // of the words and others, those that read as a date or a time
	Marked  int // of the others, those that would be numbers without thousands separators, or with a point for a comma

	Distinct  int      // different cells, missing ones aside; beyond MaxDistinct they are not counted
	Values    []string // the first of them, at most 5
	Low, High End      // of the numbers
	Mean      float64  // likewise; not finite if their sum is not
	Integers  bool     // all numbers are whole
	Rising    bool     // numbers, or dates, never fall from row to row
	Steps     bool     // numbers rise by one from row to row, none missing

	Commas bool // numbers have decimal commas

	Texts map[string]int // how many cells are no number, by text; the first 50 of them

	Odd   *table.Error // the first cell that is not a number; nil if there is none
	Marks *table.Error // the first of Marked, or what is wrong with the decimal marks of the numbers; its message does not name the column
}

// End is the least or the greatest number of a column.
type End struct {
	Value float64
	Count int     // cells that have it
	Next  float64 // the number next to it; Value if there is no other
}

// see notes a number; sign is 1 for the least one and -1 for the greatest.
func (e *End) see(v, sign float64) {
	switch {
	case e.Count == 0:
		*e = End{Value: v, Count: 1, Next: v}
	case v == e.Value:
		e.Count++
	case sign*v < sign*e.Value:
		*e = End{Value: v, Count: 1, Next: e.Value}
	case e.Next == e.Value || sign*v < sign*e.Next:
		e.Next = v
	}
}

// Present counts the cells that are not missing.
func (p Profile) Present() int { return p.Numbers + p.Words + p.Others }

// Unique reports whether no cell is repeated.
func (p Profile) Unique() bool { return p.Distinct == p.Present() && p.Distinct > 0 }

// Bounds on what is kept of the distinct cells of a column: how many are counted, and how many are listed.
const (
	MaxDistinct = 100_000
	maxValues   = 5
)

// LookAt surveys a table that can be read twice. Only faults of its form are errors: whatever the cells hold, it is counted.
func LookAt(in table.Input, delimiter string) (*Survey, error) {
	if err := table.CheckReading(delimiter, ""); err != nil {
		return nil, err
	}
	if err := table.CheckRegular(in); err != nil {
		return nil, err
	}
	t, err := table.OpenTable(in, delimiter)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	columns := make([]survey, 0, len(t.Header.Names))
	for i, name := range t.Header.Names {
		if name != "" {
			columns = append(columns, survey{Profile: Profile{Name: name, Integers: true, Rising: true, Steps: true}, at: i,
				met: map[uint64]struct{}{}})
		}
	}
	for {
		if err = t.Next(); err != nil {
			break
		}
		for i := range columns {
			columns[i].see(t)
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if t.Row == 0 {
		return nil, table.Faultf(in.Name, "the table has a header but no rows")
	}
	s := &Survey{Rows: t.Row, Nameless: len(t.Header.Names) - len(columns), Columns: make([]Profile, len(columns))}
	decimals := make([]table.Decimal, len(columns))
	for i := range columns {
		decimals[i] = columns[i].decimal
	}
	sure := table.SureMarksOf(decimals)
	for i := range columns {
		c := &columns[i]
		c.Integers = c.Integers && c.Numbers > 0
		c.Mean /= float64(max(1, c.Numbers))
		c.Steps = c.Steps && c.Numbers == s.Rows && s.Rows > 1
		commas, fault := c.decimal.HasCommas(sure)
		if c.Commas = commas; fault != nil {
			c.Marks = fault
		}
		c.Rising = c.Rising && c.dates.Rise() && c.Numbers+c.Dates == c.Present() && c.Distinct > 1
		if len(c.texts) > 0 {
			c.Texts = make(map[string]int, len(c.texts))
		}
		for text, n := range c.texts {
			c.Texts[text] = *n
		}
		s.Columns[i], c.met, c.texts = c.Profile, nil, nil
	}
	return s, nil
}

// survey is a Profile under way.
type survey struct {
	Profile
	at      int // cell of the record
	decimal table.Decimal
	met     map[uint64]struct{} // hashes of the distinct cells
	texts   map[string]*int     // how many cells are no number, by text; nil: none
	last    float64
	dates   table.Dates
}

// meet counts a cell unless an equal one was counted, by their 64-bit hashes.
func (s *survey) meet(cell string) {
	hash := maphash.String(cellSeed, cell)
	if _, met := s.met[hash]; met {
		return
	}
	s.met[hash] = struct{}{}
	if s.Distinct++; len(s.Values) < maxValues {
		s.Values = append(s.Values, strings.Clone(cell)) // not to keep the whole block
	}
}

var cellSeed = maphash.MakeSeed()

// see counts a cell of the current row.
func (s *survey) see(t *table.Cursor) {
	cell := strings.TrimSpace(t.Cell(s.at))
	if table.IsMissing(cell) {
		s.Missing++
		return
	}
	if s.Distinct < MaxDistinct {
		s.meet(cell)
	}
	if v, ok := t.Number(cell); ok {
		if t.Commas {
			t.Mark(&s.decimal, s.at)
		}
		s.Integers = s.Integers && v == float64(int64(v))
		if s.Numbers > 0 {
			s.Rising = s.Rising && v >= s.last
			s.Steps = s.Steps && v == s.last+1
		}
		s.last = v
		s.Mean += v // the sum, until all rows are seen
		s.Low.see(v, 1)
		s.High.see(v, -1)
		s.Numbers++
		return
	}
	if s.Dates > 0 || s.Words+s.Others < datesBy {
		if _, is := s.dates.Read(cell); is {
			s.Dates++
		}
	}
	if n := s.texts[cell]; n != nil {
		*n++
	} else if len(s.texts) < table.MaxFoundLevels {
		if s.texts == nil {
			s.texts = map[string]*int{}
		}
		s.texts[strings.Clone(cell)] = new(1)
	}
	if s.Odd == nil {
		s.Odd = t.Fault(s.at, "column %s: %s", escape.Quote(s.Name), table.WhyNotNumber(cell, table.OfFeature))
	}
	if table.IsWord(cell) {
		s.Words++
		return
	}
	s.Others++
	if _, comma := table.ParseComma(cell); comma || table.Thousands.MatchString(cell) {
		if s.Marks == nil {
			s.Marks = t.Fault(s.at, "%s", table.WhyNotNumber(cell, table.OfFeature))
		}
		s.Marked++
	}
}

// datesBy is the largest number of cells other than numbers that a column has before its first date; dates are not
// looked for after them.
const datesBy = 1000
