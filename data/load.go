package data

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

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

// Read reads the table at path, of any registered format, into memory. Every fault of the table is an *Error that names file, line,
// column and cell.
func Read(path string, opts table.Options) (*Dataset, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	return readTable(opts.Input(path), opts)
}

// ReadSample is Read of a table of any size: of more than SampleRows rows it returns a uniform random sample, which has a row of each class.
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
// these only Query, Delimiter, Missing, Lenient, Run and Weight apply, as the schema determines the rest; any other option that is set is an error.
// Without Weight the schema's column of weights is read, if the table has it.
func ReadAs(path string, schema table.Schema, opts table.Options) (*Dataset, error) {
	re, err := loadingAs(opts, opts.Input(path), schema)
	if err != nil {
		return nil, err
	}
	return re.collect(context.Background(), math.MaxInt)
}

// emptyDataset returns a Dataset without rows.
func emptyDataset(r *table.Rows) *Dataset {
	d := &Dataset{}
	if len(r.Targets) > 1 {
		d.Others = make([][]float64, len(r.Targets)-1)
	}
	if r.Records != nil {
		d.table = &original{header: r.Records.Header(r.T)}
	}
	return d
}

// addRow adds the current row to d, except for its features.
func (d *Dataset) addRow(r *table.Rows) {
	d.Y = append(d.Y, r.Y[0])
	for c, y := range r.Y[1:] {
		d.Others[c] = append(d.Others[c], y)
	}
	d.Rows = append(d.Rows, r.T.Row)
	if r.Weight != nil {
		d.Weights = append(d.Weights, r.W)
	}
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

// collectRows reads all rows into a Dataset; its schema has the columns only.
// More than most rows are errLarge.
func collectRows(ctx context.Context, r *table.Rows, most int) (*Dataset, error) {
	d := emptyDataset(r)
	var raw []float64 // [N,len(features)]
	for {
		if len(d.Y)%1024 == 1023 && ctx.Err() != nil {
			return nil, table.Interrupted(ctx)
		}
		err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(d.Y) == most {
			return nil, errLarge
		}
		if len(raw)+len(r.Raw) > cap(raw) {
			raw = slices.Grow(raw, len(raw)+len(r.Raw)) // doubled: append alone would copy more often
		}
		raw = append(raw, r.Raw...)
		d.addRow(r)
	}
	d.Missing, d.late, d.Weightless = r.Missing, r.Late, r.Weightless
	if len(d.Y) == 0 && r.Weightless > 0 {
		return nil, table.Faultf(r.T.Name, "column %s: the weight is zero in each row without a missing cell: no row is left", escape.Quote(r.Weight.Name))
	}
	if len(d.Y) == 0 && r.T.Row > 0 {
		return nil, table.Faultf(r.T.Name, "each of the %d rows has a missing cell: no row is left", r.T.Row)
	}
	if len(d.Y) == 0 {
		return nil, table.Faultf(r.T.Name, "the table has a header but no rows")
	}
	if err := checkWeights(d.Weights); err != nil {
		return nil, table.Faultf(r.T.Name, "column %s: %v", escape.Quote(r.Weight.Name), err)
	}
	var err error
	if d.Commas, err = table.WithCommas(r.Decimals()); err != nil {
		return nil, err
	}
	for _, c := range r.Features {
		c.Finish()
		d.Schema.Columns = append(d.Schema.Columns, c.Column)
	}
	n, k := len(d.Y), len(r.Features)
	if r.Plain() {
		d.X = rowsOf(raw, n, k)
		return d, nil
	}
	d.X = matrix(n, d.width())
	for i, x := range d.X {
		r.Encode(x, raw[i*k:(i+1)*k])
	}
	return d, nil
}
