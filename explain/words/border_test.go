package words

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
)

// TestBorderByHand: a border has as few decimals as separate it from the neighbouring values.
func TestBorderByHand(t *testing.T) {
	whole := []float64{3, 4, 9, 120}
	fine := []float64{1013.21, 1013.24, 1015, 1019.5}
	rain := []float64{0, 0.01, 0.5, 1}
	for _, c := range []struct {
		v      float64
		lower  bool
		values []float64
		sd     float64
		want   string
	}{
		{3.5712, true, whole, 2, "4"}, {3.5712, false, whole, 2, "3"}, {4.0000000001, true, whole, 2, "4"}, {5.3, false, whole, 50, "5"}, {99.7, true, whole, 50, "100"},
		{1013.2289, true, fine, 3, "1013.23"}, {1013.2289, false, fine, 3, "1013.23"}, {1014.4321, true, fine, 3, "1014.4"}, {1014.4321, true, fine, 30, "1014"},
		{1013.2411, true, fine, 30, "1014"}, {1017.2, true, fine, 100, "1017"}, {0.0041234, true, []float64{-1, -0.5, 0.3}, 1, "0"}, {-0.3021234, false, []float64{-1, -0.5, 0.3}, 10, "0"},
		{3.42, true, []float64{1.5, 3, 8}, 10, "3.42"}, {3.4200000000001, false, []float64{1.5, 3, 8}, 10, "3.42"}, // the model's own border
		{2.345678e7, true, []float64{1.5, 2.3e7, 2.4e7}, 1e7, "23500000"}, {1.5, false, []float64{1.5, 2.3, 2.4}, 1, "1.5"},
		{0.0004365, true, rain, 0.87, "0.01"}, {0.0004365, false, rain, 0.87, "0"}, {0.74312, false, rain, 0.87, "0.7"}, {0.99962, false, rain, 0.87, "0.99"},
	} {
		text, got := newKnown(c.values, c.sd).border(c.v, c.lower)
		if v, err := strconv.ParseFloat(text, 64); text != c.want || err != nil || v != *got {
			t.Errorf("%v, lower %v: %q, %v; want %q", c.v, c.lower, text, *got, c.want)
		}
	}
}

// TestBorderOfRoundedModel: few digits of a border are printed in full, those of a model that
// is not rounded in as few as needed.
func TestBorderOfRoundedModel(t *testing.T) {
	k := newKnown([]float64{1000.5, 1020}, 3)
	k.round = true
	for v, want := range map[float64]string{1013.26: "1013.26", math.Nextafter(1013.26, 0): "1013.26", -0.0123456: "-0.0123456", 1013.2611122333: "1013.3"} {
		if text, got := k.border(v, true); text != want || math.Abs(*got-v) > 0.2 {
			t.Errorf("%v: %q, %v; want %q", v, text, *got, want)
		}
	}
}

// TestBordersSelectTheSameSamples: a condition as printed selects the training values that its
// border selects, for every shape and also through a power transform.
func TestBordersSelectTheSameSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	compared := 0
	for _, name := range membership.Names() {
		shape, err := membership.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		m, d := discreteModel(t, shape, rng)
		plain := Model(m)
		printed, err := ModelOn(m, d)
		if err != nil {
			t.Fatal(err)
		}
		scaled, err := m.Scale(d.X)
		if err != nil {
			t.Fatal(err)
		}
		columns := groups(m, nil)
		for r, rule := range printed.Rules {
			for _, c := range rule.Words {
				if c.From == nil && c.To == nil || c.cut.Outside || c.Preferably || c.numbered {
					continue
				}
				g := columns[slices.IndexFunc(columns, func(g group) bool { return g.column.Name == c.Column })]
				p := newProfile(g, m, r, nil)
				from, to := p.from, p.to
				if first, last, _ := p.core(coreShare); !p.bordered {
					from, to = p.ends(first, last, coreShare)
				}
				for n, x := range d.X {
					v := x[g.first]
					want := (from == nil || v >= *from-1e-9*math.Abs(*from)) && (to == nil || v <= *to+1e-9*math.Abs(*to))
					if compared++; c.Cut().Has(x) != want {
						t.Errorf("%s, rule %d: %q has %v (grade %v): %v, want %v", name, r+1, c, v, c.grade(scaled[n]), !want, want)
					}
				}
			}
		}
		if len(plain.Rules) != len(printed.Rules) {
			t.Error("other rules")
		}
	}
	if compared < 20_000 {
		t.Errorf("%d values compared", compared)
	}
}

// TestBordersOfIntervals: rules of a shape with borders name the borders of their functions.
func TestBordersOfIntervals(t *testing.T) {
	shape := membership.Sigmoid{}
	m, d := wordModel(t, shape, 4)
	f := m.Features[0]
	inf := math.Inf(1)
	for r, b := range [][2]float64{{33.42, inf}, {-inf, 20.7}, {20.7, 33.42}, {-inf, 100.2}} {
		for j, v := range shape.Between((b[0]-f.Mean)/f.SD, (b[1]-f.Mean)/f.SD, 0.4) {
			m.RuleBase.Antecedents[j][r][0] = v
		}
	}
	described, err := ModelOn(m, d)
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range []string{"a is at least 33.4 mm", "a is at most 20.7 mm", "a is 20.7 to 33.4 mm", "a is preferably at most "} {
		got := ""
		for _, c := range described.Rules[r].Words {
			got += c.String()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("rule %d: %q, want %q", r+1, got, want)
		}
	}
}
