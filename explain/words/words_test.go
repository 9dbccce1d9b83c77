package words

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// evenly returns n values from 0 up to n-1.
func evenly(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(i)
	}
	return v
}

// TestScaleNames checks names written by hand over 100 values, 0 to 99, and over values a third of which are zero, or the largest.
func TestScaleNames(t *testing.T) {
	even := evenly(100)
	zeros := slices.Concat(make([]float64, 40), evenly(61)[1:])
	tops := slices.Concat(evenly(60), slices.Repeat([]float64{396.9}, 40))
	rare := slices.Concat(make([]float64, 95), evenly(6)[1:])
	both := slices.Concat(make([]float64, 30), evenly(41)[1:], slices.Repeat([]float64{50}, 30))
	for _, c := range []struct {
		values      []float64
		first, last int
		want        string
	}{
		{even, 0, 9, "very low"}, {even, 0, 29, "low"}, {even, 0, 60, "not high"}, {even, 0, 80, "not very high"}, {even, 0, 96, ""},
		{even, 12, 28, "moderately low"}, {even, 10, 60, "moderately low to medium"}, {even, 10, 90, "not extreme"},
		{even, 8, 99, "not very low"},
		{even, 30, 69, "medium"}, {even, 35, 85, "medium to moderately high"}, {even, 35, 99, "not low"},
		{even, 70, 89, "moderately high"}, {even, 65, 99, "high"}, {even, 91, 99, "very high"},
		{even, 44, 46, "medium"}, {even, 2, 3, "very low"}, {even, 96, 96, "very high"}, // less than half a term: the term of the middle
		{zeros, 0, 39, "0"}, {zeros, 0, 45, "very low"}, {zeros, 0, 57, "low"}, {zeros, 40, 99, "not 0"}, {zeros, 40, 57, "low, not 0"},
		{zeros, 60, 80, "medium"},
		{tops, 60, 99, "396.9"}, {tops, 0, 59, "not 396.9"}, {tops, 40, 99, "high"}, {tops, 40, 59, "high, not 396.9"},
		{both, 30, 69, "not 0 nor 50"},
		// some terms have no values
		{rare, 0, 99, ""}, {rare, 0, 94, "0"}, {rare, 95, 99, "not 0"}, {rare, 0, 97, "not high"}, {rare, 97, 99, "not low"},
	} {
		if got := newScale(c.values, 100).name(c.first, c.last); got != c.want {
			t.Errorf("values %d to %d of %v...: %q, want %q", c.first, c.last, c.values[:3], got, c.want)
		}
	}
}

// TestScaleOfFewSamples: a value of a single sample is no separate term.
func TestScaleOfFewSamples(t *testing.T) {
	values := slices.Repeat([]float64{7}, 30)
	if got := newScale(append(values, evenly(70)...), 4).name(0, 29); got != "low" {
		t.Errorf("%q", got)
	}
}

// TestSpansAreDistinct: no two spans of terms have the same name.
func TestSpansAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for i := range spans {
		for j := i; j < 5; j++ {
			name := spans[i][j]
			if seen[name] || name == "" && (i != 0 || j != 4) {
				t.Errorf("%d to %d: %q", i, j, name)
			}
			seen[name] = true
		}
	}
}

func TestRounding(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{near(1013.26, 6), "1013.3"}, {near(382.4, 104), "382"}, {near(-0.0001, 1), "0.00"}, {near(123456, 4000), "123500"},
		{near(2.5, 0), "2.5"},
		{near(1e12, math.Inf(1)), "1e+12"}, {near(-1e300, 1), "-1e+300"}, {near(9007199254740000, 20), "9007199254740000"},
		{signed(-3, 20), "-3"}, {signed(3, 20), "+3"}, {slight(-0.034, 20), "-0.03"}, {slight(3, 20), "+3"}, {slight(0, 20), "+0"},
		{slight(1e-15, 20), "+0"}, {trimmed("10.500"), "10.5"}, {trimmed("100"), "100"}, {trimmed("0.0"), "0"},
		{percent(0), "0%"}, {percent(0.001), "<1%"}, {percent(0.5), "50%"}, {percent(0.998), ">99%"}, {percent(1), "100%"},
		{plainly(1009.4, 3), "1010"}, {plainly(0.012345, 3), "0.0123"}, {plainly(1.5e-7, 3), "1.5e-07"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// wordModel returns a model over columns a (numbers 0 to 100, unit mm), season (one-hot,
// four levels), flag (0 or 1) and size (ordinal: S, M, L), and its samples; rules have no conditions yet.
func wordModel(t *testing.T, shape membership.Function, R int) (*model.Model, *data.Dataset) {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", TargetUnit: "kg", Columns: []data.Column{
		{Name: "a", Unit: "mm", Encoding: data.Numeric},
		{Name: "season", Encoding: data.OneHot, Levels: []string{"autumn", "spring", "summer", "winter"}},
		{Name: "flag", Encoding: data.Numeric},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"S", "M", "L"}},
	}}}
	for n := range 201 {
		x := make([]float64, 7)
		x[0] = float64(n) / 2
		x[1+n%4] = 1
		x[5] = float64(n % 2)
		x[6] = float64(1 + n%3)
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, float64(n%7)), append(d.Rows, n+1)
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	rb := &rules.RuleBase{Shape: shape, Parameters: rules.NewParameters(len(shape.Params()), R, 7), SpreadFloor: 1e-3}
	for r := range R {
		for m := range 7 {
			rb.Flatten(r, m)
		}
	}
	m := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	return m, d
}

