package data

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// read reads a table that is not in a file.
func read(in io.Reader, name string, opts table.Options) (*Dataset, error) {
	return readTable(table.Input{Name: name, Reader: in}, opts)
}

func mustRead(t *testing.T, content string, opts table.Options) *Dataset {
	t.Helper()
	d := testenv.Must(read(strings.NewReader(content), "t.csv", opts))
	return d
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testenv.OK(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// same compares bit for bit, NaN included.
func same(a, b [][]float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return false
		}
		for m := range a[i] {
			if math.Float64bits(a[i][m]) != math.Float64bits(b[i][m]) {
				return false
			}
		}
	}
	return true
}

// The same two rows in every dress.
func TestDress(t *testing.T) {
	want := [][]float64{{1, -0.5}, {2, 1e-3}}
	for name, content := range map[string]string{
		"plain":               "a,b,y\n1,-0.5,3\n2,1e-3,4\n",
		"no last line end":    "a,b,y\n1,-0.5,3\n2,1e-3,4",
		"CRLF":                "a,b,y\r\n1,-0.5,3\r\n2,1e-3,4\r\n",
		"BOM":                 "\xef\xbb\xbfa,b,y\n1,-0.5,3\n2,1e-3,4\n",
		"BOM and quotes":      "\xef\xbb\xbf\"a\",b,y\n1,-0.5,3\n2,1e-3,4\n",
		"semicolon":           "a;b;y\n1;-0.5;3\n2;1e-3;4\n",
		"tab":                 "a\tb\ty\n1\t-0.5\t3\n2\t1e-3\t4\n",
		"padded":              " a , b , y \n  1 ,\t-0.5, 3\n2,  1e-3  ,4 \n",
		"quoted":              "\"a\",\"b\",\"y\"\n\"1\",\"-0.5\",\"3\"\n\"2\",\"1e-3\",\"4\"\n",
		"quoted and padded":   "a, \"b\" ,y\n \" 1 \" , \"-0.5\",3\n2 ,\"1e-3\" , \"4\" \n",
		"padded between tabs": "a\t b\ty\n1\t \"-0.5\" \t3\n2\t1e-3\t4\n",
		"empty lines":         "\na,b,y\n\n1,-0.5,3\n\r\n2,1e-3,4\n\n",
		"other spellings":     "a,b,y\n+1.,-.5,3\n2e0,0.1E-2,4\n",
		"comma in a name":     "\"a,,,,\";b;y\n1;-0.5;3\n2;1e-3;4\n",
	} {
		d, err := read(strings.NewReader(content), "t.csv", table.Options{Target: "y"})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !same(d.X, want) || !reflect.DeepEqual(d.Y, []float64{3, 4}) || !reflect.DeepEqual(d.Rows, []int{1, 2}) {
			t.Errorf("%s: X %v, Y %v, Rows %v", name, d.X, d.Y, d.Rows)
		}
	}
}

func TestExtremes(t *testing.T) {
	d := mustRead(t, "a,y\n1e-400,1\n-1e308,1\n5e-324,1\n", table.Options{Target: "y"})
	testenv.Equal(t, d.X, [][]float64{{0}, {-1e308}, {5e-324}}, "X")
}

func TestDelimiterByName(t *testing.T) {
	for _, name := range []string{"semicolon", ";"} {
		// the header has more commas than semicolons, outside quotes: auto would be wrong
		d := mustRead(t, "a,b,c;y\n1;2\n", table.Options{Target: "y", Delimiter: name})
		testenv.Equal(t, d.Schema.Features(), []string{"a,b,c"}, "%s: features", name)
	}
}

