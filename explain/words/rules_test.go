package words

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
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

// two returns two rules over two features: z1 = (x1-20)/4, z2 = x2/0.5; the column between them is not used.
func two() *model.Model {
	return &model.Model{
		Preprocessing: model.Preprocessing{
			Schema: data.Schema{Target: "demand", TargetUnit: "MW", Columns: []data.Column{
				{Name: "temperature", Unit: "°C", Encoding: data.Numeric},
				{Name: "flat", Unit: "m", Encoding: data.Numeric, Unused: true},
				{Name: "wind", Encoding: data.Numeric},
			}},
			Features: []model.Feature{
				{Name: "temperature", Mean: 20, SD: 4},
				{Name: "flat", Mean: 3, SD: 1, Constant: true},
				{Name: "wind", Mean: 0, SD: 0.5},
			},
			Target: model.Target{Mean: 100},
		},
		RuleBase: &rules.RuleBase{
			Shape: membership.Gaussian{},
			Parameters: rules.Parameters{
				Antecedents: [][][]float64{{{-1, 0}, {2, 1}}, {{1, 2}, {0.5, 1}}},
				Consequents: [][]float64{{10, 2, -0.25}, {-1, -4, 0}},
			},
		},
		Training: model.Training{Samples: 50},
		Rules:    []model.RuleSummary{{Share: 0.25, Samples: 12}, {Share: 0.754, Samples: 38}},
	}
}

func text(t *testing.T, m *model.Model) string {
	t.Helper()
	b := Model(m).Numbers().Text
	return b
}

