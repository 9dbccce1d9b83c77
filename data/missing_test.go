package data

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// Under Missing own a missing cell is a level of a category, and beside a number a feature of its own, in the table that is learned from
// and in later ones; other columns are as under mean.
func TestOwn(t *testing.T) {
	nan := math.NaN()
	path := writeFile(t, "own.csv", "a,deck,full,size,grade,y\n1,,7,S,,1\n,u,8,,hi,2\n3,missing,9,L,lo,3\n")
	o := table.Options{Target: "y", Missing: table.MissingOwn, Categorical: map[string]table.Coding{
		"size": table.NewCoding([]string{"S", "L"}, true), "grade": table.NewCoding([]string{"missing", "lo", "hi"}, true)}}
	s := Source{Path: path, Split: Split{Train: 1}, Options: o}
	d := testenv.Must(s.Load(context.Background())).Train
	testenv.Equal(t, d.Schema.Features(), strings.Split("a,a=missing,deck=missing,deck=u,full,size,grade", ","), "features")
	rows := [][]float64{{1, 0, 1, 0, 7, 1, 1}, {nan, 1, 0, 1, 8, nan, 3}, {3, 0, 1, 0, 9, 2, 2}}
	for n, at := range d.Rows {
		if !same(d.X[n:n+1], rows[at-1:at]) {
			t.Errorf("row %d: %v, want %v", at, d.X[n], rows[at-1])
		}
	}
	testenv.Equal(t, d.Missing, table.Missing{Policy: "mean", Cells: 4, Imputed: 1, Own: 3,
		Columns: map[string]int{"a": 1, "deck": 1, "size": 1, "grade": 1}}, "counts")
	testenv.OK(t, d.Schema.Validate())

	later := writeFile(t, "later.csv", "a,deck,full,size,grade,y\n,,7,S,,1\n,w,8,S,w,2\n")
	read := testenv.Must(ReadAs(later, d.Schema, table.Options{Lenient: true}))
	if want := [][]float64{{nan, 1, 1, 0, 7, 1, 1}, {nan, 1, 0, 0, 8, 1, 1}}; !same(read.X, want) {
		t.Errorf("later: %v, want %v", read.X, want)
	}
	strict := writeFile(t, "strict.csv", "a,deck,full,size,grade,y\n,,7,S,,1\n,,,S,,2\n")
	testenv.FailsWith(t, second(ReadAs(strict, d.Schema, table.Options{})), `strict.csv:3:3: column "full": the cell is blank`, "strict")
}