func TestRoles(t *testing.T) {
	content := "id,b,w,s,y,a\nr1,1,0.5,test,3,2\nr2,4,2,train,6,5\n"
	d := mustRead(t, content, table.Options{Target: "y", Ignore: []string{"id"}, Weight: "w", SplitColumn: "s",
		Units: map[string]string{"a": "kg", "y": "MPa"}})
	testenv.Equal(t, d.X, [][]float64{{1, 2}, {4, 5}}, "X")
	testenv.Equal(t, d.Weights, []float64{0.5, 2}, "weights")
	want := table.Schema{Columns: []table.Column{{Name: "b", Encoding: table.Numeric}, {Name: "a", Unit: "kg", Encoding: table.Numeric}},
		Target: "y", TargetUnit: "MPa", Weight: "w"}
	testenv.Equal(t, d.Schema, want, "schema")
	d = mustRead(t, content, table.Options{Target: "y", Features: []string{"a", "b"}})
	if want := [][]float64{{2, 1}, {5, 4}}; !same(d.X, want) || d.Weights != nil {
		t.Errorf("features in the order given: X %v, want %v", d.X, want)
	}
}

func TestCategorical(t *testing.T) {
	content := "c,n,y\nlow,10,1\nhigh,9,1\n low ,10,1\nmid,2,1\n"
	for _, test := range []struct {
		name     string
		coding   map[string]table.Coding
		features string
		x        [][]float64
	}{
		{"found out", nil, "[c=high c=low c=mid n]", [][]float64{{0, 1, 0, 10}, {1, 0, 0, 9}, {0, 1, 0, 10}, {0, 0, 1, 2}}},
		{"ordinal in order", map[string]table.Coding{"c": {Encoding: table.Ordinal, Levels: []string{"low", "mid", "high", "top"}}}, "[c n]",
			[][]float64{{1, 10}, {3, 9}, {1, 10}, {2, 2}}},
		{"ordinal sorted", map[string]table.Coding{"c": {Encoding: table.Ordinal}}, "[c n]", [][]float64{{2, 10}, {1, 9}, {2, 10}, {3, 2}}},
		{"digits, by value", map[string]table.Coding{"c": {Encoding: table.Ordinal}, "n": {Encoding: table.OneHot}}, "[c n=2 n=9 n=10]",
			[][]float64{{2, 0, 0, 1}, {1, 0, 1, 0}, {2, 0, 0, 1}, {3, 1, 0, 0}}},
	} {
		d := mustRead(t, content, table.Options{Target: "y", Categorical: test.coding})
		testenv.Equal(t, fmt.Sprint(d.Schema.Features()), test.features, "%s: features", test.name)
		testenv.Equal(t, d.X, test.x, "%s: X", test.name)
	}
	if d := mustRead(t, manyLevels(50), table.Options{Target: "y"}); len(d.X[0]) != 50 {
		t.Errorf("50 levels give %d features", len(d.X[0]))
	}
	coded := table.Options{Target: "y", Categorical: map[string]table.Coding{"a": {Encoding: table.OneHot}}}
	if d := mustRead(t, manyLevels(51), coded); len(d.X[0]) != 51 {
		t.Errorf("51 levels on request give %d features", len(d.X[0]))
	}
}

func TestLevelOrder(t *testing.T) {
	d := mustRead(t, "c,y\nb,1\n10,1\n-2,1\na,1\n9,1\n9.0,1\n",
		table.Options{Target: "y", Categorical: map[string]table.Coding{"c": {Encoding: table.Ordinal}}})
	testenv.Equal(t, d.Schema.Columns[0].Levels, []string{"-2", "9", "9.0", "10", "a", "b"}, "levels")
}