func TestWriteByHand(t *testing.T) {
	// Rule 2: c = 20 + 4*2 and 0 + 0.5*1; sigma = 4*0.5 and 0.5*1; slopes -4/4 and 0/0.5; intercept 100 - 1 - (-1)*20.
	const want = `Rule 1: 25.0% of the firing, strongest for 12 of 50 samples
  IF  temperature [°C] is gaussian(c = 16, sigma = 4)
  AND wind             is gaussian(c = 0, sigma = 1)
  THEN demand [MW] = 100 + 0.5 temperature - 0.5 wind

Rule 2: 75.4% of the firing, strongest for 38 of 50 samples
  IF  temperature [°C] is gaussian(c = 28, sigma = 2)
  AND wind             is gaussian(c = 0.5, sigma = 0.5)
  THEN demand [MW] = 119 - 1 temperature

demand is the mean of what the rules say, weighted by the product of their grades; where no rule fires it is 100.
`
	if got := text(t, two()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestWriteComponents: rules over components are written in these, after their loadings.
func TestWriteComponents(t *testing.T) {
	const want = `Principal components of the standardised features:
  pc1 = -0.6 temperature + 0.8 wind
  pc2 = 0.8 temperature + 0.6 wind

Rule 1: 25.0% of the firing, strongest for 12 of 50 samples
  IF  pc1 is gaussian(c = -1, sigma = 1)
  AND pc2 is gaussian(c = 0, sigma = 2)
  THEN demand [MW] = 110 + 2 pc1 - 0.25 pc2

Rule 2: 75.4% of the firing, strongest for 38 of 50 samples
  IF  pc1 is gaussian(c = 2, sigma = 0.5)
  AND pc2 is gaussian(c = 1, sigma = 1)
  THEN demand [MW] = 99 - 4 pc1

demand is the mean of what the rules say, weighted by the product of their grades; where no rule fires it is 100.
A standardised feature is z(x) = (x - mean) / sd.
  z(temperature): mean = 20, sd = 4
  z(wind): mean = 0, sd = 0.5
`
	m := two()
	m.Components = []model.Component{{Loadings: []float64{-0.6, 0.8}, SD: 1.25}, {Loadings: []float64{0.8, 0.6}, SD: 0.5}}
	m.Schema.Columns[0].Name, m.Features[0].Name = "pc1", "pc1" // its unit must not be shown
	got := strings.NewReplacer("-0.6 pc1", "-0.6 temperature", "0.8 pc1", "0.8 temperature", "z(pc1)", "z(temperature)").Replace(text(t, m))
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if c := Model(m).Components; len(c) != 2 || c[1].Name != "pc2" || c[1].SD != 0.5 ||
		c[1].Loadings[1] != (Parameter{Name: "wind", Value: 0.6}) {
		t.Errorf("%+v", c)
	}
}

// TestDescribeOpenBorder: numbers say that a border is open, in the feature's unit and on the scale of a transform.
func TestDescribeOpenBorder(t *testing.T) {
	m := two()
	m.RuleBase.Shape = membership.Sigmoid{}
	m.RuleBase.Antecedents = nil
	for _, v := range [][]float64{{-1e200, -0.5}, {1, 1}, {0.5, 1e200}, {1, 1}} { // low, rise, high, fall
		m.RuleBase.Antecedents = append(m.RuleBase.Antecedents, [][]float64{v, v})
	}
	for _, power := range []*model.Power{nil, {Lambda: 1, SD: 1}} {
		m.Features[0].Power = power
		got := text(t, m)
		if !strings.Contains(got, "sigmoid(low open, rise = ") || !strings.Contains(got, "high open, fall = ") || strings.Contains(got, "e+") {
			t.Errorf("power %v:\n%s", power, got)
		}
	}
}

// outcome computes a prediction from a description alone, in the data's own units: the grades of each rule multiplied, and the mean of the
// THEN formulas, with curves, weighted by them. x holds the features by name. It is NaN where no rule fires.
func outcome(t *testing.T, d Description, x map[string]float64) float64 {
	t.Helper()
	shape := testenv.Must(membership.Lookup(d.Membership))
	sum, weighted := 0.0, 0.0
	for _, r := range d.Rules {
		firing := 1.0
		for _, a := range r.If {
			var p []float64
			for j, param := range a.Parameters {
				if param.Name != shape.Params()[j].Name {
					t.Fatalf("parameter %d is %s", j, param.Name)
				}
				p = append(p, param.Value)
			}
			grade := []float64{x[a.Feature]}
			shape.Grades(grade, grade, p)
			firing *= grade[0]
		}
		y := r.Then.Intercept
		for _, c := range r.Then.Coefficients {
			y += c.Value * x[c.Name]
		}
		curves := r.Then.Curves
		if d.Curves != nil && !d.Curves.Own {
			for _, c := range d.Curves.Of {
				curves = append(curves, c.Curve)
			}
		}
		for _, c := range curves {
			y += between(c.X, c.Y, x[c.Feature])
		}
		sum, weighted = sum+firing, weighted+firing*y
	}
	return weighted / sum
}

// TestDescriptionPredicts: the numbers shown give the model's predictions.
func TestDescriptionPredicts(t *testing.T) {
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		checked := 0
		for seed := range uint64(20) {
			m, x := random(t, shape, seed)
			if curves := seed % 3; curves > 0 {
				addCurves(t, m, x, 5, curves == 2, rand.New(rand.NewPCG(seed, 1)))
			}
			d := Model(m)
			for _, row := range x {
				p := testenv.Must(m.Predict([][]float64{row}))
				if p.Uncovered > 0 {
					continue
				}
				named := map[string]float64{}
				for i, f := range m.Features {
					named[f.Name] = row[i]
				}
				got, want := outcome(t, d, named), p.Values[0]
				if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
					t.Fatalf("%s, seed %d: the rules as shown give %v, the model %v", name, seed, got, want)
				}
				checked++
			}
		}
		if checked < 500 {
			t.Errorf("%s: only %d samples are covered", name, checked)
		}
	}
}

