package words

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// responding returns the model of wordModel with three rules, C outputs and a response, and its samples with the targets of the response.
func responding(t *testing.T, link string) (*model.Model, *data.Dataset) {
	t.Helper()
	m, d := wordModel(t, membership.Gaussian{}, 3)
	m.Response = model.Response{Link: link}
	C := 1
	switch link {
	case "softmax", "logit":
		names := []string{"red", "green", "blue"}
		C = 3
		if link == "logit" {
			names, C = names[:2], 1
		}
		for n := range d.Y {
			d.Y[n] = float64(n % len(names))
		}
		m.Schema.Classes, d.Schema.Classes = names, names
		for _, name := range names {
			m.Response.Classes = append(m.Response.Classes, model.Class{Name: name, Share: 1 / float64(len(names))})
		}
	case "identity":
		C = 2
		others := []data.Other{{Name: "z", Unit: "m"}}
		m.Schema.Others, d.Schema.Others, d.Others = others, others, [][]float64{make([]float64, d.Len())}
		m.Response.Targets = []model.Target{m.Target, {Mean: 0.5, Max: 1}}
	case "ordered":
		C = 2
		m.Response.Quantiles, m.Response.TrainingQuantiles = []float64{0.25, 0.75}, []float64{1, 5}
	}
	m.RuleBase.SetOutputs(C)
	rng := rand.New(rand.NewPCG(1, 2))
	for r, w := range m.RuleBase.Consequents {
		ask(m, r, 0, 50*float64(r), 20)
		for i := range w {
			w[i] = rng.NormFloat64() / 2
		}
	}
	return m, d
}

var links = []string{"softmax", "logit", "identity", "ordered", "log"}

// TestResponseOfRules: what a rule says is, by its formulas as described, the mean of the response to it alone.
func TestResponseOfRules(t *testing.T) {
	for _, link := range links {
		m, d := responding(t, link)
		got := testenv.Must(ModelOn(m, d))
		scaled := testenv.Must(m.Scale(d.X))
		levels := m.RuleBase.FiringLevels(scaled, nil)
		for r, rule := range got.Rules {
			want, weight := make([]float64, len(got.Response.Values)), 0.0
			for n, x := range d.X {
				y := make([]float64, len(rule.Outputs))
				for c, s := range rule.Outputs {
					y[c] = s.Then.Intercept
					for i, p := range s.Then.Coefficients {
						y[c] += p.Value * x[i]
					}
				}
				for j, v := range unlinked(link, y) {
					want[j] += levels[n][r] * v
				}
				weight += levels[n][r]
			}
			for j, v := range want {
				if said := rule.Local.Response[j]; math.Abs(said-v/weight) > 1e-9*(1+math.Abs(said)) {
					t.Errorf("%s: rule %d says %v of %s, by its formulas %v", link, r+1, said, got.Response.Values[j].Name, v/weight)
				}
			}
		}
	}
}

// unlinked returns the response to outputs on the scale of the link, by definition.
func unlinked(link string, y []float64) []float64 {
	switch link {
	case "softmax":
		p, sum := make([]float64, len(y)), 0.0
		for c, v := range y {
			p[c] = math.Exp(v)
			sum += p[c]
		}
		for c := range p {
			p[c] /= sum
		}
		return p
	case "logit":
		p := 1 / (1 + math.Exp(-y[0]))
		return []float64{1 - p, p}
	case "ordered":
		return []float64{min(y[0], y[1]), max(y[0], y[1])}
	case "log":
		return []float64{math.Exp(y[0])}
	}
	return y
}

// TestResponseInWords checks sentences of each link.
func TestResponseInWords(t *testing.T) {
	for link, sentences := range map[string][]string{
		"softmax": {"The score of each class of y is the mean of what 3 rules say", "  THEN y is ", "score of red =", "the model is right for "},
		"logit":   {"The log odds of green in y are the mean of", "log odds of green ="},
		"identity": {"y [kg] and z [m] are each the mean of", "  THEN y is about ", "  THEN z is about ", " m; the formula:",
			"RMSE where it is strongest: y "},
		"ordered": {"The quantiles of y [kg] at 25% and 75% are each the mean of", "  THEN 25% quantile of y is about ",
			"lie between the first and the last quantile"},
		"log": {"log(y) is the mean of", "  THEN y is about ", "(times "},
	} {
		m, d := responding(t, link)
		described := testenv.Must(ModelOn(m, d))
		var words, numbers strings.Builder
		if err := described.WriteWords(&words); err != nil {
			t.Fatal(err)
		}
		if err := described.Write(&numbers); err != nil {
			t.Fatal(err)
		}
		for _, s := range sentences {
			if !strings.Contains(words.String(), s) {
				t.Errorf("%s: no %q in\n%s", link, s, &words)
			}
		}
		if !strings.Contains(numbers.String(), "\nWhere no rule fires, ") || strings.Count(numbers.String(), "  THEN ") != 3*m.OutputCount() {
			t.Errorf("%s: numbers\n%s", link, &numbers)
		}
		if classes := m.Schema.Classes != nil; classes && strings.Contains(words.String(), "RMSE") {
			t.Errorf("%s: classes have no RMSE:\n%s", link, &words)
		}
	}
}

// TestExplainResponse: the parts of each output sum to its value, and their response is the
// prediction; the contrast is the log odds of the two most probable classes.
func TestExplainResponse(t *testing.T) {
	for _, link := range links {
		m, d := responding(t, link)
		committee := testenv.Must(model.NewCommittee(m.Preprocessing, []*model.Model{m, m}, m.Training))
		for _, m := range []*model.Model{m, committee} {
			for _, x := range [][]float64{d.X[3], d.X[77], d.X[190]} {
				e := testenv.Must(ExplainResponse(m, x, d, d))
				checkExplained(t, link, e)
			}
		}
	}
}

func checkExplained(t *testing.T, link string, e *ExplainedResponse) {
	t.Helper()
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)) }
	y := make([]float64, len(e.Outputs))
	for c, one := range e.Outputs {
		y[c] = one.Prediction
		sum := one.Background.Mean
		for _, part := range one.Columns {
			sum += part.Contribution
		}
		if !near(sum, one.Prediction) {
			t.Errorf("%s: contributions to %s sum to %v, want %v", link, one.Target, sum, one.Prediction)
		}
	}
	for j, v := range unlinked(link, y) {
		if !near(v, e.Predicted[j]) {
			t.Errorf("%s: response %v of the outputs, predicted %v", link, v, e.Predicted[j])
		}
	}
	if e.Response.Classes == nil {
		return
	}
	first, second := e.leading()
	if want := math.Log(e.Predicted[first] / e.Predicted[second]); !near(e.Contrast.Prediction, want) || want < 0 {
		t.Errorf("%s: log odds %v, want %v", link, e.Contrast.Prediction, want)
	}
	for _, r := range e.Contrast.Rules {
		if want := math.Log(r.Response[first] / r.Response[second]); !near(r.Output, want) {
			t.Errorf("%s: rule %d has log odds %v, its probabilities %v", link, r.Rule, r.Output, want)
		}
	}
}
