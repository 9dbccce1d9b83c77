package numeric

import (
	"math"
	"slices"
	"testing"
)

// TestBins: bins hold as many possible values each, and outliers are beyond the axis.
func TestBins(t *testing.T) {
	hours, area, winds := []float64{}, []float64{433014}, []float64{}
	quarters := []float64{}
	for i := range 130 {
		quarters = append(quarters, float64(i%13)/4)
	}
	for i := range 480 {
		hours, area = append(hours, float64(i%24)), append(area, float64(i))
		winds = append(winds, float64(i%60)/10)
	}
	for _, c := range []struct {
		name         string
		values       []float64
		from, to     float64
		counts       int
		least, most  int // counts of the bins but the outermost
		below, above int
	}{
		{"hours", hours, -0.5, 23.5, 24, 20, 20, 0, 0},
		{"tenths", winds, -0.05, 5.95, 30, 16, 16, 0, 0},
		{"area", area, -0.5, 479.5, 24, 20, 20, 0, 1},
		{"two", []float64{0, 1, 1}, -0.5, 1.5, 2, 1, 2, 0, 0},
		{"thirds", []float64{0, 1. / 3, 2. / 3, 1}, 0, 1, 20, 0, 1, 0, 0},
		{"nearly constant", append(make([]float64, 500), 7), -3.5, 10.5, 2, 1, 1, 0, 0},
		{"quarters", quarters, -0.125, 3.125, 13, 10, 10, 0, 0},
		{"odd numbers", []float64{1, 3, 5, 9}, 0, 10, 5, 0, 1, 0, 0},
		{"negative", []float64{-3, -1, -2}, -3.5, -0.5, 3, 1, 1, 0, 0},
	} {
		b := NewBins(c.values, MostBins)
		if math.Abs(b.From-c.from) > 1e-9 || math.Abs(b.To-c.to) > 1e-9 || len(b.Counts) != c.counts || b.Below != c.below || b.Above != c.above {
			t.Errorf("%s: %+v", c.name, b)
			continue
		}
		inner := b.Counts[1:max(2, len(b.Counts)-1)]
		if slices.Min(inner) < c.least || slices.Max(inner) > c.most {
			t.Errorf("%s: counts %v, want from %d to %d", c.name, b.Counts, c.least, c.most)
		}
		total := b.Below + b.Above
		for _, n := range b.Counts {
			total += n
		}
		if total != len(c.values) {
			t.Errorf("%s: %d of %d values are counted", c.name, total, len(c.values))
		}
	}
	for _, values := range [][]float64{nil, {2, 2}, {-math.MaxFloat64, math.MaxFloat64}} {
		if b := NewBins(values, MostBins); b != nil {
			t.Errorf("%v: %+v", values, b)
		}
	}
}

func TestNear(t *testing.T) {
	b := &Bins{From: 0, To: 5, Counts: []int{1, 0, 0, 0, 2}}
	for v, want := range map[float64]bool{-3: false, 0.5: true, 1.5: true, 2.5: false, 3.5: true, 5: true, 9: false} {
		if b.Near(v) != want {
			t.Errorf("%v is near: %v", v, !want)
		}
	}
}