// ask adds a condition to rule r: the shape placed at a value of a feature, with a spread in the feature's unit.
func ask(m *model.Model, r, feature int, center, spread float64) {
	f := m.Features[feature]
	for j, v := range m.RuleBase.Shape.Place((center-f.Mean)/f.SD, spread/f.SD) {
		m.RuleBase.Antecedents[j][r][feature] = v
	}
}

func TestWordsByHand(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 9)
	half := math.Sqrt(2 * math.Ln2) // spreads from the center to the grade 1/2
	ask(m, 0, 0, 0, 25/half)        // low: the lowest training value has the largest grade
	ask(m, 1, 0, 50, 20.01/half)    // medium; the quantiles of a are whole numbers, and so are ends
	ask(m, 2, 0, 150, 60)           // rises to the end
	ask(m, 3, 4, 1, 0.3)            // winter
	ask(m, 4, 4, 0, 0.3)            // not winter
	ask(m, 5, 5, 1, 0.3)            // flag 1
	ask(m, 6, 6, 3, 1)              // M (exp(-1/2)) or L
	ask(m, 7, 0, 100, 110)          // below half almost nowhere
	ask(m, 8, 0, 50, 300)           // nearly constant
	m.RuleBase.Consequents[3] = []float64{1, 0, 2, 0, 0, 0, 0, 0}
	words := map[int]string{}
	d := Model(m)
	for _, r := range d.Rules {
		var parts []string
		for _, c := range r.Words {
			parts = append(parts, c.String())
		}
		words[r.Number] = strings.Join(parts, "; ")
	}
	for number, want := range map[int]string{
		1: "a is low (at most 25 mm)", 2: "a is medium (30 to 70 mm)", 3: "a is high (at least 62 mm)",
		4: "season is winter", 5: "season is not winter", 6: "flag is 1", 7: "size is at least M",
		8: "a is preferably not low (at least 31 mm)", 9: "",
	} {
		got := words[number]
		if number == 8 { // bounds between values: compare only the words
			got, want = strings.Split(got, " (")[0], strings.Split(want, " (")[0]
		}
		if got != want {
			t.Errorf("rule %d: %q, want %q", number, got, want)
		}
	}
	if i := d.Interpretability; i.Rules != 9 || math.Abs(i.Length-8.0/9) > 1e-15 {
		t.Errorf("%+v", i)
	}
	if _, err := json.Marshal(d); err != nil {
		t.Error(err)
	}
	b := d.Sentences().Text
	for _, want := range []string{
		"y [kg] is the mean of what 9 rules say", "  IF   season is winter\n  THEN y [kg] =\n", "+ 4.", " if season is autumn",
		"  ALWAYS\n  THEN y is 2.98 kg\n",
		"very low is the lowest tenth",
	} {
		if !strings.Contains(b, want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}

// TestConditionsHoldToTheirGrades: for every shape and position, also through a power transform, the bounds are, to the digits printed, the
// values whose grade is half the largest over the training values, or beyond all values; half of one for a shape with borders.
func TestConditionsHoldToTheirGrades(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	said, ended, transformed := 0, 0, 0
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		const R = 40
		m, d := wordModel(t, shape, R)
		for _, row := range d.X {
			row[0] = math.Expm1(row[0] / 20)
		}
		p := testenv.Must(model.Fit(context.Background(), d))
		if rng.IntN(2) == 0 {
			p.Straighten(context.Background(), d.X, nil)
		}
		m.Preprocessing = p
		for r := range R {
			for j, v := range shape.Place(2*rng.NormFloat64(), 0.05+rng.ExpFloat64()) {
				m.RuleBase.Antecedents[j][r][0] = v
			}
		}
		f := p.Features[0]
		transformed += len(f.Quantiles) / 21
		for _, r := range Model(m).Rules {
			if len(r.Words) == 0 {
				continue
			}
			c := r.Words[0]
			said++
			params := m.RuleBase.Function(make([]float64, len(shape.Params())), r.Number-1, 0)
			grade := func(v float64) float64 {
				g := []float64{f.Antecedent((v - f.Mean) / f.SD)}
				shape.Grades(g, g, params)
				return g[0]
			}
			top := 0.0
			for i := range 94 {
				top = max(top, grade(f.Quantile((float64(i)+3.5)/100)))
			}
			slack := 1e-6
			if _, _, bordered := borders(m, r.Number-1, 0, f); bordered {
				top, slack = 1, 0.01 // its borders are those of the function, not of the training values; the other flank lowers the grade
			}
			for _, end := range []*float64{c.From, c.To} {
				if end == nil || c.Preferably || top == 0 {
					continue
				}
				ended++
				step := f.SD / 20 // bounds are rounded to at most this
				lower, at, upper := grade(*end-step), grade(*end), grade(*end+step)
				if max(lower, at, upper) < 0.5*top*(1-slack) || min(lower, at, upper) > 0.5*top*(1+slack) {
					t.Errorf("%s, rule %d: %s ends at %v, grades there %v, %v and %v, largest %v", name, r.Number, c.Is, *end, lower, at, upper, top)
				}
			}
		}
	}
	if said < 200 || ended < 200 {
		t.Errorf("%d conditions, %d ends", said, ended)
	}
}

