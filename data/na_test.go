package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"reflect"
	"strings"
	"testing"
)

// Texts of data.na are missing where they are said to be, and numbers also in other spellings; a schema keeps them.
func TestNA(t *testing.T) {
	const content = "a;c;o;w;y\n1;u;S;1;10\n-;u;M;1;11\n-200;-;L;-;12\n3;v;-;1;-200,0\n-2e2;v;M;2;13\n-;-;-200;1;14\n"
	opts := table.Options{
		Target: "y", Weight: "w", Missing: "mean", NA: table.NA{"*": {"-"}, "a": {"-200"}, "y": {"-200.0"}},
		Categorical: map[string]table.Coding{"o": {Encoding: table.Ordinal, Levels: []string{"S", "M", "L", "-200"}}},
	}
	d, err := read(strings.NewReader(content), "t.csv", opts)
	if err != nil {
		t.Fatal(err)
	}
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
	if _, err := read(strings.NewReader(content), "t.csv", opts); err == nil || !strings.HasPrefix(err.Error(), `t.csv:3:1: column "a": "-" marks a missing value`) {
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
		{table.Options{NA: table.NA{"a": {"-"}}, Ignore: []string{"a"}}, `data.na: column "a" is named by data.ignore, and its cells are never missing`},
		{table.Options{NA: table.NA{"a": {"-"}}, Features: []string{"b"}}, `data.na: column "a" is not in data.features`},
		{table.Options{NA: table.NA{"d": {"-"}}}, `t.csv:1: data.na: the table has no column "d" (its columns: "a", "b", "y")`},
		{table.Options{NA: table.NA{"*": {"S"}}, Categorical: map[string]table.Coding{"a": {Encoding: table.Ordinal, Levels: []string{"S"}}}}, `data.categorical: column "a": level "S" reads as a missing value`},
	} {
		test.opts.Target = "y"
		err := test.opts.Validate()
		if err == nil {
			_, err = read(strings.NewReader("a,b,y\n1,2,3\n"), "t.csv", test.opts)
		}
		if err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
	if _, err := ReadAs(writeFile(t, "t.csv", "a\n1\n"), readerSchema, table.Options{NA: table.NA{"*": {"-"}}}); err == nil {
		t.Error("a schema says what is missing, yet the option is no error")
	}
	bad := readerSchema
	bad.NA = table.NA{"*": {"low"}}
	if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), `level "low" reads as a missing value`) {
		t.Error(err)
	}
}
