package data

import (
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// read reads a table that is not in a file.
func read(in io.Reader, name string, opts table.Options) (*Dataset, error) {
	return readTable(table.Input{Name: name, Reader: in}, opts)
}

func mustRead(t *testing.T, content string, opts table.Options) *Dataset {
	t.Helper()
	d, err := read(strings.NewReader(content), "t.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
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
	if want := [][]float64{{0}, {-1e308}, {5e-324}}; !same(d.X, want) {
		t.Errorf("X %v, want %v", d.X, want)
	}
}

func TestDelimiterByName(t *testing.T) {
	for _, name := range []string{"semicolon", ";"} {
		// the header has more commas than semicolons, outside quotes: auto would be wrong
		d := mustRead(t, "a,b,c;y\n1;2\n", table.Options{Target: "y", Delimiter: name})
		if got := d.Schema.Features(); !reflect.DeepEqual(got, []string{"a,b,c"}) {
			t.Errorf("%s: features %q", name, got)
		}
	}
}

func TestRoles(t *testing.T) {
	content := "id,b,w,s,y,a\nr1,1,0.5,test,3,2\nr2,4,2,train,6,5\n"
	d := mustRead(t, content, table.Options{Target: "y", Ignore: []string{"id"}, Weight: "w", SplitColumn: "s", Units: map[string]string{"a": "kg", "y": "MPa"}})
	if want := [][]float64{{1, 2}, {4, 5}}; !same(d.X, want) {
		t.Errorf("X %v, want %v", d.X, want)
	}
	if !reflect.DeepEqual(d.Weights, []float64{0.5, 2}) {
		t.Errorf("weights %v", d.Weights)
	}
	want := table.Schema{Columns: []table.Column{{Name: "b", Encoding: table.Numeric}, {Name: "a", Unit: "kg", Encoding: table.Numeric}}, Target: "y", TargetUnit: "MPa", Weight: "w"}
	if !reflect.DeepEqual(d.Schema, want) {
		t.Errorf("schema %+v, want %+v", d.Schema, want)
	}
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
		{"ordinal in order", map[string]table.Coding{"c": {table.Ordinal, []string{"low", "mid", "high", "top"}}}, "[c n]", [][]float64{{1, 10}, {3, 9}, {1, 10}, {2, 2}}},
		{"ordinal sorted", map[string]table.Coding{"c": {Encoding: table.Ordinal}}, "[c n]", [][]float64{{2, 10}, {1, 9}, {2, 10}, {3, 2}}},
		{"digits, by value", map[string]table.Coding{"c": {Encoding: table.Ordinal}, "n": {Encoding: table.OneHot}}, "[c n=2 n=9 n=10]", [][]float64{{2, 0, 0, 1}, {1, 0, 1, 0}, {2, 0, 0, 1}, {3, 1, 0, 0}}},
	} {
		d := mustRead(t, content, table.Options{Target: "y", Categorical: test.coding})
		if got := fmt.Sprint(d.Schema.Features()); got != test.features {
			t.Errorf("%s: features %s, want %s", test.name, got, test.features)
		}
		if !same(d.X, test.x) {
			t.Errorf("%s: X %v, want %v", test.name, d.X, test.x)
		}
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
	d := mustRead(t, "c,y\nb,1\n10,1\n-2,1\na,1\n9,1\n9.0,1\n", table.Options{Target: "y", Categorical: map[string]table.Coding{"c": {Encoding: table.Ordinal}}})
	if got, want := d.Schema.Columns[0].Levels, []string{"-2", "9", "9.0", "10", "a", "b"}; !reflect.DeepEqual(got, want) {
		t.Errorf("levels %q, want %q", got, want)
	}
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
	if want := (table.Missing{Policy: "drop", Cells: 6, Dropped: 5, Imputed: 0, Columns: columns}); !reflect.DeepEqual(d.Missing, want) {
		t.Errorf("drop: %+v, want %+v", d.Missing, want)
	}
	opts.Missing = "mean"
	d = mustRead(t, content, opts)
	if want := [][]float64{{1, 1, 0}, {nan, 0, 1}, {3, nan, nan}, {nan, nan, nan}}; !same(d.X, want) || !reflect.DeepEqual(d.Rows, []int{1, 2, 3, 6}) {
		t.Errorf("mean: X %v, Rows %v", d.X, d.Rows)
	}
	if want := (table.Missing{Policy: "mean", Cells: 6, Dropped: 2, Imputed: 4, Columns: columns}); !reflect.DeepEqual(d.Missing, want) {
		t.Errorf("mean: %+v, want %+v", d.Missing, want)
	}
	// a column that begins with blanks is still found out
	d = mustRead(t, "c,n,y\n,,1\nu,7,2\n", table.Options{Target: "y", Missing: "mean"})
	if got := fmt.Sprint(d.Schema.Features()); got != "[c=u n]" {
		t.Errorf("features %s", got)
	}
}

func TestReadAs(t *testing.T) {
	train := mustRead(t, "c,a,y\nu,1,1\nv,2,2\n", table.Options{Target: "y"})
	path := writeFile(t, "t.csv", "more;y;w;a;c\nx;10;2;7;v\ny;20;3;8;u\n")
	d, err := ReadAs(path, train.Schema, table.Options{Weight: "w"})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float64{{0, 1, 7}, {1, 0, 8}}; !same(d.X, want) || !reflect.DeepEqual(d.Y, []float64{10, 20}) || !reflect.DeepEqual(d.Weights, []float64{2, 3}) {
		t.Errorf("X %v, Y %v, Weights %v", d.X, d.Y, d.Weights)
	}
	if !reflect.DeepEqual(d.Schema, train.Schema) {
		t.Errorf("schema %+v, want that of training", d.Schema)
	}
	for _, test := range []struct {
		Cursor string
		opts   table.Options
		want   string
	}{
		{"c,a,y\nu,1,1\nx,2,2\n", table.Options{}, `:3:1: column "c": "x" is not one of its levels ("u", "v")`},
		{"c,y\nu,1\n", table.Options{}, `:1: a feature: the table has no column "a" (its columns: "c", "y")`},
		{"c,a\nu,1\n", table.Options{}, `:1: the target: the table has no column "y" (its columns: "c", "a")`},
		{"c,a,y\n", table.Options{}, `: the table has a header but no rows`},
		{"c,a,y\nu,1,1\n", table.Options{Target: "y"}, "data: a table read by a known schema takes the options query, delimiter, missing, lenient, run and weight only"},
	} {
		_, err := ReadAs(writeFile(t, "t.csv", test.Cursor), train.Schema, test.opts)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

func TestNew(t *testing.T) {
	x := [][]float64{{1, 2}, {3, 4}}
	d, err := New([]string{"a", "b"}, "y", x, []float64{5, 6})
	if err != nil {
		t.Fatal(err)
	}
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
	good := table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}, {Name: "c", Encoding: table.OneHot, Levels: []string{"u", "v"}}}, Target: "y"}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
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
