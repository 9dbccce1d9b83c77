package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/loss"
)

// smallOf returns the two rules of small with the given outputs and response; consequents
// that are not given are those of small, one after the other.
func smallOf(C int, r Response) *Model {
	m := small()
	m.Response = r
	for i, w := range m.RuleBase.Consequents {
		for c := 1; c < C; c++ {
			m.RuleBase.Consequents[i] = append(m.RuleBase.Consequents[i], w[0]-0.7*float64(c), w[1]+0.3*float64(c))
		}
	}
	return m
}

func smallTargets() *Model {
	m := smallOf(2, Response{Link: "identity", Weights: []float64{1, 3}})
	m.Schema.Others = []data.Other{{Name: "z", Unit: "m"}}
	low := 90.0
	m.Target.SD = 2
	m.Response.Targets = []Target{m.Target, {Mean: 100, SD: 10, Min: 80, Max: 120, Low: &low}}
	return m
}

func smallQuantiles() *Model {
	return smallOf(3, Response{Link: "ordered", Quantiles: []float64{0.05, 0.5, 0.95}, TrainingQuantiles: []float64{1, 5, 8}})
}

func smallCounts() *Model { return smallOf(1, Response{Link: "log"}) }

func classed(m *Model, names ...string) *Model {
	m.Schema.Classes = names
	for _, name := range names {
		m.Response.Classes = append(m.Response.Classes, Class{name, 1 / float64(len(names))})
	}
	m.Target = Target{Mean: 1, Max: float64(len(names) - 1)}
	return m
}

func smallBinary() *Model { return classed(smallOf(1, Response{Link: "logit"}), "no", "yes") }
func smallClasses() *Model {
	return classed(smallOf(3, Response{Link: "softmax"}), "a", "b,\nc", "=c")
}

// withResponses are models of all responses, by name.
func withResponses() map[string]*Model {
	return map[string]*Model{"targets": smallTargets(), "quantiles": smallQuantiles(), "counts": smallCounts(),
		"binary": smallBinary(), "classes": smallClasses()}
}

// outputsAt returns the outputs of the rules for a sample, from the views of each output.
func outputsAt(t *testing.T, m *Model, x float64) []float64 {
	t.Helper()
	var y []float64
	for c := range m.OutputCount() {
		out, covered, _ := m.Output(c).RuleBase.Forward([][]float64{{(x - 10) / 2}}, nil)
		if !covered[0] {
			t.Fatal("not covered")
		}
		y = append(y, out[0])
	}
	return y
}

func sampleOf(rows [][]float64, n int) []float64 {
	var v []float64
	for _, row := range rows {
		v = append(v, row[n])
	}
	return v
}

// equal reports whether numbers agree up to rounding.
func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*(1+math.Abs(y)) })
}

// TestResponsesByHand checks the prediction of each link by its definition.
func TestResponsesByHand(t *testing.T) {
	const x = 11.5
	for name, m := range withResponses() {
		y := outputsAt(t, m, x)
		p := predict(t, m, [][]float64{{x}})
		want, value := []float64(nil), 0.0
		switch name {
		case "targets":
			want = []float64{5 + 2*y[0], max(90, 100+10*y[1])}
			value = want[0]
		case "quantiles":
			for _, v := range y {
				want = append(want, 5+v)
			}
			slices.Sort(want)
			value = want[1]
		case "counts":
			value = 5 * math.Exp(y[0])
		case "binary":
			want = []float64{1 / (1 + math.Exp(y[0])), 1 / (1 + math.Exp(-y[0]))}
			value = 1
		case "classes":
			sum := math.Exp(y[0]) + math.Exp(y[1]) + math.Exp(y[2])
			want = []float64{math.Exp(y[0]) / sum, math.Exp(y[1]) / sum, math.Exp(y[2]) / sum}
			value = float64(slices.Index(want, slices.Max(want)))
		}
		if !equal(p.Values, []float64{value}) || !equal(sampleOf(p.Outputs, 0), want) || p.Uncovered != 0 {
			t.Errorf("%s: %v, %v; want %v, %v", name, p.Values, p.Outputs, value, want)
		}
	}
}