// termsAt returns the intercept and the terms of a rule of wordModel for a sample.
func termsAt(r Rule, d *data.Dataset, x []float64) float64 {
	sum := r.Then.Intercept
	for _, term := range r.Terms {
		at := map[string]int{"a": 0, "season": 1, "flag": 5, "size": 6}[term.Column]
		if term.Level != "" {
			at += slices.Index(d.Schema.Columns[1].Levels, term.Level)
		}
		sum += term.Slope * x[at]
	}
	return sum
}

// TestTermsAreTheFormula: intercept and terms add up to the output of the rule at any point.
func TestTermsAreTheFormula(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 3)
	rng := rand.New(rand.NewPCG(5, 6))
	for _, w := range m.RuleBase.Consequents {
		for i := range w {
			w[i] = rng.NormFloat64()
		}
	}
	z := testenv.Must(m.Scale(d.X))
	for _, r := range Model(m).Rules {
		if !slices.IsSortedFunc(r.Terms, func(a, b Term) int { return int(math.Copysign(1, math.Abs(b.Effect)-math.Abs(a.Effect))) }) {
			t.Errorf("rule %d: not by effect: %+v", r.Number, r.Terms)
		}
		for n, x := range d.X {
			got := termsAt(r, d, x)
			if want := m.Target.Mean + m.RuleBase.Consequent(r.Number-1, z[n]); math.Abs(got-want) > 1e-12 {
				t.Fatalf("rule %d, sample %d: %v, want %v", r.Number, n, got, want)
			}
		}
	}
}

