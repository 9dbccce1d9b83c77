package words

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// discreteModel returns a model with random rules of a shape over columns of all kinds: continuous, skewed, mostly zero, whole numbers, few
// distinct values (children, cylinders, speed, flag), one-hot and ordinal.
func discreteModel(t *testing.T, shape membership.Function, rng *rand.Rand) (*model.Model, *data.Dataset) {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Encoding: data.Numeric}, {Name: "skewed", Encoding: data.Numeric}, {Name: "rain", Encoding: data.Numeric},
		{Name: "year", Encoding: data.Numeric},
		{Name: "children", Encoding: data.Numeric}, {Name: "cylinders", Encoding: data.Numeric},
		{Name: "speed", Unit: "m/s", Encoding: data.Numeric}, {Name: "flag", Encoding: data.Numeric},
		{Name: "kind", Encoding: data.OneHot, Levels: []string{"p", "q", "r", "s"}},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"S", "M", "L", "XL"}},
	}}}
	for range 400 {
		row := []float64{
			50 + 12*rng.NormFloat64(), math.Exp(2 * rng.NormFloat64()), max(0, rng.NormFloat64()), float64(1970 + rng.IntN(40)),
			min(5, math.Floor(1.6*rng.ExpFloat64())), []float64{3, 4, 4, 4, 4, 5, 6, 6, 8, 8}[rng.IntN(10)],
			[]float64{31.7, 39.6, 55.5, 71.3}[rng.IntN(4)], float64(rng.IntN(2)),
			0, 0, 0, 0, float64(1 + rng.IntN(4)),
		}
		row[8+rng.IntN(4)] = 1
		d.X, d.Y = append(d.X, row), append(d.Y, rng.NormFloat64())
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	if rng.IntN(2) == 0 {
		p.Straighten(context.Background(), d.X, nil)
	}
	const R = 12
	rb := &rules.RuleBase{Shape: shape, Parameters: rules.NewParameters(len(shape.Params()), R, len(p.Used())), SpreadFloor: 1e-3}
	for r := range R {
		for i := range p.Used() {
			for j, v := range shape.Place(1.5*rng.NormFloat64(), 0.1+rng.ExpFloat64()) {
				rb.Antecedents[j][r][i] = v
			}
		}
	}
	m := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	return m, d
}

var (
	numberText = `(-?[0-9.]+(?:e[-+][0-9]+)?)`
	betweenEnd = regexp.MustCompile(`\(` + numberText + ` to ` + numberText + `\)$`)
	leastEnd   = regexp.MustCompile(`\(at least ` + numberText + `\)$`)
	mostEnd    = regexp.MustCompile(`\(at most ` + numberText + `\)$`)
)

// printed reports whether a value lies in the interval that a condition prints; ok is false if it prints none.
func printed(t *testing.T, text string, v float64) (within, ok bool) {
	t.Helper()
	read := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return v
	}
	if ends := betweenEnd.FindStringSubmatch(text); ends != nil {
		return read(ends[1]) <= v && v <= read(ends[2]), true
	}
	if end := leastEnd.FindStringSubmatch(text); end != nil {
		return v >= read(end[1]), true
	}
	if end := mostEnd.FindStringSubmatch(text); end != nil {
		return v <= read(end[1]), true
	}
	return false, false
}

// TestMetIsWhatIsPrinted: for random models of every shape, a row meets a condition, also a preference, if and only if its value lies in
// the printed interval or is among the printed levels or values.
func TestMetIsWhatIsPrinted(t *testing.T) {
	if testenv.Race {
		t.Skip("runs in one goroutine, and is too slow with the race detector")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	intervals, preferences, levels, rows := 0, 0, 0, testenv.CaseNumber(8, 12, 40)
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		m, d := discreteModel(t, shape, rng)
		columns := testenv.Must(shapley.New(m, d, 1))
		shown := testenv.Must(ModelOn(m, d))
		for n, row := range d.X[:rows] {
			e := testenv.Must(Explain(m, row, columns, []*data.Dataset{nil, d}[n%2]))
			for _, r := range e.Rules {
				for k, c := range r.Words {
					if want := shown.Rules[r.Rule-1].Words[k]; n%2 == 1 && c.String() != want.String() {
						t.Fatalf("%s: %q is shown as %q", name, c, want)
					}
					at := slices.IndexFunc(d.Schema.Columns, func(column data.Column) bool { return column.Name == c.Column })
					if want, ok := printed(t, c.String(), row[min(at, 8)]); ok {
						intervals++
						if c.Preferably {
							preferences++
						}
						if c.Met != want {
							t.Fatalf("%s: %q met by %v: %v", name, c, row[at], c.Met)
						}
					}
					if c.Is == "0" && c.Met != (row[at] == 0) {
						t.Fatalf("%s: %q met by %v: %v", name, c, row[at], c.Met)
					}
					if c.Column == "kind" && !strings.HasPrefix(c.Is, "none") {
						levels++
						level := d.Schema.Columns[8].Levels[slices.Index(row[8:12], 1)]
						if c.Met != (strings.Contains(" "+c.Is+" ", " "+level+" ") != strings.HasPrefix(c.Is, "not ")) {
							t.Fatalf("%s: %q met by %s: %v", name, c, level, c.Met)
						}
					}
				}
			}
		}
	}
	if intervals < 250*rows || preferences < 12*rows || levels < 25*rows {
		t.Errorf("%d intervals, %d of preferences, %d conditions on levels", intervals, preferences, levels)
	}
}