// TestResponsesOfUncoveredSamples checks what a sample gets whose outputs overflow.
func TestResponsesOfUncoveredSamples(t *testing.T) {
	for name, want := range map[string][]float64{
		"targets": {5, 100}, "quantiles": {1, 5, 8}, "counts": nil, "binary": {0.5, 0.5}, "classes": {1.0 / 3, 1.0 / 3, 1.0 / 3},
	} {
		m := withResponses()[name]
		for _, w := range m.RuleBase.Consequents {
			for i := range w {
				w[i] = math.Copysign(math.MaxFloat64, w[i])
			}
		}
		if m.Response.Targets != nil {
			m.Response.Targets[1].Low = nil
		}
		p := predict(t, m, [][]float64{{15}})
		if p.Uncovered != 1 || !numeric.Finite(p.Values...) || !equal(sampleOf(p.Outputs, 0), want) {
			t.Errorf("%s: %v, %v, %d uncovered; want %v", name, p.Values, p.Outputs, p.Uncovered, want)
		}
	}
}

// TestResponsesOfCommittees checks that a committee predicts the mean response of its members.
func TestResponsesOfCommittees(t *testing.T) {
	x := [][]float64{{9}, {11.5}, {13}}
	for name, one := range withResponses() {
		other := withResponses()[name]
		for i := range other.RuleBase.Consequents[0] {
			other.RuleBase.Consequents[0][i] *= -1.5
		}
		c := testenv.Must(NewCommittee(one.Preprocessing, []*Model{one, other}, one.Training))
		got, a, b := predict(t, c, x), predict(t, one, x), predict(t, other, x)
		all := func(p Predictions) [][]float64 {
			if p.Outputs == nil {
				return [][]float64{p.Values}
			}
			return p.Outputs
		}
		for j, values := range all(got) {
			for n, v := range values {
				first, second := all(a)[j][n], all(b)[j][n]
				spread := got.Spread
				if got.Spreads != nil {
					spread = got.Spreads[j]
				}
				if !equal([]float64{v, spread[n]}, []float64{(first + second) / 2, math.Abs(first-second) / math.Sqrt2}) {
					t.Errorf("%s: value %d of sample %d: %v, members %v and %v", name, j, n, v, first, second)
				}
			}
		}
		other.Response = Response{Link: "log"}
		if _, err := c.Predict(x); err == nil && name != "counts" {
			t.Errorf("%s: a member with another response predicts", name)
		}
	}
}

// TestOutputs checks the models of single outputs: their predictions are the outputs of the link.
func TestOutputs(t *testing.T) {
	const x = 11.5
	for name, m := range withResponses() {
		y := outputsAt(t, m, x)
		for c := range m.OutputCount() {
			one := m.Output(c)
			want := y[c]
			switch name {
			case "targets":
				want = []float64{5 + 2*y[0], max(90, 100+10*y[1])}[c]
			case "quantiles":
				want += 5
			case "counts":
				want += math.Log(5)
			}
			p := predict(t, one, [][]float64{{x}})
			if !equal(p.Values, []float64{want}) || !one.Number() || p.Outputs != nil {
				t.Errorf("%s: output %d: %v, want %v", name, c, p.Values, want)
			}
			if _, err := one.Explain([]float64{x}); err != nil {
				t.Errorf("%s: output %d: %v", name, c, err)
			}
		}
		if _, err := m.Explain([]float64{x}); err == nil {
			t.Errorf("%s: explained as a sum", name)
		}
		if m.Neighbours = smallNear(t).Neighbours; m.Validate() == nil {
			t.Errorf("%s: valid with neighbours", name)
		}
	}
	if m := small(); m.Output(0) != m {
		t.Error("a plain model is not its own output")
	}
}

