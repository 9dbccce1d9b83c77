package data

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
)

// TestTwins: every feature counts, missing ones are equal, 0 is -0, and neither targets nor weights count.
func TestTwins(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	other := &Dataset{X: [][]float64{{3, 1}, {nan, 2}, {0, 5}, {1, nan}, {3, 1}}, Y: []float64{1, 2, 3, 4, 5}}
	d := &Dataset{
		X:       [][]float64{{3, 1}, {3, 1.5}, {nan, 2}, {nan, 5}, {zero, 5}, {nan, 1}, {1, nan}, {1, 2}, {4, 0}},
		Y:       []float64{9, 1, 9, 1, 9, 1, 4, 1, 1},
		Weights: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9},
	}
	want := []bool{true, false, true, false, true, false, true, false, false}
	if got := Twins(d, other); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Twins(d, &Dataset{}); slices.Contains(got, true) || len(got) != 9 {
		t.Errorf("twins in an empty data set: %v", got)
	}
}

// TestRealTwins: the numbers of test rows with a twin are those of an independent count, with hashes of the rows.
func TestRealTwins(t *testing.T) {
	for _, c := range []struct {
		file, target string
		want         []int // on the first three splits
	}{
		{"wine-white", "quality", []int{397, 391, 399}}, {"concrete", "strength", []int{12, 16, 14}}, {"no2", "log_no2", []int{0, 0, 0}},
	} {
		d, err := Read(filepath.Join(realdata.Dir(t), c.file+".csv"), table.Options{Target: c.target})
		if err != nil {
			t.Fatal(err)
		}
		train, test := realdata.Splits(t, c.file)
		for k, want := range c.want {
			got := 0
			for _, twin := range Twins(d.Subset(test[k]), d.Subset(train[k])) {
				if twin {
					got++
				}
			}
			if got != want {
				t.Errorf("%s, split %d: %d twins, want %d", c.file, k, got, want)
			}
		}
	}
}

// BenchmarkTwins looks for twins of 15,000 rows among 35,000, of nine features.
func BenchmarkTwins(b *testing.B) {
	rows := func(n, first int) *Dataset {
		d := &Dataset{X: matrix(n, 9), Y: make([]float64, n)}
		for i, x := range d.X {
			for m := range x {
				x[m] = float64((first+i)*7919%40009) / float64(1+m)
			}
		}
		return d
	}
	d, other := rows(15000, 30000), rows(35000, 0)
	b.ReportAllocs()
	for b.Loop() {
		Twins(d, other)
	}
}