// TestWordsOfFewValues: on columns with few distinct values a condition names at least one
// value, and each value that it names occurs and has the grade that it claims.
func TestWordsOfFewValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	few := []string{"children", "cylinders", "speed", "flag"}
	number := regexp.MustCompile(`[0-9.]+`)
	said, ranges := 0, 0
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		m, d := discreteModel(t, shape, rng)
		for _, r := range Model(m).Rules {
			for _, c := range r.Words {
				at := 4 + slices.Index(few, c.Column)
				if at < 4 || c.Is == "none of its values" {
					continue
				}
				said++
				f := m.Features[at]
				occurring := f.FewValues(d.Len())
				grades := map[float64]float64{}
				least, largest := math.Inf(1), 0.0
				for _, v := range occurring {
					g := []float64{f.Antecedent((v - f.Mean) / f.SD)}
					shape.Grades(g, g, m.RuleBase.Function(make([]float64, len(shape.Params())), r.Number-1, at))
					grades[v], least, largest = g[0], min(least, g[0]), max(largest, g[0])
				}
				claimed := largest / 2
				if c.Preferably {
					claimed = (largest + least) / 2
				}
				text := strings.TrimSuffix(c.String(), " m/s")
				for _, n := range number.FindAllString(strings.SplitN(text, " is ", 2)[1], -1) {
					v, err := strconv.ParseFloat(n, 64)
					if err != nil || !slices.ContainsFunc(d.X, func(row []float64) bool { return row[at] == v }) {
						t.Errorf("%s: %q names %s, which does not occur", name, c, n)
					}
				}
				if strings.Contains(text, "at ") || strings.Contains(text, " to ") {
					ranges++
				}
				meeting := 0
				for _, v := range occurring {
					row := make([]float64, len(m.Features))
					if row[at] = v; c.Cut().Has(row) {
						if meeting++; grades[v] < claimed*(1-1e-9) {
							t.Errorf("%s: %q has %v, whose grade is %v of %v", name, c, v, grades[v], largest)
						}
					}
				}
				if meeting == 0 || meeting == len(occurring) {
					t.Errorf("%s: %q is met by %d of %v", name, c, meeting, occurring)
				}
			}
		}
	}
	if said < 100 || ranges < 20 {
		t.Errorf("%d conditions, %d ranges", said, ranges)
	}
}

// TestWordsOfCylinders checks the words of conditions over 3, 4, 5, 6, 8 written by hand. Only with
// the training part it is known that 7 does not occur.
func TestWordsOfCylinders(t *testing.T) {
	m, d := discreteModel(t, membership.Gaussian{}, rand.New(rand.NewPCG(7, 8)))
	f := m.Features[5]
	f.Power, m.Features[5].Power = nil, nil
	for _, c := range []struct {
		center, spread float64
		bounds         string // From and To
		want, file     string // with the training part and without it; empty: the same
	}{
		{7.1, 1.1, "[6,null]", "cylinders is 6 or 8", "cylinders is at least 6"}, {4, 0.5, "[4,4]", "cylinders is 4", ""},
		{4, 0.9, "[null,5]", "cylinders is at most 5", ""}, {9, 3, "[6,null]", "cylinders is 6 or 8", "cylinders is at least 6"},
		{8, 2.6, "[5,null]", "cylinders is at least 5", ""},
		{5, 0.9, "[4,6]", "cylinders is 4 to 6", ""}, {5.5, 0.2, "[5,6]", "cylinders is 5 or 6", ""},
	} {
		for r := range m.RuleBase.Consequents {
			m.RuleBase.Antecedents[0][r][5], m.RuleBase.Antecedents[1][r][5] = (c.center-f.Mean)/f.SD, c.spread/f.SD
		}
		shown := testenv.Must(ModelOn(m, d))
		for want, description := range map[string]Description{c.want: shown, cmp.Or(c.file, c.want): Model(m)} {
			var got []string
			for _, w := range description.Rules[0].Words {
				if w.Column == "cylinders" {
					got = append(got, w.String())
					if text, _ := json.Marshal([]*float64{w.From, w.To}); string(text) != c.bounds {
						t.Errorf("%q has the bounds %s, want %s", w, text, c.bounds)
					}
				}
			}
			if fmt.Sprint(got) != fmt.Sprint([]string{want}) {
				t.Errorf("center %v, spread %v: %q, want %q", c.center, c.spread, got, want)
			}
		}
	}
}