func TestMissing(t *testing.T) {
	nan := math.NaN()
	content := "a,c,w,y\n1,u,1,1\n ,v,1,2\n3,NA,1,3\n4,u,1,n/a\n5,v,null,5\n?,nan,1,6\n"
	opts := table.Options{Target: "y", Weight: "w", Missing: "drop"}
	d := mustRead(t, content, opts)
	if want := [][]float64{{1, 1, 0}}; !same(d.X, want) || !reflect.DeepEqual(d.Rows, []int{1}) {
		t.Errorf("drop: X %v, Rows %v", d.X, d.Rows)
	}
	columns := map[string]int{"a": 2, "c": 2, "w": 1, "y": 1}
	testenv.Equal(t, d.Missing, (table.Missing{Policy: "drop", Cells: 6, Dropped: 5, Imputed: 0, Columns: columns}), "drop")
	opts.Missing = "mean"
	d = mustRead(t, content, opts)
	if want := [][]float64{{1, 1, 0}, {nan, 0, 1}, {3, nan, nan}, {nan, nan, nan}}; !same(d.X, want) ||
		!reflect.DeepEqual(d.Rows, []int{1, 2, 3, 6}) {
		t.Errorf("mean: X %v, Rows %v", d.X, d.Rows)
	}
	testenv.Equal(t, d.Missing, (table.Missing{Policy: "mean", Cells: 6, Dropped: 2, Imputed: 4, Columns: columns}), "mean")
	// a column that begins with blanks is still found out
	d = mustRead(t, "c,n,y\n,,1\nu,7,2\n", table.Options{Target: "y", Missing: "mean"})
	testenv.Equal(t, fmt.Sprint(d.Schema.Features()), "[c=u n]", "features")
}

func TestReadAs(t *testing.T) {
	train := mustRead(t, "c,a,y\nu,1,1\nv,2,2\n", table.Options{Target: "y"})
	path := writeFile(t, "t.csv", "more;y;w;a;c\nx;10;2;7;v\ny;20;3;8;u\n")
	d := testenv.Must(ReadAs(path, train.Schema, table.Options{Weight: "w"}))
	if want := [][]float64{{0, 1, 7}, {1, 0, 8}}; !same(d.X, want) || !reflect.DeepEqual(d.Y, []float64{10, 20}) ||
		!reflect.DeepEqual(d.Weights, []float64{2, 3}) {
		t.Errorf("X %v, Y %v, Weights %v", d.X, d.Y, d.Weights)
	}
	testenv.Equal(t, d.Schema, train.Schema, "schema")
	for _, test := range []struct {
		Cursor string
		opts   table.Options
		want   string
	}{
		{"c,a,y\nu,1,1\nx,2,2\n", table.Options{}, `:3:1: column "c": "x" is not one of its levels ("u", "v")`},
		{"c,y\nu,1\n", table.Options{}, `:1: a column of the model: the table has no column "a" (its columns: "c", "y")`},
		{"c,a\nu,1\n", table.Options{}, `:1: the target: the table has no column "y" (its columns: "c", "a")`},
		{"c,a,y\n", table.Options{}, `: the table has a header but no rows`},
		{"c,a,y\nu,1,1\n", table.Options{Target: "y"},
			"data: a table read by a known schema takes the options query, delimiter, missing, lenient, run and weight only"},
	} {
		_, err := ReadAs(writeFile(t, "t.csv", test.Cursor), train.Schema, test.opts)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

func TestNew(t *testing.T) {
	x := [][]float64{{1, 2}, {3, 4}}
	d := testenv.Must(New([]string{"a", "b"}, "y", x, []float64{5, 6}))
	x[0][0] = 9
	if d.X[0][0] != 1 || d.Len() != 2 || !reflect.DeepEqual(d.Rows, []int{1, 2}) {
		t.Errorf("%+v", d)
	}
	nan := math.NaN()
	for _, test := range []struct {
		names []string
		x     [][]float64
		y     []float64
	}{
		{nil, [][]float64{{}}, []float64{1}},
		{[]string{"a", "a"}, x, []float64{1, 2}},
		{[]string{"a", "y"}, x, []float64{1, 2}},
		{[]string{"a", "b"}, x, []float64{1}},
		{[]string{"a", "b"}, nil, nil},
		{[]string{"a"}, x, []float64{1, 2}},
		{[]string{"a"}, [][]float64{{nan}}, []float64{1}},
		{[]string{"a"}, [][]float64{{1}}, []float64{math.Inf(1)}},
	} {
		if _, err := New(test.names, "y", test.x, test.y); err == nil {
			t.Errorf("New(%q, %v, %v) is no error", test.names, test.x, test.y)
		}
	}
}

func TestSchemaValidate(t *testing.T) {
	good := table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric},
		{Name: "c", Encoding: table.OneHot, Levels: []string{"u", "v"}}}, Target: "y"}
	testenv.OK(t, good.Validate())
	for _, columns := range [][]table.Column{
		nil,
		{{Name: "", Encoding: table.Numeric}},
		{{Name: " a", Encoding: table.Numeric}},
		{{Name: "\xff", Encoding: table.Numeric}},
		{{Name: "y", Encoding: table.Numeric}},
		{{Name: "a"}},
		{{Name: "a", Encoding: "hash"}},
		{{Name: "a", Encoding: table.Numeric, Levels: []string{"u"}}},
		{{Name: "a", Encoding: table.OneHot}},
		{{Name: "a", Encoding: table.Ordinal, Levels: []string{"u", "u"}}},
		{{Name: "a", Encoding: table.Ordinal, Levels: []string{"?"}}},
		{{Name: "a", Encoding: table.Ordinal, Levels: []string{"u "}}},
		{{Name: "a", Encoding: table.Numeric}, {Name: "a", Encoding: table.Numeric}},
		{{Name: "a", Encoding: table.OneHot, Levels: []string{"u"}}, {Name: "a=u", Encoding: table.Numeric}},
	} {
		if err := (table.Schema{Columns: columns, Target: "y"}).Validate(); err == nil {
			t.Errorf("%+v is valid", columns)
		}
	}
}

