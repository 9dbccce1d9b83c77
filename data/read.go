package data

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
)

// Read reads the table at path, of any registered format, into memory. Every fault of the table is an *Error that names file, line,
// column and cell.
func Read(path string, opts Options) (*Dataset, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	return readTable(opts.input(path), opts)
}

// ReadSample is Read of a table of any size: of more than SampleRows rows it returns a uniform random sample, which has a row of each class.
func ReadSample(ctx context.Context, path string, opts Options) (*Dataset, error) {
	if err := opts.Validate(); err != nil {
		return nil, err
	}
	re := readingBy(opts, opts.input(path))
	d, err := re.collect(ctx, SampleRows)
	if !errors.Is(err, errLarge) {
		return d, err
	}
	r, err := re.open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.t.Close()
	g := newIngest(re, r, assignment{fixed: new(inTrain)})
	if err := g.run(ctx); err != nil {
		return nil, err
	}
	d = g.part(trainShard, "train")
	d.Whole, d.table = nil, nil
	return d, nil
}

// readTable is Read from anywhere; the options are valid.
func readTable(in Input, opts Options) (*Dataset, error) {
	return readingBy(opts, in).collect(context.Background(), math.MaxInt)
}

// ReadAs reads a table by a known schema into memory: a test file, or a table to evaluate a model on. Columns are found by
// name in any order, and further columns are not read; an unseen level is an error, unless the options are Lenient. Of
// these only Query, Delimiter, Missing, Lenient, Run and Weight apply, as the schema determines the rest; any other option that is set is an error.
// Without Weight the schema's column of weights is read, if the table has it.
func ReadAs(path string, schema Schema, opts Options) (*Dataset, error) {
	re, err := readingAs(opts, opts.input(path), schema)
	if err != nil {
		return nil, err
	}
	return re.collect(context.Background(), math.MaxInt)
}

// dataset returns a Dataset without rows.
func (r *rows) dataset() *Dataset {
	d := &Dataset{}
	if len(r.targets) > 1 {
		d.Others = make([][]float64, len(r.targets)-1)
	}
	if r.records != nil {
		d.table = &original{header: r.records.header(r.t)}
	}
	return d
}

// addTo adds the current row to d, except for its features.
func (r *rows) addTo(d *Dataset) {
	d.Y = append(d.Y, r.y[0])
	for c, y := range r.y[1:] {
		d.Others[c] = append(d.Others[c], y)
	}
	d.Rows = append(d.Rows, r.t.row)
	if r.weight != nil {
		d.Weights = append(d.Weights, r.w)
	}
	if r.group >= 0 {
		d.Groups = append(d.Groups, r.member)
	}
	if r.split >= 0 {
		d.marks = append(d.marks, r.mark)
	}
	if r.records != nil {
		d.table.records = append(d.table.records, r.records.kept(r.t))
	}
}

// collect reads all rows into a Dataset; its schema has the columns only.
// More than most rows are errLarge.
func (r *rows) collect(ctx context.Context, most int) (*Dataset, error) {
	d := r.dataset()
	var raw []float64 // [N,len(features)]
	for {
		if len(d.Y)%1024 == 1023 && ctx.Err() != nil {
			return nil, interrupted(ctx)
		}
		err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if len(d.Y) == most {
			return nil, errLarge
		}
		if len(raw)+len(r.raw) > cap(raw) {
			raw = slices.Grow(raw, len(raw)+len(r.raw)) // doubled: append alone would copy more often
		}
		raw = append(raw, r.raw...)
		r.addTo(d)
	}
	d.Missing, d.late, d.Weightless = r.missing, r.late, r.weightless
	if len(d.Y) == 0 && r.weightless > 0 {
		return nil, faultf(r.t.name, "column %s: the weight is zero in each row without a missing cell: no row is left", quote(r.weight.Name))
	}
	if len(d.Y) == 0 && r.t.row > 0 {
		return nil, faultf(r.t.name, "each of the %d rows has a missing cell: no row is left", r.t.row)
	}
	if len(d.Y) == 0 {
		return nil, faultf(r.t.name, "the table has a header but no rows")
	}
	if err := checkWeights(d.Weights); err != nil {
		return nil, faultf(r.t.name, "column %s: %v", quote(r.weight.Name), err)
	}
	var err error
	if d.Commas, err = withCommas(r.decimals()); err != nil {
		return nil, err
	}
	for _, c := range r.features {
		c.finish()
		d.Schema.Columns = append(d.Schema.Columns, c.Column)
	}
	n, k := len(d.Y), len(r.features)
	if r.plain() {
		d.X = rowsOf(raw, n, k)
		return d, nil
	}
	d.X = matrix(n, d.width())
	for i, x := range d.X {
		r.encode(x, raw[i*k:(i+1)*k])
	}
	return d, nil
}