// TestObserveByHand checks values computed by hand for two trapezoids: each sample belongs to one rule alone, or to both equally.
func TestObserveByHand(t *testing.T) {
	m, d := wordModel(t, membership.Trapezoid{}, 2)
	f := m.Features[0]
	for r, values := range [][]float64{{-200, -100, 40.1, 40.2}, {39.8, 39.9, 200, 300}} {
		for j, v := range values {
			m.RuleBase.Antecedents[j][r][0] = (v - f.Mean) / f.SD
		}
	}
	m.RuleBase.Consequents[0][0], m.RuleBase.Consequents[1][0] = 1, -1
	m = testenv.Must(model.New(context.Background(), m.Preprocessing, m.RuleBase, d.X, nil, m.Training))
	description := Model(m)
	if err := observe(&description, m, d); err != nil {
		t.Fatal(err)
	}
	// a = 0, 0.5, ..., 100: 80 samples below 40, one at it, 120 above.
	mean, squares := m.Target.Mean, 0.0
	for _, y := range d.Y[81:] {
		squares += (mean - 1 - y) * (mean - 1 - y)
	}
	low, high := description.Rules[0], description.Rules[1]
	if high.Number != 2 || high.Local.Samples != 120 || low.Local.Samples != 81 { // the sample between: the first of equal rules
		t.Errorf("%+v, %+v", high.Local, low.Local)
	}
	if got := *high.Local.RMSE; math.Abs(got-math.Sqrt(squares/120)) > 1e-12 {
		t.Errorf("RMSE %v", got)
	}
	if math.Abs(*high.Local.Output-(mean-1)) > 1e-12 || math.Abs(*low.Local.Output-(mean+1)) > 1e-12 {
		t.Errorf("outputs %v, %v", *high.Local.Output, *low.Local.Output)
	}
	if e := high.Local.Nearest; e.Row != 81 || e.Target != d.Y[80] || math.Abs(e.Firing-0.5) > 1e-12 || *e.Values[0].Value != 40 ||
		e.Values[1].Level != "autumn" {
		t.Errorf("%+v", e)
	}
	i := description.Interpretability
	if math.Abs(*i.Overlap-202.0/201) > 1e-12 || *i.Coverage != 1 || i.Length != 1 {
		t.Errorf("overlap %v, coverage %v, length %v", *i.Overlap, *i.Coverage, i.Length)
	}
	if got := i.String(); got != "2 rules of 1.0 conditions on average. A prediction mixes 1.0 rules on average. 100% of the rows meet "+
		"all conditions of some rule." {
		t.Error(got)
	}
}

