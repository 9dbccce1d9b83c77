package data

import (
	"context"
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"io"
	"slices"
)

// Outline is what the division of a table into parts needs to know of the rows of a piece.
type Outline struct {
	Kept   int             // rows that a reading keeps
	Groups []string        // in order of appearance
	Found  []table.Finding // [K]
}

// Prior is what the rows of the whole table decide about those of a piece.
type Prior struct {
	Before int             // the number of rows in the pieces before that a reading keeps
	Kept   int             // that of the whole table
	Groups []int           // the number in the table of each group of the piece, in their order of appearance in the piece; nil: there are none
	Found  []table.Finding // [K]
}

// outline is Sharded.Outline.
func outline(ctx context.Context, s *Sharded, p Piece) (_ *Outline, err error) {
	r, err := s.open(p)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	o := &Outline{}
	for ; ; o.Kept++ {
		if o.Kept%1024 == 1023 && ctx.Err() != nil {
			return nil, table.Interrupted(ctx)
		}
		switch err := r.Next(); {
		case err == io.EOF:
			o.Groups = make([]string, len(r.Groups))
			for name, number := range r.Groups {
				o.Groups[number] = name
			}
			o.Found = table.FoundIn(r.Columns())
			return o, p.complete(r)
		case err != nil:
			return nil, err
		}
	}
}

// complete refuses a piece that had another number of rows than was expected.
func (p Piece) complete(r *table.Rows) error {
	if n := r.T.Row - p.Row; n != p.Rows {
		return table.Faultf(p.Name, "%d rows were read where %d were counted before: the file changed, copy it, or wait until it is complete", n, p.Rows)
	}
	return nil
}

// priorsOf is Sharded.Priors.
func priorsOf(s *Sharded, outlines []*Outline) ([]Prior, error) {
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
