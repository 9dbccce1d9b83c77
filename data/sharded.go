package data

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Header is what the first line of a table says: the names of its columns, and how the table is written.
type Header = table.Header

// Sharded is a table whose rows are ingested piece by piece, by several processes say, into the parts that Source.Load returns
// of it. A Sharded, and what its methods return, can be encoded by encoding/gob.
//
//	s, err := NewSharded(ctx, source, pieces[0])
//	s.Rows = ...                       // of all pieces
//	if s.Outlined {
//		outlines[i], err = s.Outline(ctx, pieces[i])    // of each piece, in any order
//		priors, err = s.Priors(outlines)
//	}
//	partials[i], err = s.Ingest(ctx, pieces[i], &priors[i], PieceOptions{})    // of each piece, in any order
//	merged, err := s.Merge(partials)   // in the order of the pieces
//	parts, err := merged.Parts(ctx, source)
//
// A table of at most SampleRows rows is divided exactly and not by chance: read it by Source.Load.
type Sharded struct {
	Source   Source // of the whole table; its Path names it in errors
	Header   Header // of the first file
	Rows     int    // the number of rows in all pieces, with those that a reading leaves out
	Outlined bool   // Ingest needs Priors
}

// Piece is a number of rows of a table that follow one another: those of a file, or some of its records under its header. Pieces are in the
// order of the table: the files in that of [Files].
type Piece struct {
	table.Input     // Name is that of the file; Reader, unless nil, reads the header of the file and then the rows of the piece
	Row         int // the number of rows in the pieces before
	Rows        int // the number of rows in the piece
}

// NewSharded returns the table of a source, without the number of its rows. It reads the beginning of the first piece,
// and checks the source and the names of its columns.
func NewSharded(ctx context.Context, s Source, first Piece) (*Sharded, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	switch in := s.Input(s.Path); {
	case s.Time != nil:
		return nil, table.KeyFault("data.time", "a table of time stamps is not divided into pieces: train on one machine")
	case s.Path == "":
		return nil, table.KeyFault("data.path", "name the table: built-in data are not divided into pieces")
	case in.Scheme() != nil || s.Path == table.StandardInput:
		return nil, table.KeyFault("data.path", "want files: a database and standard input are not divided into pieces")
	}
	for name, coding := range s.Categorical {
		if coding.Encoding == table.Ranked {
			return nil, table.KeyFault("data.categorical", "column %s: ranked needs all training rows in one process: code it onehot, or list its "+
				"levels in order", escape.Quote(name))
		}
	}
	src, file, err := first.OpenFile(table.Delimiters[s.Delimiter])
	if err != nil {
		return nil, err
	}
	header := src.Header()
	header.File = first.Name
	content := &Sharded{Source: s, Header: header}
	c, err := first.NewPart(src, file, header)
	if err != nil {
		return nil, err
	}
	content.Outlined, err = content.needsOutlines(ctx, c)
	return content, err
}

// headRows is the number of rows that show which columns are numeric.
const headRows = 4096

