package plot

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
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

// TestFit: wide texts are shortened, and different texts stay different.
func TestFit(t *testing.T) {
	st := style(tickSize)
	for _, c := range []struct{ texts, want []string }{
		{[]string{"north", "south"}, []string{"north", "south"}},
		{[]string{"southeast", "lee"}, []string{"south\u2026", "lee"}},
		{[]string{"southeasterly", "southwesterly"}, []string{"\u2026east\u2026", "\u2026wes\u2026"}},
		{[]string{"wind from the east", "wind from the west"}, []string{"\u2026east", "\u2026west"}},
		{[]string{"northern east", "northern west", "southern east", "southern west"},
			[]string{"nor\u2026ast", "nor\u2026est", "so\u2026ast", "so\u2026est"}},
		{[]string{"the same text", "the same text"}, []string{"the sa\u2026", "the sa\u2026"}},
	} {
		if got := fit(c.texts, st, st.Width("southern")); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
	// Different texts stay different, even if they exceed the width.
	texts := []string{"a rather long beginning, 1, and a rather long end", "a rather long beginning, 2, and a rather long end"}
	if got := fit(texts, st, vg.Points(5)); got[0] == got[1] {
		t.Errorf("both are %q", got[0])
	}
}

func TestGrowth(t *testing.T) {
	p := testenv.Must(Growth("Cost", "rules", "us", []Curve{{"fused", []Point{{X: 32, Y: 20}, {X: 16, Y: 10}}},
		{"C", []Point{{X: 16, Y: 5}, {X: 32, Y: 9}}}}))
	var b bytes.Buffer
	if err := p.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">Cost<", ">rules<", ">us<", ">16<", ">32<", ">10<", "fused", "C<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the figure does not have %s", want)
		}
	}
	for name, points := range map[string][]Point{"none": {}, "zero": {{X: 0, Y: 1}}, "negative": {{X: 1, Y: -1}}} {
		if _, err := Growth("Cost", "x", "y", []Curve{{name, points}}); err == nil {
			t.Errorf("%s: drawn without an error", name)
		}
	}
	if _, err := Growth("Cost", "x", "y", nil); err == nil {
		t.Error("drawn without a curve")
	}
}
