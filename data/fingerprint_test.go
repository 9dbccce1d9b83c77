package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"testing"
)

// Whatever training can see changes the fingerprint, and nothing else does.
func TestFingerprint(t *testing.T) {
	sound := func() *Dataset {
		return &Dataset{
			Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}, {Name: "b", Encoding: table.Numeric}}, Target: "y"},
			X:      [][]float64{{1, 2}, {3, 4}}, Y: []float64{5, 6}, Weights: []float64{1, 2}, Groups: []int{1, 1}, Rows: []int{1, 2},
		}
	}
	seen := map[string]int{sound().Fingerprint(): -1}
	for i, change := range []func(*Dataset){
		func(d *Dataset) { d.Schema.Columns[0].Name = "c" },
		func(d *Dataset) { d.Schema.Columns[0].Encoding = table.Ordinal },
		func(d *Dataset) { d.Schema.Target = "z" },
		func(d *Dataset) { d.X[1][0] = math.Nextafter(3, 4) },
		func(d *Dataset) { d.Y[1] = math.Nextafter(6, 7) },
		func(d *Dataset) { d.X[0], d.X[1] = d.X[1], d.X[0] },
		func(d *Dataset) { d.X[1][1], d.Y[1] = d.Y[1], d.X[1][1] },
		func(d *Dataset) { d.Weights[0] = 3 },
		func(d *Dataset) { d.Weights = nil },
		func(d *Dataset) { d.Groups[0] = 2 },
		func(d *Dataset) { d.Ordered = true },
		func(d *Dataset) { d.Missing.Policy = "mean" },
		func(d *Dataset) { d.Schema.Classes = []string{"no", "yes"} },
		func(d *Dataset) { d.Schema.Others = []table.Other{{Name: "z"}} },
		func(d *Dataset) { d.Schema.Others, d.Others = []table.Other{{Name: "z"}}, [][]float64{{7, 8}} },
		func(d *Dataset) { d.Schema.Others, d.Others = []table.Other{{Name: "z"}}, [][]float64{{7, 9}} },
		func(d *Dataset) { d.X, d.Y = d.X[:1], d.Y[:1] },
	} {
		d := sound()
		change(d)
		if before, ok := seen[d.Fingerprint()]; ok {
			t.Errorf("change %d has the fingerprint of %d", i, before)
		}
		seen[d.Fingerprint()] = i
	}
	same := sound()
	same.Rows = []int{7, 9}
	if _, ok := seen[same.Fingerprint()]; !ok {
		t.Error("row numbers change the fingerprint")
	}
	if x := same.X[0]; cap(x) != 2 {
		t.Error("the data set was changed")
	}
}