// needsOutlines reports whether the part of a row depends on other rows: on the number of rows, the numbers of groups or, where equal rows
// stay together, those of levels. The rows of the first piece show whether there can be levels: a column whose first
// value is a number has none.
func (s *Sharded) needsOutlines(ctx context.Context, first *table.Chain) (_ bool, err error) {
	r, err := s.rows(first, 0)
	if err != nil {
		return false, errors.Join(err, first.Close())
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	switch {
	case s.Source.Split.Kind == splitChronological || s.Source.Group != "":
		return true, nil
	case s.Source.Split.Calibration == 0:
		return false, nil
	}
	for range headRows {
		if err := r.Next(); err == io.EOF {
			break
		} else if err != nil {
			return false, err
		}
	}
	if ctx.Err() != nil {
		return false, table.Interrupted(ctx)
	}
	for _, c := range r.Columns() {
		if !c.Numbers() && !c.Closed {
			return true, nil
		}
	}
	return false, nil
}

// open opens a piece with the columns of the table.
func (s *Sharded) open(p Piece) (*table.Rows, error) {
	c, err := p.OpenPart(table.Delimiters[s.Source.Delimiter], s.Header)
	if err != nil {
		return nil, err
	}
	r, err := s.rows(c, p.Row)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return r, nil
}

// rows returns the rows of a source of rows that follow a number of others.
func (s *Sharded) rows(src table.RowSource, before int) (*table.Rows, error) {
	o, err := s.Source.options()
	if err != nil {
		return nil, err
	}
	t := table.NewTable(s.Source.Path, src, table.NoFile{})
	t.Row = before
	if err := t.ReadNames(); err != nil {
		return nil, err
	}
	if given := table.Delimiters[o.Delimiter]; given != 0 && t.Header.Delimiter == 0 {
		return nil, table.KeyFault("data.delimiter", "%s does not apply to %s, which is not delimited text", escape.Quote(o.Delimiter),
			escape.Quote(s.Header.File))
	}
	r, err := o.Rows(t)
	if err != nil {
		return nil, err
	}
	for _, c := range r.Columns() {
		c.Located = true
	}
	return r, nil
}

// reading is how the table is read.
func (s *Sharded) reading() (*table.Reading, error) {
	o, err := s.Source.options()
	if err != nil {
		return nil, err
	}
	return table.ReadingBy(o, o.Input(s.Source.Path)), nil
}

// split is the division of the table.
func (s *Sharded) split() Split {
	sp := s.Source.Split
	if s.Source.TestPath != "" && sp.Kind != splitColumn {
		sp.Train = 1 - sp.Validation
	}
	return sp
}

// headerOnly is a source without rows.
type headerOnly struct{ header table.Header }

func (h headerOnly) Header() table.Header    { return h.header }
func (h headerOnly) Next(*table.Block) error { return io.EOF }
func (h headerOnly) Close() error            { return nil }

// Outline is what the division of a table into parts needs to know of the rows of a piece.
type Outline struct {
	Kept   int             // rows that a reading keeps
	Groups []string        // in order of appearance
	Found  []table.Finding // [K]
}

// Prior is what the rows of the whole table decide about those of a piece.
type Prior struct {
	Before int // the number of rows in the pieces before that a reading keeps
	Kept   int // that of the whole table
	// the number in the table of each group of the piece, in their order of appearance in the piece; nil: there are none
	Groups []int
	Found  []table.Finding // [K]
}

// Outline reads a piece for the first time, where Outlined asks for it.
func (s *Sharded) Outline(ctx context.Context, p Piece) (_ *Outline, err error) {
	r, err := s.open(p)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	o := &Outline{}
	if err := r.Each(ctx, func() error { o.Kept++; return nil }); err != nil {
		return nil, err
	}
	o.Groups = make([]string, len(r.Groups))
	for name, number := range r.Groups {
		o.Groups[number] = name
	}
	o.Found = table.FoundIn(r.Columns())
	return o, p.complete(r)
}

// complete refuses a piece that had another number of rows than was expected.
func (p Piece) complete(r *table.Rows) error {
	if n := r.T.Row - p.Row; n != p.Rows {
		return table.Faultf(p.Name, "%d rows were read where %d were counted before: the file changed, copy it, or wait until it is complete",
			n, p.Rows)
	}
	return nil
}

// Priors returns what the whole table decides about each of its pieces, whose outlines are in the order of the table.
// Outlines that contradict one another are an *Error.
func (s *Sharded) Priors(outlines []*Outline) ([]Prior, error) {
	r, err := s.rows(headerOnly{s.Header}, 0)
	if err != nil {
		return nil, err
	}
	columns, groups := r.Columns(), map[string]int{}
	priors := make([]Prior, len(outlines))
	kept := 0
	for i, o := range outlines {
		if _, err := table.Learn(columns, o.Found); err != nil {
			return nil, err
		}
		priors[i].Before = kept
		kept += o.Kept
		for _, name := range o.Groups {
			number, known := groups[name]
			if !known {
				number = len(groups)
				groups[name] = number
			}
			priors[i].Groups = append(priors[i].Groups, number)
		}
	}
	content := slices.Clone(table.FoundIn(columns))
	for i := range priors {
		priors[i].Kept, priors[i].Found = kept, content
	}
	return priors, nil
}
