package words

import (
	"context"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

var (
	scalingLine    = regexp.MustCompile(`(?m)^  u\((.*)\): mean = (.*), sd = (.*), lambda = (.*), m = (.*), s = (.*)$`)
	antecedentLine = regexp.MustCompile(`^  (?:IF |AND) (.+?)(?: \[m/s\])? +is gaussian\(c = ([^,]*), sigma = ([^)]*)\)`)
	thenLine       = regexp.MustCompile(`^  THEN y = (.*)$`)
	curveTerm      = regexp.MustCompile(` \+ curve\(([^)]*)\)`)
	curveLine      = regexp.MustCompile(`(?m)^  curve\((.*)\): (.*)$`)
	curvePoint     = regexp.MustCompile(`\((\S+), (\S+)\)`)
	limitsLine     = regexp.MustCompile(`(?m)^y is the mean of .* grades, at least (.*), at most (.*); where no rule fires it is (.*)\.$`)
)

func read(t *testing.T, text string) float64 {
	t.Helper()
	return testenv.Must(strconv.ParseFloat(text, 64))
}

// curvesIn returns the values of the curves printed in a text, by feature, for x.
func curvesIn(t *testing.T, printed string, x map[string]float64) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for _, c := range curveLine.FindAllStringSubmatch(printed, -1) {
		var at, y []float64
		for _, p := range curvePoint.FindAllStringSubmatch(c[2], -1) {
			at, y = append(at, read(t, p[1])), append(y, read(t, p[2]))
		}
		values[c[1]] = between(at, y, x[c[1]])
	}
	return values
}

// curvesOf returns the sum of the curves in a formula: those of the rule's own, or the shared ones.
func curvesOf(t *testing.T, formula string, own, shared map[string]float64) (sum float64) {
	t.Helper()
	for _, c := range curveTerm.FindAllStringSubmatch(formula, -1) {
		v, ok := own[c[1]]
		if !ok {
			v, ok = shared[c[1]]
		}
		if !ok {
			t.Fatalf("curve(%s) is not printed", c[1])
		}
		sum += v
	}
	return sum
}

// byHand computes a prediction from the output of --style numbers for Gaussian rules alone.
func byHand(t *testing.T, printed string, x map[string]float64) float64 {
	t.Helper()
	seen := map[string]float64{}
	for name, v := range x {
		seen[name] = v
	}
	for _, s := range scalingLine.FindAllStringSubmatch(printed, -1) {
		z, lambda := (x[s[1]]-read(t, s[2]))/read(t, s[3]), read(t, s[4])
		psi := 0.0
		if z >= 0 {
			psi = (math.Pow(z+1, lambda) - 1) / lambda
		} else {
			psi = (1 - math.Pow(1-z, 2-lambda)) / (2 - lambda)
		}
		seen["u("+s[1]+")"] = max(-8, min(8, (psi-read(t, s[5]))/read(t, s[6])))
	}
	_, after, _ := strings.Cut(printed, "A curve is straight")
	shared := curvesIn(t, after, x)
	sum, weighted, firing := 0.0, 0.0, 1.0
	rest := printed
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "Rule ") {
			firing = 1
		}
		if a := antecedentLine.FindStringSubmatch(line); a != nil {
			v, ok := seen[a[1]]
			if !ok {
				t.Fatalf("%s is not printed", a[1])
			}
			d := (v - read(t, a[2])) / read(t, a[3])
			firing *= math.Exp(-d * d / 2)
		}
		if then := thenLine.FindStringSubmatch(line); then != nil {
			_, rest, _ = strings.Cut(rest, line)
			block, _, _ := strings.Cut(rest, "\n\n")
			y := curvesOf(t, then[1], curvesIn(t, block, x), shared)
			words := strings.Fields(curveTerm.ReplaceAllString(then[1], ""))
			y += read(t, words[0])
			for i := 1; i < len(words); i += 3 {
				y += read(t, words[i]+words[i+1]) * x[words[i+2]]
			}
			sum, weighted = sum+firing, weighted+firing*y
		}
	}
	limits := limitsLine.FindStringSubmatch(printed)
	if limits == nil {
		t.Fatalf("no limits in\n%s", printed)
	}
	if sum == 0 {
		return read(t, limits[3])
	}
	return max(read(t, limits[1]), min(read(t, limits[2]), weighted/sum))
}