var strangeSchema = table.Schema{Target: "y", Columns: []table.Column{
	{Name: "a", Encoding: table.Numeric},
	{Name: "c", Encoding: table.OneHot, Levels: []string{"u", "v"}},
	{Name: "size", Encoding: table.Ordinal, Levels: []string{"S", "M", "L"}},
}}

// Lenient reading continues where a cell is missing or unknown, and counts; strict reading names the first.
func TestLenient(t *testing.T) {
	nan := math.NaN()
	content := "a,c,size,y\n1,u,S,1\n,w,XL,2\n2,,NA,3\n3,w,L,\n"
	path := writeFile(t, "t.csv", content)
	d := testenv.Must(ReadAs(path, strangeSchema, table.Options{Lenient: true}))
	testenv.Equal(t, d.X, [][]float64{{1, 1, 0, 1}, {nan, 0, 0, nan}, {2, nan, nan, nan}}, "X")
	want := table.Missing{Policy: "mean", Cells: 4, Dropped: 1, Imputed: 3,
		Columns: map[string]int{"a": 1, "c": 1, "size": 1, "y": 1}, Unknown: map[string]int{"c": 2, "size": 1},
		First: path + `:3:1: column "a": the cell is blank: give it a value`}
	testenv.Equal(t, d.Missing, want)
	testenv.Fails(t, second(ReadAs(path, strangeSchema, table.Options{})), want.First, "strict")

	b, _, err := readBatches(strings.NewReader(content), strangeSchema, table.ReaderOptions{Lenient: true})
	if err != nil || len(b.X) != 4 || b.Missing.Unknown["c"] != 2 ||
		b.Missing.First != `t.csv:3:1: column "a": the cell is blank: give it a value` {
		t.Errorf("block: %v, %+v, %v", b.X, b.Missing, err)
	}
}

