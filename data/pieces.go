package data

import (
	"context"
	"errors"
	"io"
)

// headRows is the number of rows that show which columns are numeric.
const headRows = 4096

// needsOutlines reports whether the part of a row depends on other rows: on the number of rows, the numbers of groups or, where equal rows
// stay together, those of levels. The rows of the first piece show whether there can be levels: a column whose first value is a number has none.
func (s *Sharded) needsOutlines(ctx context.Context, first *chain) (_ bool, err error) {
	r, err := s.rows(first, 0)
	if err != nil {
		return false, errors.Join(err, first.Close())
	}
	defer func() { err = errors.Join(err, r.t.Close()) }()
	switch {
	case s.Source.Split.Kind == splitChronological || s.Source.Group != "":
		return true, nil
	case s.Source.Split.Calibration == 0:
		return false, nil
	}
	for range headRows {
		if err := r.next(); err == io.EOF {
			break
		} else if err != nil {
			return false, err
		}
	}
	if ctx.Err() != nil {
		return false, interrupted(ctx)
	}
	for _, c := range r.columns() {
		if c.Encoding != Numeric && !c.closed {
			return true, nil
		}
	}
	return false, nil
}

// open opens a piece with the columns of the table.
func (s *Sharded) open(p Piece) (*rows, error) {
	o, err := s.Source.options()
	if err != nil {
		return nil, err
	}
	c, err := openPiece(p, delimiters[o.Delimiter], s.Header)
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
func (s *Sharded) rows(src RowSource, before int) (*rows, error) {
	o, err := s.Source.options()
	if err != nil {
		return nil, err
	}
	t := newTable(s.Source.Path, src, noFile{})
	t.row = before
	if err := t.readNames(); err != nil {
		return nil, err
	}
	if given := delimiters[o.Delimiter]; given != 0 && t.header.Delimiter == 0 {
		return nil, keyFault("data.delimiter", "%s does not apply to %s, which is not delimited text", quote(o.Delimiter), quote(s.Header.File))
	}
	r, err := o.rows(t)
	if err != nil {
		return nil, err
	}
	for _, c := range r.columns() {
		c.located = true
	}
	return r, nil
}

// reading is how the table is read.
func (s *Sharded) reading() (*reading, error) {
	o, err := s.Source.options()
	if err != nil {
		return nil, err
	}
	return readingBy(o, o.input(s.Source.Path)), nil
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
type headerOnly struct{ header Header }

func (h headerOnly) Header() Header    { return h.header }
func (h headerOnly) Next(*Block) error { return io.EOF }
func (h headerOnly) Close() error      { return nil }