// TestWordsOfOneWholeNumber: a condition that only one of many whole numbers meets names it.
func TestWordsOfOneWholeNumber(t *testing.T) {
	m, _ := discreteModel(t, membership.Gaussian{}, rand.New(rand.NewPCG(7, 8)))
	const year = 3
	f := m.Features[year]
	place := func(center float64) {
		for j, v := range m.RuleBase.Shape.Place(f.Antecedent((center-f.Mean)/f.SD),
			f.Antecedent((center+0.3-f.Mean)/f.SD)-f.Antecedent((center-f.Mean)/f.SD)) {
			m.RuleBase.Antecedents[j][0][year] = v
		}
	}
	for center, want := range map[float64]string{1980: "year is 1980", 2001: "year is 2001"} {
		place(center)
		words := Model(m).Rules[0].Words
		at := slices.IndexFunc(words, func(c Condition) bool { return c.Column == "year" })
		if at < 0 || words[at].String() != want || words[at].From == nil || *words[at].From != center || *words[at].To != center {
			t.Fatalf("%v, want %q", words, want)
		}
		row := make([]float64, len(m.Features))
		for v := center - 1; v <= center+1; v++ {
			if row[year] = v; words[at].Cut().Has(row) != (v == center) {
				t.Errorf("%q is met by %v: %v", words[at], v, v != center)
			}
		}
	}
}

// TestCutByHand: a missing number counts as the mean, an unknown level as none of those named.
func TestCutByHand(t *testing.T) {
	two, nan := 2.0, math.NaN()
	level := Cut{Feature: 1, Levels: 2, In: []float64{1}}
	other := Cut{Feature: 1, Levels: 2, Out: []float64{1}}
	for _, c := range []struct {
		cut  Cut
		x    []float64
		want bool
	}{
		{Cut{From: &two}, []float64{2}, true}, {Cut{From: &two}, []float64{1.99}, false}, {Cut{To: &two, Mean: 1}, []float64{nan}, true},
		{Cut{To: &two, Mean: 3}, []float64{nan}, false},
		{Cut{From: &two, To: &two, Outside: true}, []float64{2}, false}, {Cut{From: &two, To: &two, Outside: true}, []float64{3}, true},
		{level, []float64{9, 0, 1}, true}, {level, []float64{9, 1, 0}, false}, {level, []float64{9, 0, 0}, false},
		{level, []float64{9, nan, nan}, false},
		{other, []float64{9, 0, 1}, false}, {other, []float64{9, 1, 0}, true}, {other, []float64{9, 0, 0}, true},
		{Cut{In: []float64{0, 1}}, []float64{1}, true}, {Cut{In: []float64{0, 1}}, []float64{0.5}, false}, {Cut{}, []float64{7}, true},
	} {
		if got := c.cut.Has(c.x); got != c.want {
			t.Errorf("%+v has %v: %v", c.cut, c.x, got)
		}
	}
}

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
		{3.5712, true, whole, 2, "4"}, {3.5712, false, whole, 2, "3"}, {4.0000000001, true, whole, 2, "4"}, {5.3, false, whole, 50, "5"},
		{99.7, true, whole, 50, "100"},
		{1013.2289, true, fine, 3, "1013.23"}, {1013.2289, false, fine, 3, "1013.23"}, {1014.4321, true, fine, 3, "1014.4"},
		{1014.4321, true, fine, 30, "1014"},
		{1013.2411, true, fine, 30, "1014"}, {1017.2, true, fine, 100, "1017"}, {0.0041234, true, []float64{-1, -0.5, 0.3}, 1, "0"},
		{-0.3021234, false, []float64{-1, -0.5, 0.3}, 10, "0"},
		{3.42, true, []float64{1.5, 3, 8}, 10, "3.42"}, {3.4200000000001, false, []float64{1.5, 3, 8}, 10, "3.42"}, // the model's own border
		{2.345678e7, true, []float64{1.5, 2.3e7, 2.4e7}, 1e7, "23500000"}, {1.5, false, []float64{1.5, 2.3, 2.4}, 1, "1.5"},
		{0.0004365, true, rain, 0.87, "0.01"}, {0.0004365, false, rain, 0.87, "0"}, {0.74312, false, rain, 0.87, "0.7"},
		{0.99962, false, rain, 0.87, "0.99"},
	} {
		text, got := newKnown(c.values, c.sd).border(c.v, c.lower)
		if v, err := strconv.ParseFloat(text, 64); text != c.want || err != nil || v != *got {
			t.Errorf("%v, lower %v: %q, %v; want %q", c.v, c.lower, text, *got, c.want)
		}
	}
}

// TestBorderOfRoundedModel: few digits of a border are printed in full, those of a model that is not rounded in as few as needed.
func TestBorderOfRoundedModel(t *testing.T) {
	k := newKnown([]float64{1000.5, 1020}, 3)
	k.round = true
	for v, want := range map[float64]string{1013.26: "1013.26", math.Nextafter(1013.26, 0): "1013.26", -0.0123456: "-0.0123456",
		1013.2611122333: "1013.3"} {
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
		shape := testenv.Must(membership.Lookup(name))
		m, d := discreteModel(t, shape, rng)
		plain := Model(m)
		printed := testenv.Must(ModelOn(m, d))
		scaled := testenv.Must(m.Scale(d.X))
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
	described := testenv.Must(ModelOn(m, d))
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