// TestDecodeRefusesResponses: reading checks responses.
func TestDecodeRefusesResponses(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, c := range []struct {
		of, path string
		value    any
		want     string
	}{
		{"classes", "response.link", "probit", `response.link: "probit"`},
		{"classes", "response.link", "logit", "response.classes: 3; the logit link is for two"},
		{"classes", "response.link", "log", "response.classes: 3 contradict the link log"},
		{"classes", "response.classes", raw(`[{"name":"a","share":0.5},{"name":"b,\nc","share":0.5}]`), "response.classes: 2; the schema has 3"},
		{"classes", "response.classes.0.name", "z", `response.classes[0].name: "z"`},
		{"classes", "response.classes.0.share", 0.5, "response.classes: the shares sum to"},
		{"classes", "response.classes.0.share", -1, "response.classes[0].share: -1"},
		{"classes", "response.classes.0.share", raw("1e999"), "1e999"},
		{"classes", "response.classes", remove{}, "response.classes: 0; the schema has 3"},
		{"classes", "response", remove{}, "response.classes: 0; the schema has 3"},
		{"classes", "schema.classes", remove{}, "response.classes: 3; the schema has 0"},
		{"classes", "consequents", raw(`[[1,2,3],[1,2,3]]`), "w[r=0]: 3 values"},
		{"classes", "consequents", raw(`[[1,2,3,4],[1,2,3,4]]`), "consequents: of 2 outputs; the response needs 3"},
		{"quantiles", "response.quantiles", raw(`[0.5,0.05,0.95]`), "response.quantiles[1]: 0.05"},
		{"quantiles", "response.quantiles", raw(`[0,0.5,0.95]`), "response.quantiles[0]: 0"},
		{"quantiles", "response.quantiles", raw(`[0.1,0.9]`), "response.quantiles: 2, and 3 training_quantiles"},
		{"quantiles", "response.training_quantiles", raw(`[1,0,2]`), "response.training_quantiles[1]: 0"},
		{"quantiles", "response.weights", raw(`[1]`), "response.weights: are for several targets"},
		{"counts", "target.mean", -1, "response.link: log, but the target has mean -1"},
		{"counts", "response.power", 2.5, "response.power: 2.5: must lie between 1 and 2"},
		{"quantiles", "response.power", 1.5, "response.power: 1.5 contradicts the link ordered"},
		{"quantiles", "schema.offset", raw(`{"column":"e","power":1}`), "response.link: ordered: the schema has an offset"},
		{"counts", "schema.offset", raw(`{"column":"y","power":1}`), `offset: "y" of power 1: must be a column of its own`},
		{"counts", "schema.offset", raw(`{"column":"e","power":3}`), `offset: "e" of power 3`},
		{"counts", "response.bogus", 1, `response: unknown field "bogus"`},
		{"targets", "response.targets", raw(`[]`), "response.targets"},
		{"targets", "response.targets.0.mean", 4, "response.targets[0]: differs from target"},
		{"targets", "response.targets.1.sd", -1, "response.targets[1]: target: sd -1"},
		{"targets", "response.weights", raw(`[1,-1]`), "response.weights[1]: -1"},
		{"targets", "response.weights", raw(`[1]`), "response.weights: 1 of 2 targets"},
		{"targets", "schema.others", remove{}, "response.targets: 2; the schema needs 0"},
		{"targets", "response", remove{}, "response.targets: 0; the schema needs 2"},
	} {
		refusedEdits(t, withResponses()[c.of], []edit{{c.path, c.value, c.want}})
	}
}

