package data

import (
	"context"
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"reflect"
	"strings"
	"testing"
)

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
	d, err := ReadAs(path, strangeSchema, table.Options{Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float64{{1, 1, 0, 1}, {nan, 0, 0, nan}, {2, nan, nan, nan}}; !same(d.X, want) {
		t.Errorf("X %v, want %v", d.X, want)
	}
	want := table.Missing{Policy: "mean", Cells: 4, Dropped: 1, Imputed: 3,
		Columns: map[string]int{"a": 1, "c": 1, "size": 1, "y": 1}, Unknown: map[string]int{"c": 2, "size": 1},
		First: path + `:3:1: column "a": the cell is blank: give it a value`}
	if !reflect.DeepEqual(d.Missing, want) {
		t.Errorf("%+v, want\n%+v", d.Missing, want)
	}
	if _, err := ReadAs(path, strangeSchema, table.Options{}); err == nil || err.Error() != want.First {
		t.Errorf("strict: %v, want %s", err, want.First)
	}

	b, _, err := readBatches(strings.NewReader(content), strangeSchema, table.ReaderOptions{Lenient: true})
	if err != nil || len(b.X) != 4 || b.Missing.Unknown["c"] != 2 || b.Missing.First != `t.csv:3:1: column "a": the cell is blank: give it a value` {
		t.Errorf("block: %v, %+v, %v", b.X, b.Missing, err)
	}
}

// The test part may have missing cells and, in a table of its own, unknown levels; the parts that are learned from may not.
func TestStrangeTestPart(t *testing.T) {
	path := writeFile(t, "all.csv", "a,c,y,part\n1,u,1,train\n2,v,2,train\n,u,3,test\n4,,4,test\n")
	s := Source{Path: path, Options: table.Options{Target: "y"}, Split: Split{Kind: "column", Column: "part"}}
	p, err := s.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if m := p.Test.Missing; m.Policy != "mean" || m.Imputed != 2 || m.Cells != 2 || m.First != path+`:4:1: column "a": the cell is blank: give it a value, or set data.missing to drop or mean` {
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
	if p, err = s.Load(context.Background()); err != nil || p.Test.Missing.Unknown["c"] != 1 || p.Test.Missing.Imputed != 1 || !same(p.Test.X, [][]float64{{1, 0, 0}, {math.NaN(), 0, 1}}) {
		t.Errorf("test file: %+v, %v", p, err)
	}
}