// TestWordsDoNotApply: models with components or without quantiles have rules in numbers, and a reason.
func TestWordsDoNotApply(t *testing.T) {
	components := two()
	components.Components = []model.Component{{Loadings: []float64{-0.6, 0.8}, SD: 1.25}, {Loadings: []float64{0.8, 0.6}, SD: 0.5}}
	for want, m := range map[string]*model.Model{"principal components, sums of all features": components,
		"older version, without the quantiles": two()} {
		b := Model(m).Sentences().Text
		if !strings.Contains(b, want) || !strings.Contains(b, "gaussian(c = ") {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}

// TestLegend: a legend explains the words that occur, of all members of a committee.
func TestLegend(t *testing.T) {
	bound := 3.0
	of := func(c ...Condition) Description {
		return Description{Interpretability: &Interpretability{}, Rules: []Rule{{Words: c}}}
	}
	ranked := Condition{Is: "low", To: &bound}
	border := Condition{Is: "at most 3", To: &bound, numbered: true}
	level := Condition{Is: "Oslo or Bergen"}
	preference := Condition{Is: "at least 3", numbered: true, Preferably: true}
	for _, c := range []struct {
		d                 Description
		ranks, preferably bool
	}{
		{of(border, ranked), true, false}, {of(border, level), false, false}, {of(border, preference), false, true}, {of(), false, false},
		{Description{Members: []Description{of(border), of(ranked, preference)}}, true, true},
	} {
		text := legend(c.d)
		if strings.Contains(text, "very low is the lowest tenth") != c.ranks || strings.Contains(text, `"preferably" marks`) != c.preferably ||
			!strings.Contains(text, "Conditions are soft") {
			t.Errorf("%+v: %s", c, text)
		}
	}
	if text := legend(Description{}); text != "" {
		t.Errorf("without words: %s", text)
	}
}

// TestSingleRule: a single rule is no mean, and no tree.
func TestSingleRule(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 1)
	d := Model(m)
	b := d.Sentences().Text
	if !strings.Contains(b, " is what a single rule says.\n") || d.noTree == nil ||
		!strings.Contains(d.noTree.Error(), "there is a single rule") {
		t.Errorf("%v\n%s", d.noTree, b)
	}
}

// TestEqualRulesInWords: of rules that fire equally, none is strongest for all samples and none idle.
func TestEqualRulesInWords(t *testing.T) {
	d := Description{Samples: 700, Rules: make([]Rule, 200)}
	for r := range d.Rules {
		d.Rules[r].Share = 0.005 * (1 + 1e-12*float64(r%3))
	}
	d.Rules[0].Samples = 700
	markEqual(d.Rules)
	for _, r := range []Rule{d.Rules[0], d.Rules[7]} {
		if got := d.activity(r); got != "0.5% of the firing, like each of 200 rules on all of 700 samples, to rounding" || r.idle() {
			t.Errorf("%s; idle: %t", got, r.idle())
		}
	}
	one := []Rule{{Share: 0.5, Samples: 699}, {Share: 0.5, Samples: 1}}
	if markEqual(one); one[0].Equal != 0 {
		t.Error("rules that are strongest for different samples do not fire equally")
	}
}

// TestFoldedPair: the formula in words has one term for a column of two levels, their
// difference, and the same value for either level; other columns have a term for each level.
func TestFoldedPair(t *testing.T) {
	term := func(column, level string, slope float64, pair int) Term {
		return Term{Column: column, Level: level, Slope: slope, Effect: slope, To: 1, pair: pair}
	}
	var o Output
	r := Said{Terms: []Term{
		term("region", "east", 30, 0), term("smoker", "yes", 20, 2), term("smoker", "no", -5, 1), term("sex", "male", 3, 2),
		term("sex", "female", 3, 1),
	}}
	r.Then.Intercept = 100
	got := o.say(r, nil)
	want := []TermText{{Product: "98"}, {Product: "+ 30 if region is east"}, {Product: "+ 25 if smoker is yes"}}
	if len(got.Formula) != len(want) || got.Small != "" {
		t.Fatalf("%+v, %q", got.Formula, got.Small)
	}
	for i, w := range want {
		if got.Formula[i] != w {
			t.Errorf("%q, not %q", got.Formula[i], w)
		}
	}
	if constant, terms := foldPairs(100, r.Terms); constant != 98 || len(terms) != 2 {
		t.Errorf("%v %+v", constant, terms)
	}
	if constant, terms := foldPairs(100, r.Terms[:2]); constant != 100 || len(terms) != 2 || terms[1].Slope != 20 {
		t.Errorf("one level of the two: %v %+v", constant, terms)
	}
}

func TestIntervalText(t *testing.T) {
	width := 769754.5
	for want, i := range map[string]Interval{
		"90% prediction interval: plus or minus 769,754, from 70 calibration samples": {Level: 0.9, HalfWidth: &width, Samples: 70},
		"90% prediction interval: 769,754 wide on average, from 70 calibration samples": {
			Level: 0.9, MeanWidth: &width, Samples: 70,
		},
	} {
		if got := i.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMissingValues: words say what a missing cell counts as if training had filled them, and of a category that conditions
// on it may hold all the same.
func TestMissingValues(t *testing.T) {
	numeric := data.Column{Name: "age", Encoding: data.Numeric}
	category := data.Column{Name: "deck", Encoding: data.OneHot, Levels: []string{"C", "G"}}
	unused := category
	unused.Unused = true
	for _, c := range []struct {
		columns []data.Column
		filled  bool
		want    []string
	}{
		{[]data.Column{numeric, category}, false, nil},
		{[]data.Column{numeric, unused}, true, []string{"missing value"}},
		{[]data.Column{numeric, category}, true, []string{"missing value", "missing category"}},
	} {
		m := &model.Model{Preprocessing: model.Preprocessing{Schema: data.Schema{Columns: c.columns}, ImputeMeans: c.filled}}
		text := missingValues(m)
		if strings.Count(text, "A missing") != len(c.want) {
			t.Errorf("%+v: %q", c, text)
		}
		for _, part := range c.want {
			if !strings.Contains(text, part) {
				t.Errorf("%+v: %q lacks %q", c, text, part)
			}
		}
	}
}

// TestWordingIsWhatIsPrinted: the parts of a wording are those of the text, in its order.
func TestWordingIsWhatIsPrinted(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 4)
	ask(m, 1, 0, 20, 10)
	ask(m, 3, 0, 90, 10)
	described := testenv.Must(ModelOn(m, d))
	described.Readability = testenv.Must(Measure(context.Background(), m, Part{},
		Part{Name: "the table", Dataset: d}))
	w := Worded(described).Wording
	printed := described.Sentences().Text
	if w.Text != printed {
		t.Errorf("%s\nwant\n%s", w.Text, printed)
	}
	if len(w.Rules) != 3 || len(w.Rules[2].Numbers) != 2 || w.Rules[2].Always != "ALWAYS" || w.Rules[0].If[0] == "" {
		t.Errorf("%+v", w.Rules)
	}
	parts := []string{w.Introduction, w.Remark}
	for _, r := range w.Rules {
		parts = append(parts, r.Text)
		for _, part := range append(append([]string{r.Name + ": " + r.Activity + "\n", r.Then.Small}, r.If...), r.Seen...) {
			if !strings.Contains(r.Text, part) {
				t.Errorf("no %q in\n%s", part, r.Text)
			}
		}
	}
	rest := w.Text
	for _, part := range append(append(parts, w.Measures), append(w.Readability, w.Legend)...) {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("no %q in\n%s", part, rest)
		}
		rest = after
	}
}
