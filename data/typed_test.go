package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func init() {
	table.Register(table.Format{
		Name: "typed", Schemes: []string{"typed:"}, Magic: []string{"TYPED"}, Extensions: []string{".typed"}, Open: openTyped,
		Query: func(ctx context.Context, name, query string) (table.RowSource, error) {
			if query != typedOptions.Query {
				return nil, fmt.Errorf("query %q", query)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return openTyped(name, nil, 0)
		},
		Check: func(name string) error {
			if strings.Contains(name, "secret") {
				return errors.New("it has a password")
			}
			return nil
		},
	})
}

// typed is a format that knows numbers and has no lines, as databases have none: blocks of two rows of a number, a number
// that is a level of a category, a text and the target. A name, or content, with "fault" in it is faulty after three rows.
type typed struct {
	row, rows int
	fault     error
	names     []string
	closed    *int
}

var typedClosed int

func openTyped(name string, r io.Reader, _ byte) (table.RowSource, error) {
	if r != nil {
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		name += string(content)
	}
	s := &typed{rows: 5, names: []string{"x", "kind", "word", "y"}, closed: &typedClosed}
	if strings.Contains(name, "fault") {
		s.rows, s.fault = 3, &table.Error{File: name, Line: 4, Message: "it broke"}
	}
	if strings.Contains(name, "twice") {
		s.names[1] = "x"
	}
	return s, nil
}

func (s *typed) Header() table.Header { return table.Header{Names: s.names} }

func (s *typed) Close() error { *s.closed++; return nil }

func (s *typed) Next(b *table.Block) error {
	if s.row == s.rows {
		return io.EOF
	}
	if b.Columns == nil {
		b.Columns = make([]table.Values, 4)
	}
	c := b.Columns
	c[0].Numbers, c[1].Numbers, c[2].Cells, c[3].Numbers = c[0].Numbers[:0], c[1].Numbers[:0], c[2].Cells[:0], c[3].Numbers[:0]
	b.Lines = b.Lines[:0]
	for b.Rows = 0; b.Rows < 2 && s.row < s.rows; b.Rows++ {
		x := float64(s.row) / 3
		if s.row == 2 {
			x = math.NaN()
		}
		c[0].Numbers = append(c[0].Numbers, x)
		c[1].Numbers = append(c[1].Numbers, float64(10+s.row%2))
		c[2].Cells = append(c[2].Cells, []string{"a,=b", "c"}[s.row%2])
		c[3].Numbers = append(c[3].Numbers, float64(s.row))
		s.row++
		b.Lines = append(b.Lines, s.row)
	}
	if s.row == s.rows {
		return s.fault
	}
	return nil
}

var typedOptions = table.Options{Target: "y", Query: "SELECT * FROM t order  by x", Missing: "mean",
	Categorical: map[string]table.Coding{"kind": {Encoding: table.OneHot}}}

// A format that knows numbers hands them over as they are: whole tables, streams, surveys and parts.
func TestTypedTable(t *testing.T) {
	third := 1.0
	third /= 3
	want := [][]float64{{0, 1, 0, 1, 0}, {third, 0, 1, 0, 1}, {math.NaN(), 1, 0, 1, 0}, {1, 0, 1, 0, 1}, {4 * third, 1, 0, 1, 0}}
	source := Source{Path: "typed:table", Options: typedOptions, Split: Split{Kind: "chronological", Train: 0.6}}
	before := typedClosed
	d := testenv.Must(Read(source.Path, typedOptions))
	if !same(d.X, want) || !reflect.DeepEqual(d.Schema.Features(), []string{"x", "kind=10", "kind=11", "word=a,=b", "word=c"}) ||
		d.Missing.Cells != 1 || typedClosed != before+1 {
		t.Errorf("%v of %v, %+v, closed %d times", d.X, d.Schema.Features(), d.Missing, typedClosed-before)
	}
	p := testenv.Must(source.Load(context.Background()))
	dir := t.TempDir()
	testenv.OK(t, source.WriteParts(dir, p))
	if typedClosed != before+2 {
		t.Error("the query was sent again for the parts")
	}
	train, err := os.ReadFile(filepath.Join(dir, "train.csv"))
	if err != nil || string(train) != "x,kind,word,y\n0,10,\"a,=b\",0\n0.3333333333333333,11,c,1\n,10,\"a,=b\",2\n" {
		t.Errorf("train.csv %q, %v", train, err)
	}
	if err := source.WriteParts(t.TempDir(), p); err != nil {
		t.Errorf("written again: %v", err)
	}
	survey, err := LookAt(source.Input(source.Path), "auto")
	if err != nil || survey.Rows != 5 || survey.Columns[0].Numbers != 4 || survey.Columns[0].Missing != 1 || survey.Columns[2].Words != 5 {
		t.Errorf("%+v, %v", survey, err)
	}
}

// Its tables are found by scheme, content and extension; the rows before a fault are read, and the fault has a place.
func TestTypedStream(t *testing.T) {
	d := testenv.Must(Read("typed:table", typedOptions))
	for name, in := range map[string]table.Input{
		"scheme":    {Name: "TYPED:table", Query: typedOptions.Query},
		"content":   {Name: "stream", Reader: strings.NewReader("TYPED")},
		"extension": {Name: writeFile(t, "t.typed", "")},
		"file":      {Name: writeFile(t, "t.csv", "TYPED")},
		"fault":     {Name: "typed:fault", Query: typedOptions.Query},
		"file.gz":   {Name: writeFile(t, "fault.typed.gz", "")},
	} {
		r := testenv.Must(table.NewReader(in, d.Schema, table.ReaderOptions{Missing: "mean", SafeCells: true}))
		var b table.Batch
		var x [][]float64
		var records []string
		err := r.Next(&b)
		for ; err == nil; err = r.Next(&b) {
			if err = b.Parse(); err != nil && !strings.Contains(in.Name, "fault") {
				t.Errorf("%s: %v", name, err)
			}
			for _, row := range b.X {
				x = append(x, append([]float64(nil), row...))
			}
			records = append(records, b.Records...)
		}
		rows := 5
		if strings.Contains(in.Name, "fault") {
			rows = 3
			if !errors.As(err, new(*table.Error)) || !strings.HasSuffix(err.Error(), ":4: it broke") {
				t.Errorf("%s: %v", name, err)
			}
		} else if err != io.EOF {
			t.Errorf("%s: %v", name, err)
		}
		if !same(x, d.X[:rows]) || records[0] != "0,10,\"a,'=b\",0" || r.Delimiter() != ',' || r.Close() != nil {
			t.Errorf("%s: %v, %q", name, x, records)
		}
	}
}

// Faults of such a table name the row; those of its format are errors too.
func TestTypedFaults(t *testing.T) {
	for _, test := range []struct {
		path string
		opts table.Options
		want string
	}{
		{"typed:table", table.Options{Target: "y"},
			`typed:table:3: column "x": the cell is blank: give it a value, or set data.missing to own, mean or drop`},
		{"typed:table", table.Options{Target: "word", Missing: "drop"},
			`typed:table:1: column "word": the classes "a,=b", "c" occur only once or twice: give at least 3 rows of each class, ` +
				`so that it can be trained on and tested, or leave its rows out, or join it with another class`},
		{"typed:table", table.Options{Target: "z"},
			`typed:table: data.target: the table has no column "z" (its columns: "x", "kind", "word", "y")`},
		{"typed:twice", table.Options{Target: "y"}, `typed:twice: columns 1 and 2 have the same name "x": rename one`},
		{"typed:table", table.Options{Target: "y", Delimiter: "tab"},
			`data.delimiter: "tab" does not apply to "typed:table", which is not delimited text`},
		{"typed:fault", table.Options{Target: "y", Missing: "mean"}, `typed:fault:4: it broke`},
	} {
		test.opts.Query = typedOptions.Query
		testenv.Fails(t, second(Read(test.path, test.opts)), test.want)
	}
	for _, b := range []table.Block{
		{Rows: 1, Lines: []int{1}, Columns: []table.Values{{Cells: []string{"1"}}}},
		{Rows: 1, Columns: []table.Values{{Cells: []string{"1"}}, {Numbers: []float64{1}}}},
		{Rows: 2, Lines: []int{1, 2}, Columns: []table.Values{{Cells: []string{"1", "2"}}, {Numbers: []float64{1}}}},
		{Rows: 1, Lines: []int{1}, Records: []string{"", ""}, Columns: []table.Values{{Cells: []string{"1"}}, {Numbers: []float64{1}}}},
	} {
		if b.Check(2) == nil {
			t.Errorf("%+v is a sound block", b)
		}
	}
}

// Without a registered format a table is not read, and the error says what to import.
func TestNoFormat(t *testing.T) {
	defer func(all *registry.Registry[table.Registered]) { table.Formats = all }(table.Formats)
	table.Formats = registry.New[table.Registered]("data", "format")
	_, err := Read(writeFile(t, "t.csv", "a,y\n1,2\n"), table.Options{Target: "y"})
	testenv.FailsAs[*table.Error](t, err, `import _ "github.com/tskgraph/tskgraph/data/table/csv"`)
}
