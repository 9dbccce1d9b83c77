package data

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// errLarge is the error of a table with more rows than a reading is to collect.
var errLarge = errors.New("data: the table has more rows")

// interrupted is the error of a reading whose context is done.
func interrupted(ctx context.Context) error {
	return fmt.Errorf("interrupted while the table was read: %w", context.Cause(ctx))
}

// reading is how a table is read: by options, or by a known schema.
type reading struct {
	in        Input
	delimiter string
	rows      func(*table) (*rows, error)

	// describe returns the schema of a table that was read, given the columns of its features and the number of rows of each level
	// of the target; and, where classes were found, the index of the class of each level.
	describe func(r *rows, features []Column, counts []int) (Schema, []float64, error)

	known bool // the schema is
	keep  bool // collect keeps the rows as they stand
}

// readingBy returns how a table is read by valid options.
func readingBy(o Options, in Input) *reading {
	return &reading{in: in, delimiter: o.Delimiter, rows: o.rows, describe: func(r *rows, features []Column, counts []int) (s Schema, class []float64, err error) {
		s = Schema{Columns: features, Target: o.Target, TargetUnit: o.Units[o.Target], Weight: o.Weight, NA: o.NA}
		for _, name := range o.Others {
			s.Others = append(s.Others, Other{name, o.Units[name]})
		}
		if r.targets[0].Encoding == OneHot {
			if s.Classes, class, err = foundClasses(r.targets[0], counts, in.Name); err != nil {
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
func readingAs(o Options, in Input, schema Schema) (*reading, error) {
	if err := schema.Validate(); err != nil {
		return nil, err
	}
	if err := checkReading(o.Delimiter, o.Missing); err != nil {
		return nil, err
	}
	if o.Target != "" || o.Task != "" || len(o.Others)+len(o.Features)+len(o.Ignore)+len(o.Categorical)+len(o.Units)+len(o.NA) > 0 ||
		o.Group != "" || o.SplitColumn != "" || o.NoCategorical {
		return nil, fmt.Errorf("data: a table read by a known schema takes the options query, delimiter, missing, lenient, run and weight only")
	}
	find := func(t *table) (*rows, error) { return rowsAs(o, t, schema) }
	describe := func(*rows, []Column, []int) (Schema, []float64, error) { return schema, nil, nil }
	return &reading{in: in, delimiter: o.Delimiter, rows: find, describe: describe, known: true}, nil
}

// rowsAs finds the columns of a schema, its targets and the weight in a table.
func rowsAs(o Options, t *table, schema Schema) (*rows, error) {
	r, err := knownRows(t, schema, o.Missing)
	if err != nil {
		return nil, err
	}
	if r.targets, err = knownTargets(t, schema); err != nil {
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
		r.weight = numericColumn(weight, at, schema.NA.of(weight))
	}
	if o.Lenient {
		r.passOver()
	}
	return r, nil
}

// open opens the table, which the caller closes. The context ends a query.
func (re *reading) open(ctx context.Context) (*rows, error) {
	in := re.in
	in.Context = ctx
	t, err := openTable(in, re.delimiter)
	if err != nil {
		return nil, err
	}
	r, err := re.rows(t)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return r, nil
}

// collect reads the table into memory. More than most rows are errLarge.
func (re *reading) collect(ctx context.Context, most int) (*Dataset, error) {
	r, err := re.open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.t.Close()
	if re.keep {
		r.records = newRecorder(r.t)
	}
	d, err := r.collect(ctx, most)
	if err != nil {
		return nil, err
	}
	if c := d.emptyColumn(); c != "" && !re.known {
		return nil, faultf(re.in.Name, "column %s has no value in any row: ignore it (data.ignore)", quote(c))
	}
	target := r.targets[0]
	counts := make([]int, len(target.Levels))
	if target.Encoding != Numeric {
		for _, n := range d.Y {
			counts[int(n)]++
		}
	}
	var class []float64
	if d.Schema, class, err = re.describe(r, d.Schema.Columns, counts); err != nil {
		return nil, err
	}
	for i, n := range d.Y {
		if class != nil {
			d.Y[i] = class[int(n)]
		}
	}
	if r.split >= 0 {
		d.marked = r.t.header.Names[r.split]
	}
	return d, nil
}

// divide reads the table and divides it. A table of more than SampleRows rows is ingested. The rows of a query are kept, since the
// same query may give others later.
func (re *reading) divide(ctx context.Context, sp Split, o Options) (*Parts, error) {
	re.keep = re.in.scheme() != nil
	d, err := re.collect(ctx, SampleRows)
	if errors.Is(err, errLarge) {
		return re.large(ctx, assignment{Split: sp}, o)
	}
	if err != nil {
		return nil, err
	}
	return d.Split(sp)
}

// alone reads a table of which all rows are the test part.
func (re *reading) alone(ctx context.Context, o Options) (*Parts, error) {
	d, err := re.collect(ctx, SampleRows)
	if errors.Is(err, errLarge) {
		return re.large(ctx, assignment{fixed: new(inTest)}, o)
	}
	return &Parts{Test: d}, err
}

// large ingests the table and returns its parts.
func (re *reading) large(ctx context.Context, a assignment, o Options) (*Parts, error) {
	g, err := re.ingest(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return g.parts()
}

// ingest reads the table in one pass; see ingest. A division in order counts the rows before.
func (re *reading) ingest(ctx context.Context, a assignment, o Options) (_ *ingest, err error) {
	if a.Kind == splitChronological {
		if a.rows, err = re.count(ctx); err != nil {
			return nil, err
		}
	}
	r, err := re.open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.t.Close()) }()
	g := newIngest(re, r, a)
	if err := g.keep(o); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = g.store.Close() })() // ends a long write
	if err := g.run(ctx); err != nil {
		if ctx.Err() != nil {
			err = interrupted(ctx)
		}
		return nil, errors.Join(err, g.store.Close())
	}
	return g, nil
}

// count returns the number of rows that a reading keeps.
func (re *reading) count(ctx context.Context) (n int, err error) {
	r, err := re.open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.t.Close()) }()
	for ; ; n++ {
		if n%1024 == 1023 && ctx.Err() != nil {
			return 0, interrupted(ctx)
		}
		switch err := r.next(); {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return 0, err
		}
	}
}