// The test part may have missing cells and, in a table of its own, unknown levels; the parts that are learned from may not.
func TestStrangeTestPart(t *testing.T) {
	path := writeFile(t, "all.csv", "a,c,y,part\n1,u,1,train\n2,v,2,train\n,u,3,test\n4,,4,test\n")
	s := Source{Path: path, Options: table.Options{Target: "y"}, Split: Split{Kind: "column", Column: "part"}}
	p := testenv.Must(s.Load(context.Background()))
	if m := p.Test.Missing; m.Policy != "mean" || m.Imputed != 2 || m.Cells != 2 ||
		m.First != path+`:4:1: column "a": the cell is blank: give it a value, or set data.missing to own, mean or drop` {
		t.Errorf("test part: %+v", m)
	}
	if m := p.Train.Missing; !reflect.DeepEqual(m, table.Missing{Policy: "error"}) || p.Train.Validate() != nil || p.Test.Validate() != nil {
		t.Errorf("train part: %+v", m)
	}
	for _, part := range []string{"train", "validation"} {
		path := writeFile(t, "all.csv", "a,c,y,part\n1,u,1,train\n2,v,2,train\n,u,3,test\n,u,4,"+part+"\n")
		s.Path = path
		var fault *table.Error
		if _, err := s.Load(context.Background()); !errors.As(err, &fault) || fault.Line != 5 {
			t.Errorf("%s part: %v, want the fault of line 5", part, err)
		}
	}

	s = Source{Path: writeFile(t, "train.csv", "a,c,y\n1,u,1\n2,v,2\n"), Options: table.Options{Target: "y"}}
	s.TestPath = writeFile(t, "test.csv", "a,c,y\n1,w,1\n,v,2\n")
	if p = testenv.Must(s.Load(context.Background())); p.Test.Missing.Unknown["c"] != 1 || p.Test.Missing.Imputed != 1 ||
		!same(p.Test.X, [][]float64{{1, 0, 0}, {math.NaN(), 0, 1}}) {
		t.Errorf("test file: %+v", p)
	}
}

// Texts of data.na are missing where they are said to be, and numbers also in other spellings; a schema keeps them.
func TestNA(t *testing.T) {
	const content = "a;c;o;w;y\n1;u;S;1;10\n-;u;M;1;11\n-200;-;L;-;12\n3;v;-;1;-200,0\n-2e2;v;M;2;13\n-;-;-200;1;14\n"
	opts := table.Options{
		Target: "y", Weight: "w", Missing: "mean", NA: table.NA{"*": {"-"}, "a": {"-200"}, "y": {"-200.0"}},
		Categorical: map[string]table.Coding{"o": {Encoding: table.Ordinal, Levels: []string{"S", "M", "L", "-200"}}},
	}
	d := testenv.Must(read(strings.NewReader(content), "t.csv", opts))
	nan := math.NaN()
	x := [][]float64{{1, 1, 0, 1}, {nan, 1, 0, 2}, {nan, 0, 1, 2}, {nan, nan, nan, 4}}
	if !same(d.X, x) || !reflect.DeepEqual(d.Y, []float64{10, 11, 13, 14}) || !reflect.DeepEqual(d.Weights, []float64{1, 1, 2, 1}) {
		t.Errorf("X %v, Y %v, weights %v", d.X, d.Y, d.Weights)
	}
	if want := map[string]int{"a": 4, "c": 2, "o": 1, "w": 1, "y": 1}; !reflect.DeepEqual(d.Missing.Columns, want) || d.Missing.Dropped != 2 {
		t.Errorf("missing %+v, want %v", d.Missing, want)
	}
	as, err := ReadAs(writeFile(t, "t.csv", content), d.Schema, table.Options{Missing: "mean"})
	if err != nil || !same(as.X, x) || !reflect.DeepEqual(as.Y, d.Y) {
		t.Errorf("by the schema: %v, %v", as, err)
	}
	b, _, err := readBatches(strings.NewReader(content), d.Schema, table.ReaderOptions{Missing: "mean"})
	if err != nil || len(b.X) != 6 || !same(b.X[4:], x[2:]) {
		t.Errorf("by a Reader: %v, %v", b.X, err)
	}
	opts.Missing, opts.NA = "error", table.NA{"*": {"-"}}
	if _, err := read(strings.NewReader(content), "t.csv", opts); err == nil ||
		!strings.HasPrefix(err.Error(), `t.csv:3:1: column "a": "-" marks a missing value`) {
		t.Error(err)
	}
}