// random returns a model with random rules over features of odd units, one of
// them a category, one constant; and the samples it was made from.
func random(t *testing.T, shape membership.Function, seed uint64) (*model.Model, [][]float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "kind", Encoding: data.OneHot, Levels: []string{"p", "q"}},
		{Name: "flat", Encoding: data.Numeric},
		{Name: "tiny", Encoding: data.Numeric},
		{Name: "big", Encoding: data.Numeric},
	}}}
	for range 40 {
		row := []float64{0, 0, 7, 1e-9 * (2 + rng.NormFloat64()), 1e6 * (rng.NormFloat64() - 1)}
		row[rng.IntN(2)] = 1
		d.X, d.Y = append(d.X, row), append(d.Y, 200+rng.NormFloat64())
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	M := len(p.Used())
	c := &rules.Clusters{}
	for range 4 {
		center, spread := make([]float64, M), make([]float64, M)
		for m := range M {
			center[m], spread[m] = rng.NormFloat64(), 0.5+rng.Float64()
		}
		c.Centers, c.Spreads, c.Targets = append(c.Centers, center), append(c.Spreads, spread), append(c.Targets, rng.NormFloat64())
	}
	rb := rules.New(shape, c)
	for _, w := range rb.Consequents {
		for m := range w {
			w[m] += rng.NormFloat64()
		}
	}
	m := testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
	return m, d.X
}

// TestRulesAreNumberedAsShown: a rule has the same number, its position in the model, in words, in numbers, in JSON and in explanations.
// Words are in the order of the firing, numbers and JSON in that of the model.
func TestRulesAreNumberedAsShown(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 6)
	for r := range m.Rules {
		m.Rules[r].Share, m.Rules[r].Samples = float64((r*5)%6+1)/21, 10
		m.RuleBase.Consequents[r][0] = float64(r)
		ask(m, r, 0, float64(15*r), 20)
	}
	described := Model(m)
	for r, rule := range described.Rules {
		if rule.Number != r+1 || rule.Share != m.Rules[r].Share || rule.Then.Intercept != m.Target.Mean+float64(r) {
			t.Errorf("place %d: rule %d, share %v", r+1, rule.Number, rule.Share)
		}
	}
	for order, write := range map[string]func(io.Writer) error{"234561": described.WriteWords, "123456": described.Write} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, found := range regexp.MustCompile(`(?m)^(?:Rule |\| )(\d)`).FindAllStringSubmatch(b.String(), -1) {
			shown = append(shown, found[1])
		}
		if strings.Join(shown, "") != order {
			t.Errorf("rules in the order %v, want %s", shown, order)
		}
	}
	columns := testenv.Must(shapley.New(m, d, 1))
	e := testenv.Must(Explain(m, d.X[0], columns, nil))
	for _, part := range e.Rules {
		if want := m.Target.Mean + float64(part.Rule-1); math.Abs(part.Output-want) > 1e-12 {
			t.Errorf("rule %d of the explanation says %v, want %v", part.Rule, part.Output, want)
		}
	}
}

