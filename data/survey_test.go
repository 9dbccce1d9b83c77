package data

import (
	"errors"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func TestLookAt(t *testing.T) {
	path := writeFile(t, "t.csv", "row,v,word,mixed,date,comma,empty,time\n"+
		"1,2.5,a,1,2021-03-01,\"1,5\",,1\n"+
		"2,NA,b,x,2021-03-02,\"2,5\",?,2\n"+
		"3,2.5,a,#3,2021-03-02,\"3,5\",NA,2\n"+
		"4,-1,c,1,2021-03-09,\"3,5\",,7\n")
	s := testenv.Must(LookAt(table.Input{Name: path}, "auto"))
	if s.Rows != 4 || len(s.Columns) != 8 {
		t.Fatalf("%+v", s)
	}
	type facts struct {
		missing, numbers, words, others, dates, marked, distinct int
		integers, rising, steps, unique                          bool
	}
	for i, want := range []facts{
		{0, 4, 0, 0, 0, 0, 4, true, true, true, true},
		{1, 3, 0, 0, 0, 0, 2, false, false, false, false},
		{0, 0, 4, 0, 0, 0, 3, false, false, false, false},
		{0, 2, 1, 1, 0, 0, 3, true, false, false, false},
		{0, 0, 0, 4, 4, 0, 3, false, true, false, false},
		{0, 0, 0, 4, 0, 4, 3, false, false, false, false},
		{4, 0, 0, 0, 0, 0, 0, false, false, false, false},
		{0, 4, 0, 0, 0, 0, 3, true, true, false, false},
	} {
		p := s.Columns[i]
		got := facts{p.Missing, p.Numbers, p.Words, p.Others, p.Dates, p.Marked, p.Distinct, p.Integers, p.Rising, p.Steps, p.Unique()}
		testenv.Equal(t, got, want, "%s", p.Name)
	}
	if odd := s.Columns[3].Odd; odd == nil || odd.Line != 3 || odd.Cell != "x" {
		t.Errorf("odd cell %v", odd)
	}
	if s.Columns[0].Odd != nil {
		t.Errorf("odd cell %v", s.Columns[0].Odd)
	}
}

func TestLookAtFaults(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n":           "a header but no rows",
		"a,b\n1\n":        "the row has 1 cells",
		"a,a\n1,2\n":      "have the same name",
		"":                "the table is empty",
		"a,b\n1,\"2\n3\n": "a quote that is not closed",
	} {
		_, err := LookAt(table.Input{Name: writeFile(t, "t.csv", text)}, "auto")
		var fault *table.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	testenv.FailsWith(t, second(LookAt(table.Input{Name: "t.csv"}, "colon")), "data.delimiter")
}

// A survey knows the ends of a column's numbers and the texts among them.
func TestLookAtEnds(t *testing.T) {
	s := testenv.Must(LookAt(table.Input{Name: writeFile(t, "t.csv", "a;b\n-200;-\n3,5;5\n-200,0;-\n7;x\n1;5\n")}, "auto"))
	a, b := s.Columns[0], s.Columns[1]
	testenv.Equal(t, a.Low, (End{Value: -200, Count: 2, Next: 1}), "low")
	testenv.Equal(t, a.High, (End{Value: 7, Count: 1, Next: 3.5}), "high")
	if want := (End{Value: 5, Count: 2, Next: 5}); b.Low != want || b.High != want {
		t.Errorf("ends %+v and %+v, want %+v", b.Low, b.High, want)
	}
	if b.Texts["-"] != 2 || b.Texts["x"] != 1 || len(b.Texts) != 2 || len(a.Texts) != 0 || !a.Commas {
		t.Errorf("texts %v and %v, commas %v", a.Texts, b.Texts, a.Commas)
	}
}
