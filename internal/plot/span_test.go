package plot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// TestNamesOfLevels: names that do not fit side by side stand upright, and no more of them than there is room for.
func TestNamesOfLevels(t *testing.T) {
	for _, c := range []struct {
		levels, drawn int
		turned        bool
	}{{3, 3, false}, {8, 8, true}, {33, 11, true}} {
		s := span{column: column{levels: make([]string, c.levels)}, low: -0.5, high: float64(c.levels) - 0.5}
		for k := range s.levels {
			s.levels[k], s.places = string(rune('A'+k))+" district", append(s.places, float64(k))
		}
		p := newPlot("", "", vg.Inch)
		s.mark(&p.X, 40*vg.Millimeter)
		drawn := slices.DeleteFunc(p.X.Tick.Marker.Ticks(0, 1), func(tick gonum.Tick) bool { return tick.Label == "" })
		if turned := p.X.Tick.Label.Rotation != 0; turned != c.turned || len(drawn) != c.drawn {
			t.Errorf("%d levels: turned %v, %d names", c.levels, turned, len(drawn))
		}
	}
}

// TestVeil: a surface is drawn near the rows, and hidden far from them and at a value that no row has.
func TestVeil(t *testing.T) {
	rng, d := rand.New(rand.NewPCG(1, 2)), &data.Dataset{}
	for i := range 400 {
		u := rng.Float64()
		d.X, d.Y = append(d.X, []float64{u, u, float64(i % 2)}), append(d.Y, u)
	}
	axis := func(first int) span { return span{column: column{first: first, width: 1}, low: 0, high: 1} }
	v := newVeil(axis(0), axis(1), d)
	if v[60][60] != 1 || v[5][115] > 0 || v[115][5] > 0 {
		t.Errorf("near the rows %v, far from them %v and %v", v[60][60], v[5][115], v[115][5])
	}
	few := span{column: column{first: 2, width: 1}, places: places{0, 0.5, 1}, low: -0.25, high: 1.25}
	v = newVeil(few, axis(0), d)
	if v[60][20] != 1 || v[60][60] != 0 || v[60][100] != 1 {
		t.Errorf("at 0 %v, at 0.5 %v, at 1 %v", v[60][20], v[60][60], v[60][100])
	}
}

// TestBeyond: the title of an axis says what lies beyond it.
func TestBeyond(t *testing.T) {
	values := []float64{433014, -2e6}
	for i := range 600 {
		values = append(values, float64(i))
	}
	s := span{column: column{name: "area", unit: "m"}, bins: numeric.NewBins(values, numeric.MostBins)}
	if got, want := s.title(), "area [m] (1 \u2190 \u22122 M, 1 \u2192 433,014)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := interpolate([]float64{0, 1, 3}, []float64{0, 2, 0}, 2); math.Abs(got-1) > 1e-12 {
		t.Errorf("interpolated %v", got)
	}
}