func TestNAFaults(t *testing.T) {
	for _, test := range []struct {
		opts table.Options
		want string
	}{
		{table.Options{NA: table.NA{"*": {""}}}, `data.na: "*": a text that marks missing values: the name is empty`},
		{table.Options{NA: table.NA{"a": {" - "}}}, `data.na: "a": a text that marks missing values: " - " has blanks around it`},
		{table.Options{NA: table.NA{"a": {"-"}}, Ignore: []string{"a"}},
			`data.na: column "a" is named by data.ignore, and its cells are never missing`},
		{table.Options{NA: table.NA{"a": {"-"}}, Features: []string{"b"}}, `data.na: column "a" is not in data.features`},
		{table.Options{NA: table.NA{"d": {"-"}}}, `t.csv:1: data.na: the table has no column "d" (its columns: "a", "b", "y")`},
		{table.Options{NA: table.NA{"*": {"S"}}, Categorical: map[string]table.Coding{"a": {Encoding: table.Ordinal, Levels: []string{"S"}}}},
			`data.categorical: column "a": level "S" reads as a missing value`},
	} {
		test.opts.Target = "y"
		err := test.opts.Validate()
		if err == nil {
			_, err = read(strings.NewReader("a,b,y\n1,2,3\n"), "t.csv", test.opts)
		}
		testenv.Fails(t, err, test.want)
	}
	if _, err := ReadAs(writeFile(t, "t.csv", "a\n1\n"), readerSchema, table.Options{NA: table.NA{"*": {"-"}}}); err == nil {
		t.Error("a schema says what is missing, yet the option is no error")
	}
	bad := readerSchema
	bad.NA = table.NA{"*": {"low"}}
	testenv.FailsWith(t, bad.Validate(), `level "low" reads as a missing value`)
}

// However a table begins and ends its lines, and in whatever pieces it comes, its rows and their lines are the same.
func TestBeginnings(t *testing.T) {
	for name, content := range map[string]string{
		"plain":                          "c;a\nlow;1\nhigh;2\n",
		"two byte order marks":           "\ufeff\ufeffc;a\nlow;1\nhigh;2\n",
		"CR":                             "c;a\rlow;1\rhigh;2\r",
		"CR, no last line end":           "c;a\rlow;1\rhigh;2",
		"CR, quoted":                     "\"c\";a\rlow;\"1\"\rhigh;2\r",
		"byte order mark and CRLF":       "\ufeffc;a\r\nlow;1\r\nhigh;2\r\n",
		"columns without names":          ";c;a;;\nr1;low;1;;\nr2;high;2; ;\n",
		"names like the magic of others": "PAR1;c;a\n1;low;1\n2;high;2\n",
	} {
		for how, in := range map[string]io.Reader{"at once": strings.NewReader(content),
			"byte by byte": iotest.OneByteReader(strings.NewReader(content))} {
			b, _, err := readBatches(in, readerSchema, table.ReaderOptions{})
			if err != nil {
				t.Errorf("%s %s: %v", name, how, err)
				continue
			}
			testenv.Equal(t, b.X, [][]float64{{1, 0, 0, 1}, {2, 0, 0, 2}}, "%s %s", name, how)
			testenv.Equal(t, b.Lines, []int{2, 3}, "%s %s: lines", name, how)
		}
	}
}