// TestSetResponse checks the responses of training parts.
func TestSetResponse(t *testing.T) {
	d := &data.Dataset{
		Schema:  data.Schema{Target: "y", Columns: []data.Column{{Name: "a", Encoding: data.Numeric}}},
		X:       [][]float64{{1}, {2}, {4}},
		Y:       []float64{0, 1, 2},
		Weights: []float64{1, 2, 1},
	}
	p := fit(t, d)
	wrong := p // which New refuses: a link of classes without classes
	if err := wrong.SetResponse(loss.Softmax{}, Response{}, d); err != nil {
		t.Error("the loss of classes on numbers:", err)
	}
	if err := p.SetResponse(loss.Squared{}, Response{}, d); err != nil || !p.Number() {
		t.Errorf("one target: %+v, %v", p.Response, err)
	}
	if err := p.SetResponse(loss.Quantile{Levels: []float64{0.25, 0.75}}, Response{Quantiles: []float64{0.25, 0.75}},
		d); err != nil || !slices.Equal(p.Response.TrainingQuantiles, []float64{0, 2}) {
		t.Errorf("quantiles: %+v, %v", p.Response, err)
	}
	if err := p.SetResponse(loss.Poisson{}, Response{}, d); err != nil || p.Response.Link != "log" {
		t.Errorf("counts: %+v, %v", p.Response, err)
	}
	err := p.SetResponse(loss.Gamma{}, Response{}, d)
	if fault := new(data.Error); !errors.As(err, &fault) || !strings.Contains(err.Error(),
		"row 1, \"y\": 0: the loss gamma needs targets above 0") {
		t.Errorf("costs of zero: %v", err)
	}
	d.Schema.Classes = []string{"a", "b", "c"}
	if err := p.SetResponse(loss.Softmax{}, Response{}, d); err != nil || fmt.Sprint(p.Response.Classes) != "[{a 0.25} {b 0.5} {c 0.25}]" {
		t.Errorf("classes: %+v, %v", p.Response, err)
	}
	d.Schema.Classes, d.Schema.Others, d.Others = nil, []data.Other{{Name: "z"}}, [][]float64{{10, 20, 30}}
	if err := p.SetResponse(loss.Squared{}, Response{Weights: []float64{1, 2}},
		d); err != nil || len(p.Response.Targets) != 2 || p.Response.Targets[1].Mean != 20 || p.Response.Targets[1].SD == 0 {
		t.Errorf("targets: %+v, %v", p.Response, err)
	}
	before := p
	if err := p.Limit(0, nil); err != nil || *p.Response.Targets[1].High != 30 || before.Response.Targets[1].High != nil {
		t.Errorf("limits: %+v, %v; before: %+v", p.Response, err, before.Response)
	}
}

// TestTargets checks what the losses of each link compare the outputs with.
func TestTargets(t *testing.T) {
	d := &data.Dataset{Y: []float64{0, 2, 1}, Others: [][]float64{{10, 20, 30}}}
	classes := []Class{{"a", 0.5}, {"b", 0.25}, {"c", 0.25}}
	for _, c := range []struct {
		link    string
		p       Preprocessing
		outputs int
		want    []float64
	}{
		{"identity", Preprocessing{Target: Target{Mean: 1, SD: 2}}, 1, []float64{-0.5, 0.5, 0}},
		{"identity", Preprocessing{Schema: data.Schema{Others: make([]data.Other, 1)}, Response: Response{Link: "identity",
			Targets: []Target{{Mean: 1}, {Mean: 20, SD: 5}}}}, 2, []float64{-1, -2, 1, 0, 0, 2}},
		{"ordered", Preprocessing{Target: Target{Mean: 1}, Response: Response{Link: "ordered", Quantiles: []float64{0.1, 0.9},
			TrainingQuantiles: []float64{0, 2}}}, 2, []float64{-1, -1, 1, 1, 0, 0}},
		{"log", Preprocessing{Target: Target{Mean: 4}, Response: Response{Link: "log"}}, 1, []float64{0, 0.5, 0.25}},
		{"softmax", Preprocessing{Response: Response{Link: "softmax", Classes: classes}}, 3, []float64{1, 0, 0, 0, 0, 1, 0, 1, 0}},
		{"logit", Preprocessing{Response: Response{Link: "logit", Classes: classes[:2]}}, 1, []float64{0, 0, 1}},
	} {
		if got := c.p.Targets(d); !slices.Equal(got, c.want) || c.p.OutputCount() != c.outputs || c.p.Link() != c.link {
			t.Errorf("%s: %v of %d outputs, want %v of %d", c.p.Link(), got, c.p.OutputCount(), c.want, c.outputs)
		}
	}
}
