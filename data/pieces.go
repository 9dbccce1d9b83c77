package data

import (
	"context"
	"errors"
	"io"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// headRows is the number of rows that show which columns are numeric.
const headRows = 4096

// needsOutlines reports whether the part of a row depends on other rows: on the number of rows, the numbers of groups or, where equal rows
// stay together, those of levels. The rows of the first piece show whether there can be levels: a column whose first value is a number has none.
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
		if c.Encoding != table.Numeric && !c.Closed {
			return true, nil
		}
	}
	return false, nil
}

// open opens a piece with the columns of the table.
func (s *Sharded) open(p Piece) (*table.Rows, error) {
	o, err := s.Source.options()
	if err != nil {
		return nil, err
	}
	c, err := p.OpenPart(table.Delimiters[o.Delimiter], s.Header)
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
		return nil, table.KeyFault("data.delimiter", "%s does not apply to %s, which is not delimited text", escape.Quote(o.Delimiter), escape.Quote(s.Header.File))
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