// The line by which Excel names the delimiter is not the header; data.delimiter overrules it.
func TestSeparatorLine(t *testing.T) {
	for _, test := range []struct{ Cursor, delimiter string }{
		{"sep=;\n\"b,c,d\";a;y\n1;2;3\n", "auto"},
		{"\ufeffSEP=;\r\nb,c,d;a;y\r\n1;2;3\r\n", "auto"},
		{"\"sep=;\"\rb,c,d;a;y\r1;2;3\r", ""},
		{"sep=,\nb,c,d;a;y\n1;2;3\n", "semicolon"},
		{"sep=|\nb,c,d;a;y\n1;2;3\n", "semicolon"},
		{"sep=\t\nb;c\ta\ty\n1\t2\t3\n", "auto"},
	} {
		d, err := read(strings.NewReader(test.Cursor), "t.csv", table.Options{Target: "y", Delimiter: test.delimiter})
		if err != nil {
			t.Errorf("%q: %v", test.Cursor, err)
		} else if !reflect.DeepEqual(d.X, [][]float64{{1, 2}}) || d.Y[0] != 3 || d.Rows[0] != 1 {
			t.Errorf("%q: %v %v", test.Cursor, d.X, d.Y)
		}
	}
}

// keyInText finds what may be a key in a message.
var keyInText = regexp.MustCompile(`\bdata\.[a-z_]+\b`)

// TestOptionFaultsNameKeys: a fault of options has its key, and the keys that its message
// names, as fields.
func TestOptionFaultsNameKeys(t *testing.T) {
	content := func(change func(*Source)) Source {
		s := Source{Path: "x.csv", Options: table.Options{Target: "y"}}
		change(&s)
		return s
	}
	for key, s := range map[string]Source{
		"data.builtin":      content(func(s *Source) { s.Builtin = "sinc" }),
		"data.test_path":    content(func(s *Source) { s.TestPath, s.Split.Kind, s.Split.Column = "t.csv", "column", "part" }),
		"data.train":        content(func(s *Source) { s.TestPath, s.Split.Train = "t.csv", 0.5 }),
		"data.split_column": content(func(s *Source) { s.Split.Column = "part" }),
		"data.group":        content(func(s *Source) { s.Split.Kind, s.Group = "chronological", "id" }),
		"data.split":        content(func(s *Source) { s.Split = Split{Kind: "column", Column: "part", Train: 0.5} }),
		"data.validation":   content(func(s *Source) { s.Split = Split{Train: 0.9, Validation: 0.5} }),
		"data.calibration":  content(func(s *Source) { s.Split.Calibration = 2 }),
		"data.target":       content(func(s *Source) { s.Target = "" }),
		"data.ignore":       content(func(s *Source) { s.Ignore = []string{"y"} }),
		"data.categorical":  content(func(s *Source) { s.Categorical = map[string]table.Coding{"y": {Encoding: table.OneHot}} }),
		"data.na":           content(func(s *Source) { s.NA, s.Features = table.NA{"b": {"-"}}, []string{"a"} }),
		"data.delimiter":    content(func(s *Source) { s.Delimiter = "dot" }),
		"data.missing":      content(func(s *Source) { s.Missing = "guess" }),
		"data.query":        content(func(s *Source) { s.Query = "SELECT 1 ORDER BY 1" }),
		"data.path":         content(func(s *Source) { s.Path = "none://x" }),
		"data.weight":       {Options: table.Options{Weight: "w"}},
	} {
		err := s.Validate()
		if err == nil {
			t.Errorf("%s: no fault", key)
			continue
		}
		for _, e := range apart(err) {
			fault, ok := e.(*table.KeyError)
			if !ok || fault.Key != key {
				t.Errorf("%s: %#v", key, e)
				continue
			}
			for _, named := range keyInText.FindAllString(fault.Message, -1) {
				if named != key && !slices.Contains(fault.With, named) {
					t.Errorf("%s: %q names %s, but With is %q", key, fault.Message, named, fault.With)
				}
			}
		}
	}
}

func apart(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, apart(e)...)
	}
	return all
}