// TestPredictionsByHand: the output of --style numbers suffices to compute predictions, to the digits printed, with skewed features,
// categories, curves and limits. For a rounded model, these are all digits.
func TestPredictionsByHand(t *testing.T) {
	if testenv.Race {
		t.Skip("too slow with the race detector, and on one goroutine")
	}
	t.Run("six digits", func(t *testing.T) { testPredictionsByHand(t, 0, 2e-3) })
	t.Run("rounded", func(t *testing.T) { testPredictionsByHand(t, 3, 1e-9) })
}

func testPredictionsByHand(t *testing.T, round int, tolerance float64) {
	const rows = 20
	rng := rand.New(rand.NewPCG(11, 12))
	transformed, limited, models := 0, 0, testenv.CaseNumber(3, 4, 12)
	for i := range models {
		m, d := discreteModel(t, membership.Gaussian{}, rng)
		m.Straighten(context.Background(), d.X, nil)
		m.Target.Margin = 0.1
		for r, w := range m.RuleBase.Consequents {
			for i := range w {
				w[i] = rng.NormFloat64()
			}
			for i := range m.RuleBase.Features() {
				m.RuleBase.Antecedents[1][r][i] = 2 + rng.Float64()
			}
		}
		if curves := i % 3; curves > 0 {
			addCurves(t, m, d.X, 6, curves == 2, rng)
		}
		if round > 0 {
			m = roundedModel(t, m, d, round)
		}
		for _, f := range m.Used() {
			if f.Power != nil {
				transformed++
			}
		}
		b := Model(m).Numbers().Text
		p := testenv.Must(m.Predict(d.X[:rows]))
		limited += p.Limited
		for n, row := range d.X[:rows] {
			x := map[string]float64{}
			for i, f := range m.Features {
				x[f.Name] = row[i]
			}
			if got := byHand(t, b, x); math.Abs(got-p.Values[n]) > tolerance*(m.Target.Max-m.Target.Min) {
				t.Fatalf("row %d by hand: %v, the model predicts %v, from\n%s", n, got, p.Values[n], b)
			}
		}
	}
	if transformed < models || limited == 0 || limited == models*rows {
		t.Errorf("%d transforms, %d of %d predictions limited", transformed, limited, models*rows)
	}
}

// roundedModel returns a model rounded to n digits.
func roundedModel(t *testing.T, m *model.Model, d *data.Dataset, n int) *model.Model {
	t.Helper()
	z := testenv.Must(m.Scale(d.X))
	rb := testenv.Must(model.Round(context.Background(), m.Preprocessing, m.RuleBase, n, z, m.Targets(d), d.Weights))
	m = testenv.Must(model.New(context.Background(), m.Preprocessing, rb, d.X, d.Weights,
		model.Training{Samples: d.Len(), Options: map[string]string{"model.round": strconv.Itoa(n)}}))
	return m
}

// TestFormulaInWordsIsComplete: the words of a rounded model have all terms, and intercept and slopes with all digits and no more.
func TestFormulaInWordsIsComplete(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	m, d := discreteModel(t, membership.Gaussian{}, rng)
	for _, w := range m.RuleBase.Consequents {
		for i := range w {
			w[i] = rng.NormFloat64() * math.Exp(3*rng.NormFloat64()) // some effects are small
		}
	}
	m = roundedModel(t, m, d, 3)
	z := testenv.Must(m.Scale(d.X))
	term := regexp.MustCompile(`^([+-]) ([0-9.e-]+) (?:if kind is ([pqrs])|(.+))$`)
	description := Model(m)
	for _, r := range description.Rules {
		text := description.ruleInWords(r).Then
		if text.Small != "" || len(text.Formula) != m.RuleBase.Features()+1 {
			t.Fatalf("rule %d has %d terms, %q", r.Number, len(text.Formula)-1, text.Small)
		}
		for n, x := range d.X[:20] {
			y := read(t, text.Formula[0].Product)
			for _, f := range text.Formula[1:] {
				parts := term.FindStringSubmatch(f.Product)
				if parts == nil {
					t.Fatalf("term %q", f.Product)
				}
				if digits := strings.Trim(strings.NewReplacer(".", "").Replace(parts[2]), "0"); len(digits) > 3 && !strings.Contains(digits, "e") {
					t.Errorf("rule %d: %q has more than 3 digits", r.Number, f.Product)
				}
				for i, feature := range m.Features {
					if feature.Name == parts[4] || parts[3] != "" && feature.Name == "kind="+parts[3] {
						y += read(t, parts[1]+parts[2]) * x[i]
					}
				}
			}
			if want := m.Target.Mean + m.RuleBase.Consequent(r.Number-1, z[n]); math.Abs(y-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("rule %d, sample %d: %v by hand, the rule says %v: %+v", r.Number, n, y, want, text)
			}
		}
	}
}

