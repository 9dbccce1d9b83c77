package table

import (
	"context"
	"errors"
	"fmt"
)

// Interrupted returns the error of a reading whose context is done; nil if it is not.
func Interrupted(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("interrupted while the table was read: %w", context.Cause(ctx))
}

// reading is how a table is read: by options, or by a known schema.
type Reading struct {
	In        Input
	delimiter string
	rows      func(*Cursor) (*Rows, error)

	// describe returns the schema of a table that was read, given the columns of its features and the number of rows of each level
	// of the target; and, where classes were found, the index of the class of each level.
	Describe func(r *Rows, features []Column, counts []int) (Schema, []float64, error)

	Known bool // the schema is
}

// readingBy returns how a table is read by valid options.
func ReadingBy(o Options, in Input) *Reading {
	return &Reading{In: in, delimiter: o.Delimiter, rows: o.Rows,
		Describe: func(r *Rows, features []Column, counts []int) (s Schema, class []float64, err error) {
			s = Schema{Columns: features, Target: o.Target, TargetUnit: o.Units[o.Target], Weight: o.Weight, NA: o.NA}
			for _, name := range o.Others {
				s.Others = append(s.Others, Other{name, o.Units[name]})
			}
			if r.Targets[0].Encoding == OneHot {
				if s.Classes, class, err = foundClasses(r.Targets[0], counts, in.Name); err != nil {
					return s, nil, err
				}
			}
			if err := s.Validate(); err != nil { // a one-hot feature may meet the name of a column
				return s, nil, &Error{File: in.Name, Message: err.Error(), Err: err}
			}
			return s, class, nil
		}}
}

// readingAs returns how a table is read by a schema, see [ReadAs].
func ReadingAs(o Options, in Input, schema Schema) (*Reading, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if err := CheckReading(o.Delimiter, o.Missing); err != nil {
		return nil, err
	}
	if o.Target != "" || o.Task != "" || len(o.Others)+len(o.Features)+len(o.Ignore)+len(o.Categorical)+len(o.Units)+len(o.NA) > 0 ||
		o.Group != "" || o.SplitColumn != "" || o.NoCategorical {
		return nil, fmt.Errorf("data: a table read by a known schema takes the options query, delimiter, missing, lenient, run and weight only")
	}
	find := func(t *Cursor) (*Rows, error) { return rowsAs(o, t, schema) }
	describe := func(*Rows, []Column, []int) (Schema, []float64, error) { return schema, nil, nil }
	return &Reading{In: in, delimiter: o.Delimiter, rows: find, Describe: describe, Known: true}, nil
}

// rowsAs finds the columns of a schema, its targets and the weight in a table.
func rowsAs(o Options, t *Cursor, schema Schema) (*Rows, error) {
	r, err := knownRows(t, schema, o.Missing)
	if err != nil {
		return nil, err
	}
	if r.Targets, err = KnownTargets(t, schema); err != nil {
		return nil, err
	}
	weight := o.Weight
	if _, there := t.index[schema.Weight]; weight == "" && there {
		weight = schema.Weight
	}
	if weight != "" {
		at, err := t.find("data.weight", weight)
		if err != nil {
			return nil, err
		}
		r.Weight = numericColumn(weight, at, schema.NA.of(weight))
	}
	if o.Lenient {
		r.passOver()
	}
	return r, nil
}

// open opens the table, which the caller closes. The context ends a query.
func (re *Reading) Open(ctx context.Context) (*Rows, error) {
	in := re.In
	in.Context = ctx
	t, err := OpenTable(in, re.delimiter)
	if err != nil {
		return nil, err
	}
	r, err := re.rows(t)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return r, nil
}

// count returns the number of rows that a reading keeps.
func (re *Reading) Count(ctx context.Context) (n int, err error) {
	r, err := re.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	err = r.Each(ctx, func() error { n++; return nil })
	return n, err
}