// TestRefuses: data sets of wrong sizes, no random numbers and formats that cannot be written are errors, not panics.
func TestRefuses(t *testing.T) {
	content := func(change func(d *Dataset)) *Dataset {
		d := testenv.Must(New([]string{"a"}, "y", [][]float64{{1}, {2}, {3}, {4}}, []float64{1, 0, 1, 0}))
		change(d)
		return d
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for name, d := range map[string]*Dataset{
		"nil": nil, "zero": {}, "short targets": content(func(d *Dataset) { d.Y = d.Y[:1] }),
		"ragged":  content(func(d *Dataset) { d.X[3] = nil }),
		"weights": content(func(d *Dataset) { d.Weights = []float64{0} }), "groups": content(func(d *Dataset) { d.Groups = []int{1} }),
		"rows": content(func(d *Dataset) { d.Rows = []int{1} }), "class": content(func(d *Dataset) {
			d.Schema.Classes, d.Y[2] = []string{"u",
				"v"}, 2
		}),
		"further targets": content(func(d *Dataset) { d.Others = [][]float64{{1}} }),
	} {
		_, split := d.Split(Split{Train: 0.5})
		_, folds := d.Folds(2, rng)
		_, weighed := d.Weighed()
		for what, err := range map[string]error{"Split": split, "Folds": folds, "Weighed": weighed, "Validate": d.Validate()} {
			if fault := (*table.Error)(nil); !errors.As(err, &fault) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	d := content(func(*Dataset) {})
	for name, err := range map[string]error{
		"-1 folds": second(d.Folds(-1, rng)), "1 fold": second(d.Folds(1, rng)), "no random numbers": second(d.Folds(2, nil)),
		"no format": table.Convert(nil, table.Writable("x.csv"), table.Input{}, table.Conversion{}),
		"read only": table.Convert(nil, &table.Format{}, table.Input{}, table.Conversion{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if rows := Draw(d, 9, rng); len(rows) != 4 {
		t.Errorf("9 of 4 samples: %v", rows)
	}
}

func second[T any](_ T, err error) error { return err }

// wide returns a table of two rows, whose columns but the last hold cell.
func wide(columns int, cell string) string {
	names := make([]string, columns)
	for i := range names {
		names[i] = fmt.Sprintf("c%d", i)
	}
	cells := strings.Repeat(cell+",", columns-1)
	return strings.Join(names, ",") + "\n" + cells + "1\n" + cells + "2\n"
}

// look reads a table as init does, in two passes.
func look(path string) error {
	s, err := LookAt(table.Input{Name: path}, "")
	if err != nil {
		return err
	}
	_, err = ReadSample(context.Background(), path, table.Options{Target: s.Columns[len(s.Columns)-1].Name})
	return err
}

func TestMostColumns(t *testing.T) {
	var fault *table.Error
	if err := look(writeFile(t, "wide.csv", wide(table.MaxColumns, "1"))); err != nil {
		t.Errorf("%d columns: %v", table.MaxColumns, err)
	}
	err := look(writeFile(t, "wide.csv", wide(table.MaxColumns+1, "1")))
	if !errors.As(err, &fault) || fault.Line != 1 || !strings.Contains(fault.Message, "more than 100000 columns") {
		t.Errorf("%d columns: %v", table.MaxColumns+1, err)
	}
}

// TestMemoryPerColumn allocates some kilobytes for a column: a block of few rows is small, and a row is split once for all faults in it.
func TestMemoryPerColumn(t *testing.T) {
	const columns, most = 4000, 12 << 10
	for _, cell := range []string{"1.5", "x", `"x"`} {
		path := writeFile(t, "wide.csv", wide(columns, cell))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		testenv.OK(t, look(path))
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / columns; each > most {
			t.Errorf("cells %s: %d bytes for a column of two rows, want %d at most", cell, each, most)
		}
	}
}

func BenchmarkWide(b *testing.B) {
	for _, columns := range []int{1000, 10_000, 100_000} {
		for _, cell := range []string{"1.5", "x"} {
			b.Run(fmt.Sprintf("%s/%d", cell, columns), func(b *testing.B) {
				path := writeFile(b, "wide.csv", wide(columns, cell))
				b.ReportAllocs()
				for b.Loop() {
					testenv.OK(b, look(path))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*columns), "ns/column")
			})
		}
	}
}