// logged is the model of two with log(z+1) as the transform of the first feature, and a target with the scale 3.
func logged() *model.Model {
	m := two()
	m.Features[0].Power = &model.Power{Lambda: 0, SD: 1}
	m.Target.SD = 3
	return m
}

// Rule 2 has c = 2, sigma = 0.5 on log(z+1), z = (temperature-20)/4: its centre is at
// z = e^2 - 1, and its grade 1/2 at c -+ sigma sqrt(2 log 2).
func TestTransformedFeature(t *testing.T) {
	d := Model(logged())
	rule := d.Rules[1]
	a := rule.If[0]
	at := func(u float64) float64 { return 20 + 4*(math.Exp(u)-1) }
	if len(a.Parameters) != 1 || a.Parameters[0].Name != "c" || math.Abs(a.Parameters[0].Value-at(2)) > 1e-12 {
		t.Errorf("parameters %+v, want c = %v alone", a.Parameters, at(2))
	}
	width := 0.5 * math.Sqrt(2*math.Log(2))
	if a.Half == nil || math.Abs(*a.Half.From-at(2-width)) > 1e-6 || math.Abs(*a.Half.To-at(2+width)) > 1e-6 {
		t.Errorf("half %v, want from %v to %v", a.Half, at(2-width), at(2+width))
	}
	// The slope of the consequent is in the units of the data: -4 times 3 over 4.
	if got := rule.Then.Coefficients[0].Value; got != -3 {
		t.Errorf("slope %v, want -3", got)
	}
	if got := text(t, logged()); !strings.Contains(got, "  AND wind           is gaussian(c = 0.5, sigma = 0.5)") ||
		!strings.Contains(got, "IF  u(temperature) is gaussian(c = 2, sigma = 0.5), half or more from 32.41 to 69.25 °C\n") ||
		!strings.Contains(got, "\n  u(temperature): mean = 20, sd = 4, lambda = 0, m = 0, s = 1\n") {
		t.Errorf("as text:\n%s", got)
	}
	if rule.If[1].Half != nil || len(rule.If[1].Parameters) != 2 {
		t.Errorf("the feature that is not transformed: %+v", rule.If[1])
	}
}

func TestHalfWithoutEnds(t *testing.T) {
	f := logged().Features[0]
	for _, c := range []struct {
		c, sigma float64
		want     string
	}{
		{9, 1, "half or more from "}, {-9, 1, "half or more up to "}, {0, 100, "half or more everywhere"},
	} {
		if got := halfRange(membership.Gaussian{}, []float64{c.c, c.sigma}, f).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("c = %v, sigma = %v: %q, want %q", c.c, c.sigma, got, c.want)
		}
	}
	if got := halfRange(membership.Gaussian{}, []float64{1000, 1}, f); got != nil {
		t.Errorf("a function that is nowhere half has %v", got)
	}
}

func TestFlatAndConstant(t *testing.T) {
	m := two()
	m.RuleBase.Flatten(0, 1)
	m.RuleBase.Flatten(1, 0)
	m.RuleBase.Flatten(1, 1)
	for _, w := range m.RuleBase.Consequents {
		clear(w[1:])
	}
	got := text(t, m)
	for _, want := range []string{"  ALWAYS\n  THEN demand [MW] = 99\n",
		"  IF  temperature [°C] is gaussian(c = 16, sigma = 4)\n  THEN demand [MW] = 110\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "wind") {
		t.Errorf("a flat antecedent is shown:\n%s", got)
	}
}