// TestNamesAreEscaped: a name from the data is escaped.
func TestNamesAreEscaped(t *testing.T) {
	m := two()
	m.Schema.Target, m.Schema.TargetUnit = "y\x1b[31m", "\x07"
	m.Schema.Columns[0].Name, m.Schema.Columns[0].Unit = "a\nb\u202e\u009b", "\x1b]0;x\x07"
	m.Features[0].Name = m.Schema.Columns[0].Name
	got := text(t, m)
	for _, want := range []string{
		`y\x1b[31m [\a] = 119 - 1 a\nb\u202e\u009b`,
		`IF  a\nb\u202e\u009b [\x1b]0;x\a] is gaussian(`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
	for _, r := range got {
		if r != '\n' && !strconv.IsPrint(r) {
			t.Errorf("%q is printed as it is", r)
		}
	}
	if got := plain(`5" µm, 日本`); got != `5" µm, 日本` {
		t.Errorf("what can be printed is changed: %s", got)
	}
}

func TestConsequentString(t *testing.T) {
	minusZero := math.Copysign(0, -1)
	for _, c := range []struct {
		c    Consequent
		want string
	}{
		{Consequent{Intercept: 1}, "1"},
		{Consequent{Intercept: -1.5, Coefficients: []Parameter{{Name: "x", Value: -0.5}}}, "-1.5 - 0.5 x"},
		{Consequent{Intercept: 0, Coefficients: []Parameter{{Name: "x", Value: 2}, {Name: "y", Value: -3e-7}}}, "0 + 2 x - 3e-07 y"},
		{Consequent{Intercept: minusZero, Coefficients: []Parameter{{Name: "x", Value: minusZero}}}, "0"},
		{Consequent{Intercept: 123456, Coefficients: []Parameter{{Name: "x", Value: 0.123456}}}, "123456 + 0.123456 x"},
	} {
		if got := c.c.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestUnitsByKind(t *testing.T) {
	f := model.Feature{Mean: 10, SD: 4}
	for kind, want := range map[membership.Kind]float64{
		membership.Position: 18, membership.Spread: 8, membership.Slope: 0.5, membership.Exponent: 2, membership.Number: 2,
	} {
		if got := f.InUnits(2, kind); got != want {
			t.Errorf("kind %v: %v, want %v", kind, got, want)
		}
	}
}

// TestConstraintsInWords: words, numbers and JSON say what is kept and which signs slopes have, once for outputs that have the same.
func TestConstraintsInWords(t *testing.T) {
	m := two()
	if d := Model(m); d.Bounds != nil || boundsInWords(d.Bounds, len(d.Rules)) != nil {
		t.Errorf("bounds without signs: %v", d.Bounds)
	}
	m.RuleBase.Keep = []rules.Keep{rules.KeepThen, 0}
	m.RuleBase.Signs = []int{0, 0, -1}
	numbers := text(t, m)
	for _, want := range []string{"  THEN part kept as written\n",
		"\nNo rule lets demand rise with wind.\nThe prediction itself can, where weight moves"} {
		if strings.Count(numbers, want) != 1 {
			t.Errorf("%q is not said once in\n%s", want, numbers)
		}
	}
	m.RuleBase.Signs = []int{0, 0, -1}
	free := m.RuleBase.Clone()
	for r := range 2 {
		m.RuleBase.Flatten(r, 1)
	}
	if got := boundsInWords(Model(m).Bounds, 2); !slices.Equal(got, []string{
		"Predictions of demand never rise with wind, whatever the other columns are."}) {
		t.Errorf("%q", got)
	}
	m.RuleBase = free
	m.RuleBase.Signs = []int{0, 1, -1}
	if got := boundsInWords(Model(m).Bounds, 2)[0]; got != "No rule lets demand rise with wind, or fall with temperature." {
		t.Error(got)
	}
	written, err := json.Marshal(Model(m))
	for _, want := range []string{`"keep":"then"`,
		`"bounds":[{"output":"demand","never_rises_with":["wind"],"never_falls_with":["temperature"]}]`} {
		if err != nil || !strings.Contains(string(written), want) {
			t.Errorf("no %s in %s, %v", want, written, err)
		}
	}
	for keep, want := range map[rules.Keep]string{0: "", rules.KeepIf: "IF part kept as written", rules.KeepAll: "Kept as written"} {
		if got := kept(keep); got != want {
			t.Errorf("%v: %q, want %q", keep, got, want)
		}
	}
	same := []Bound{{Output: "a", NoRise: []string{"x"}}, {Output: "b", NoFall: []string{"x"}}, {Output: "c", NoRise: []string{"x"}}}
	if got := boundsInWords(same, 1); !reflect.DeepEqual(got,
		[]string{"No rule lets a or c rise with x.", "No rule lets b fall with x."}) {
		t.Error(got)
	}
}

// TestKeptInWords: the lines of a rule in words say what is kept of it.
func TestKeptInWords(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 3)
	for r := range 3 {
		ask(m, r, 0, float64(r), 0.5)
	}
	m.RuleBase.Keep = []rules.Keep{0, rules.KeepAll, rules.KeepIf}
	d := Model(m)
	b := d.Sentences().Text
	for _, want := range []string{"  Kept as written\n", "  IF part kept as written\n"} {
		if strings.Count(b, want) != 1 {
			t.Errorf("%q is not said once in\n%s", want, b)
		}
	}
	if got := d.Sentences().Rules[1].Cells()[0]; got[len(got)-1] != "keep: all" {
		t.Errorf("lines %q", got)
	}
}
