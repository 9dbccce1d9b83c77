package data

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
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
	s, in := &samples{Reading: re.Reading, rows: r}, &Dataset{} // the places of the rows
	if re.keep {
		r.Records = table.NewRecorder(r.T)
		in.table = &original{header: r.Records.Header(r.T)}
	}
	F, K := len(r.Features), len(r.Columns())
	var values []float64 // [N,K]
	err = r.Each(ctx, func() error {
		if len(in.Rows) == most {
			return errLarge
		}
		if len(values)+K > cap(values) {
			values = slices.Grow(values, len(values)+K) // doubled: append alone would copy more often
		}
		values = append(append(values, r.Raw...), r.Y...)
		if r.Weight != nil {
			values = append(values, r.W)
		}
		in.addPlace(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := len(in.Rows)
	if n == 0 {
		return nil, noRows(r)
	}
	counts := make([]int, len(r.Targets[0].Levels))
	if !r.Targets[0].Numbers() {
		for at := F; at < len(values); at += K {
			counts[int(values[at])]++
		}
	}
	if err := s.conclude(counts); err != nil {
		return nil, err
	}
	d := s.dataset(n, func(i int) []float64 { return values[i*K : (i+1)*K : (i+1)*K] })
	d.Rows, d.Groups, d.marks, d.table, d.late, d.Clock = in.Rows, in.Groups, in.marks, in.table, r.Late, r.T.Clock
	if r.T.Clock != nil && !r.Targets[0].Numbers() {
		return nil, table.KeyFault("data.time", "column %s holds words: forecasts are of one target of numbers", escape.Quote(r.Targets[0].Name))
	}
	if err := checkWeights(d.Weights); err != nil {
		return nil, table.Faultf(r.T.Name, "column %s: %v", escape.Quote(r.Weight.Name), err)
	}
	if c := d.emptyColumn(); c != "" && !re.Known {
		return nil, table.Faultf(re.In.Name, "column %s has no value in any row: ignore it (data.ignore)", escape.Quote(c))
	}
	if r.Split >= 0 {
		d.marked = r.T.Header.Names[r.Split]
	}
	return d, nil
}

// addPlace adds what is known of the current row besides its values.
func (d *Dataset) addPlace(r *table.Rows) {
	d.Rows = append(d.Rows, r.T.Row)
	if r.Group >= 0 {
		d.Groups = append(d.Groups, r.Member)
	}
	if r.Split >= 0 {
		d.marks = append(d.marks, r.Mark)
	}
	if r.Records != nil {
		d.table.records = append(d.table.records, r.Records.Kept(r.T))
	}
}

// noRows is the error of a table of which no row is kept.
func noRows(r *table.Rows) error {
	switch {
	case r.Weightless > 0:
		return table.Faultf(r.T.Name, "column %s: the weight is zero in each row without a missing cell: no row is left",
			escape.Quote(r.Weight.Name))
	case r.T.Row > 0:
		fault := table.Faultf(r.T.Name, "each row (%d in all) has a missing cell: no row is left", r.T.Row)
		fault.Err = table.ErrNoRow
		return fault
	}
	return table.Faultf(r.T.Name, "the table has a header but no rows")
}

// divide reads the table and divides it. A table of more than SampleRows rows is ingested. The rows of a query are kept, since the
// same query may give others later.
func (re *loading) divide(ctx context.Context, sp Split, o table.Options) (*Parts, error) {
	re.keep = re.In.Scheme() != nil
	d, err := re.collect(ctx, SampleRows)
	if errors.Is(err, errLarge) && re.In.Samples != nil {
		return nil, table.KeyFault("data.time", "more than %d samples: give fewer rows, the last ones", SampleRows)
	}
	if errors.Is(err, errLarge) {
		return re.rankedLarge(ctx, assignment{Split: sp}, o)
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

// Read reads the table at path, of any registered format, into memory. Every fault of the table is an *Error that names file, line,
// column and cell.
func Read(path string, opts table.Options) (*Dataset, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	return readTable(opts.Input(path), opts)
}

// ReadSample is Read of a table of any size: of more than SampleRows rows it returns a uniform random sample, which has
// a row of each class.
func ReadSample(ctx context.Context, path string, opts table.Options) (*Dataset, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	re := loadingBy(opts, opts.Input(path))
	d, err := re.collect(ctx, SampleRows)
	if !errors.Is(err, errLarge) {
		return d, err
	}
	r, err := re.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.T.Close()
	g := newIngest(re.Reading, r, assignment{fixed: new(table.InTrain)})
	if err := g.run(ctx); err != nil {
		return nil, err
	}
	d = g.part(trainShard, "train")
	d.Whole, d.table = nil, nil
	return d, nil
}

// readTable is Read from anywhere; the options are valid.
func readTable(in table.Input, opts table.Options) (*Dataset, error) {
	return loadingBy(opts, in).collect(context.Background(), math.MaxInt)
}

// ReadAs reads a table by a known schema into memory: a test file, or a table to evaluate a model on. Columns are found by
// name in any order, and further columns are not read; an unseen level is an error, unless the options are Lenient. Of
// these only Query, Delimiter, Missing, Lenient, Run and Weight apply, as the schema determines the rest; any other
// option that is set is an error. Without Weight the schema's column of weights is read, if the table has it.
func ReadAs(path string, schema table.Schema, opts table.Options) (*Dataset, error) {
	re, err := loadingAs(opts, opts.Input(path), schema)
	if err != nil {
		return nil, err
	}
	return re.collect(context.Background(), math.MaxInt)
}
