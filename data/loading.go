package data

import (
	"context"
	"errors"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// errLarge is the error of a table with more rows than a reading is to collect.
var errLarge = errors.New("data: the table has more rows")

// loading is a reading whose rows become samples.
type loading struct {
	*table.Reading
	keep bool // collect keeps the rows as they stand
}

func loadingBy(o table.Options, in table.Input) *loading {
	return &loading{Reading: table.ReadingBy(o, in)}
}

func loadingAs(o table.Options, in table.Input, schema table.Schema) (*loading, error) {
	re, err := table.ReadingAs(o, in, schema)
	return &loading{Reading: re}, err
}

// collect reads the table into memory. More than most rows are errLarge.
func (re *loading) collect(ctx context.Context, most int) (*Dataset, error) {
	r, err := re.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.T.Close()
	if re.keep {
		r.Records = table.NewRecorder(r.T)
	}
	d, err := collectRows(ctx, r, most)
	if err != nil {
		return nil, err
	}
	if c := d.emptyColumn(); c != "" && !re.Known {
		return nil, table.Faultf(re.In.Name, "column %s has no value in any row: ignore it (data.ignore)", escape.Quote(c))
	}
	target := r.Targets[0]
	counts := make([]int, len(target.Levels))
	if target.Encoding != table.Numeric {
		for _, n := range d.Y {
			counts[int(n)]++
		}
	}
	var class []float64
	if d.Schema, class, err = re.Describe(r, d.Schema.Columns, counts); err != nil {
		return nil, err
	}
	for i, n := range d.Y {
		if class != nil {
			d.Y[i] = class[int(n)]
		}
	}
	if r.Split >= 0 {
		d.marked = r.T.Header.Names[r.Split]
	}
	return d, nil
}

// divide reads the table and divides it. A table of more than SampleRows rows is ingested. The rows of a query are kept, since the
// same query may give others later.
func (re *loading) divide(ctx context.Context, sp Split, o table.Options) (*Parts, error) {
	re.keep = re.In.Scheme() != nil
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
func (re *loading) alone(ctx context.Context, o table.Options) (*Parts, error) {
	d, err := re.collect(ctx, SampleRows)
	if errors.Is(err, errLarge) {
		return re.large(ctx, assignment{fixed: new(table.InTest)}, o)
	}
	return &Parts{Test: d}, err
}

// large ingests the table and returns its parts.
func (re *loading) large(ctx context.Context, a assignment, o table.Options) (*Parts, error) {
	g, err := re.ingest(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return g.parts()
}

// ingest reads the table in one pass; see ingest. A division in order counts the rows before.
func (re *loading) ingest(ctx context.Context, a assignment, o table.Options) (_ *ingest, err error) {
	if a.Kind == splitChronological {
		if a.rows, err = re.Count(ctx); err != nil {
			return nil, err
		}
	}
	r, err := re.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	g := newIngest(re.Reading, r, a)
	if err := g.keep(o); err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { _ = g.store.Close() })() // ends a long write
	if err := g.run(ctx); err != nil {
		if ctx.Err() != nil {
			err = table.Interrupted(ctx)
		}
		return nil, errors.Join(err, g.store.Close())
	}
	return g, nil
}
