package model

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
	"github.com/tskgraph/tskgraph/rules"
)

// variants change a model of several features and one output, for rows x.
var variants = []struct {
	name  string
	apply func(t *testing.T, m *Model, x [][]float64) *Model
}{
	{"plain", func(_ *testing.T, m *Model, _ [][]float64) *Model { return m }},
	{"powers", func(t *testing.T, m *Model, x [][]float64) *Model {
		if m.Straighten(context.Background(), x[:60], nil); !newInputs(&m.Preprocessing, 1).powers {
			t.Fatal("no feature is skewed")
		}
		return m
	}},
	{"components", func(_ *testing.T, m *Model, _ [][]float64) *Model {
		M := len(m.Used())
		for k := range M { // the reflection at the hyperplane of equal inputs
			c := Component{Loadings: make([]float64, M), SD: 1, Min: -3, Max: 3}
			for i := range M {
				c.Loadings[i] = -2 / float64(M)
			}
			c.Loadings[k]++
			m.Components = append(m.Components, c)
		}
		return m
	}},
	{"shared curves", func(t *testing.T, m *Model, x [][]float64) *Model { return withCurves(t, m, x, false) }},
	{"own curves", func(t *testing.T, m *Model, x [][]float64) *Model { return withCurves(t, m, x, true) }},
	{"committee", func(t *testing.T, m *Model, x [][]float64) *Model {
		var members []*Model
		for seed := range uint64(3) {
			member, _ := random(t, m.RuleBase.Shape, seed+5)
			member.Schema = m.Schema
			members = append(members, member)
		}
		return testenv.Must(NewCommittee(m.Preprocessing, members, Training{}))
	}},
	{"targets", func(_ *testing.T, m *Model, _ [][]float64) *Model {
		m.Schema.Others = []data.Other{{Name: "other"}}
		m.Response = Response{Link: "identity", Targets: []Target{m.Target, {Mean: 100, SD: 10, Min: 80, Max: 120}}}
		return withOutputs(m, 2)
	}},
	{"quantiles", func(_ *testing.T, m *Model, _ [][]float64) *Model {
		m.Response = Response{Link: "ordered", Quantiles: []float64{0.05, 0.5, 0.95}, TrainingQuantiles: []float64{1, 5, 8}}
		return withOutputs(m, 3)
	}},
	{"counts", func(_ *testing.T, m *Model, _ [][]float64) *Model { m.Response = Response{Link: "log"}; return m }},
	{"classes", func(_ *testing.T, m *Model, _ [][]float64) *Model {
		m.Response = Response{Link: "softmax"}
		return withOutputs(classed(m, "a", "b", "c"), 3)
	}},
	{"two classes", func(_ *testing.T, m *Model, _ [][]float64) *Model {
		m.Response = Response{Link: "logit"}
		return classed(m, "no", "yes")
	}},
}

func withOutputs(m *Model, C int) *Model {
	rng := rand.New(rand.NewPCG(uint64(C), 0))
	for r, w := range m.RuleBase.Consequents {
		for range (C - 1) * len(w) {
			m.RuleBase.Consequents[r] = append(m.RuleBase.Consequents[r], rng.NormFloat64())
		}
	}
	return m
}

func withCurves(t *testing.T, m *Model, x [][]float64, own bool) *Model {
	z := testenv.Must(m.Scale(x[:60]))
	rules.AddCurves(m.RuleBase, testenv.Must(rules.SortColumns(context.Background(), z, nil)).Knots(6), own)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, values := range m.RuleBase.Curves {
		for q := range values {
			values[q] = rng.NormFloat64()
		}
	}
	return m
}

// eachVariant calls test for each variant of a model of each shape with limits, and samples: some are far from the
// training part, some have missing cells, and some no rule covers.
func eachVariant(t *testing.T, test func(t *testing.T, m *Model, x [][]float64)) {
	shapes(t, func(t *testing.T, shape membership.Function) {
		for i, v := range variants {
			t.Run(v.name, func(t *testing.T) {
				m, x := random(t, shape, 7)
				noError(m.Limit(0.01, nil))
				m = v.apply(t, m, x)
				for k, far := range []float64{1e90, -1e90, 1e30, 1e9, 1e-310, math.NaN()} {
					row := slices.Clone(x[k])
					row[4+k%2*2] = far
					x = append(x, row)
				}
				x = append(x, x[:30+i]...)
				test(t, m, x)
			})
		}
	})
}

// TestPredictionsOfBlocks: a prediction has the same bits alone, in blocks of any size, and with the firing levels.
func TestPredictionsOfBlocks(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *Model, x [][]float64) {
		all := predict(t, m, x)
		for _, size := range []int{1, 63, 65} {
			var parts Predictions
			for start := 0; start < len(x); start += size {
				parts.add(predict(t, m, x[start:min(start+size, len(x))]))
			}
			if !samePredictions(parts, all) {
				t.Fatalf("blocks of %d have other predictions", size)
			}
		}
		if m.Committee() {
			return
		}
		f := testenv.Must(fire(m, x, 0))
		if fired := m.kind().predictions(f.responses); !sameBits(fired.Values, all.Values) || !sameRows(fired.Outputs, all.Outputs) {
			t.Error("predictions with firing levels differ")
		}
	})
}

func sameRows(a, b [][]float64) bool { return slices.EqualFunc(a, b, sameBits) }

func samePredictions(a, b Predictions) bool {
	return sameBits(a.Values, b.Values) && sameBits(a.Spread, b.Spread) && sameRows(a.Outputs, b.Outputs) && sameRows(a.Spreads, b.Spreads) &&
		a.Uncovered == b.Uncovered && a.OutOfRange == b.OutOfRange && a.Limited == b.Limited
}

// TestScaleIsTheFormula computes the inputs of the rules sample by sample, to the bit.
func TestScaleIsTheFormula(t *testing.T) {
	eachVariant(t, func(t *testing.T, m *Model, x [][]float64) {
		scaled := testenv.Must(m.Scale(x))
		for n, row := range x {
			var z, u []float64
			for i, f := range m.Features {
				if f.Constant {
					continue
				}
				v := (row[i] - f.Mean) / f.SD
				if math.IsNaN(v) {
					v = 0
				}
				z, u = append(z, v), append(u, f.Antecedent(v))
			}
			var want []float64
			switch {
			case m.Components != nil:
				for _, c := range m.Components {
					sum := 0.0
					for i, v := range z {
						sum += float64(c.Loadings[i] * v)
					}
					want = append(want, sum)
				}
			case newInputs(&m.Preprocessing, 1).powers:
				want = slices.Concat(u, z)
			default:
				want = z
			}
			if !sameBits(scaled[n], want) {
				t.Fatalf("sample %d: %v, want %v", n, scaled[n], want)
			}
		}
	})
}

// TestPredictAllocatesByBlocks: ten times the rows are predicted with as many allocations.
func TestPredictAllocatesByBlocks(t *testing.T) {
	m, x := random(t, membership.Trapezoid{}, 1)
	p := testenv.Must(newPredictor(m, len(x)))
	allocations := func(n int) float64 {
		return testing.AllocsPerRun(20, func() {
			testenv.Must(p.predict(x[:n], 0))
		})
	}
	if few, many := allocations(10), allocations(100); many > few {
		t.Errorf("%v allocations for 100 samples, %v for 10", many, few)
	}
}

// smallCommittee has three members that differ in one bias: their predictions
// differ by the firing level of rule 1, times 0, 3 and 6. It has a calibration.
func smallCommittee(t testing.TB) *Model {
	t.Helper()
	var members []*Model
	for k := range 3 {
		m := small()
		m.RuleBase.Consequents[0][0] += 3 * float64(k)
		members = append(members, m)
	}
	m, err := NewCommittee(members[0].Preprocessing, members, Training{Samples: 4, Options: map[string]string{},
		Versions: map[string]string{}, Metrics: map[string]float64{}})
	if err != nil {
		t.Fatal(err)
	}
	m.Calibration = &Calibration{Samples: 3, Residuals: []float64{0, 0.5, 2}}
	return m
}

// Predictions whose mean or spread overflows are counted, not returned.
func TestCommitteeOverflow(t *testing.T) {
	m := smallCommittee(t)
	for k, v := range []float64{1.7e308, -1.7e308, 0} {
		m.Members[k].RuleBase.Consequents = [][]float64{{v, 0}, {v, 0}}
	}
	p := predict(t, m, [][]float64{{10}})
	if p.Values[0] != m.Target.Mean || p.Spread[0] != math.MaxFloat64 || p.Uncovered != 1 {
		t.Errorf("%+v", p)
	}
}

// A sample counts as uncovered if one member does not cover it.
func TestCommitteeUncovered(t *testing.T) {
	a, b := smallTrapezoid(), smallTrapezoid()
	b.RuleBase.Antecedents = [][][]float64{{{-100}, {3}}, {{-99}, {4}}, {{99}, {5}}, {{100}, {6}}}
	m := testenv.Must(NewCommittee(a.Preprocessing, []*Model{a, b}, a.Training))
	x := [][]float64{{15}, {11}} // between a's trapezoids; on a plateau
	if p := predict(t, m, x); p.Uncovered != 1 {
		t.Errorf("%d uncovered, want 1", p.Uncovered)
	}
	if p := predict(t, b, x); p.Uncovered != 0 {
		t.Errorf("%d uncovered by the other member", p.Uncovered)
	}
}

func TestDecodeRefusesCommittees(t *testing.T) {
	refusedEdits(t, smallCommittee(t), []edit{
		{"members", []any{}, "members: 0"},
		{"members.1", nil, "members[1] is null"},
		{"members.1.consequents.0.0", nil, "members[1].consequents[0][0] is null"},
		{"members.1.spread_floor", remove{}, "members[1].rules: invalid rulebase: spread floor 0"},
		{"members.1.schema.target", "z", "members[1].schema"},
		{"members.1.missing", "mean", "members[1].missing: mean"},
		{"members.2.calibration", map[string]any{"samples": 1, "residuals": []any{1}}, "members[2]: is calibrated"},
		{"members.0.members", []any{}, "members[0]: is a committee itself"},
		{"membership", "gaussian", "no rules of its own"},
		{"consequents", []any{[]any{1, 2}}, "no rules of its own"},
		{"calibration.samples", remove{}, "calibration.samples is missing"},
		{"calibration.samples", json.RawMessage("9223372036854775807"), "calibration.samples: 9223372036854775807: must lie between 1 and"},
		{"calibration.samples", 0, "calibration.samples: 0"},
		{"calibration.samples", 4, "calibration: 3 residuals of 4 samples"},
		{"calibration.residuals.1", -1, "calibration.residuals[1]: -1"},
		{"calibration.residuals.1", 3, "calibration.residuals[2]: 2"},
	})
}

func TestCommitteeRefused(t *testing.T) {
	nested := smallCommittee(t)
	other := small()
	other.Schema = data.Schema{Columns: other.Schema.Columns, Target: "z"}
	for _, c := range []struct {
		members []*Model
		want    string
	}{
		{[]*Model{small()}, "at least two"},
		{[]*Model{small(), nested}, "members[1]: is a committee itself"},
		{[]*Model{small(), other}, "members[1].schema"},
		{[]*Model{{Preprocessing: small().Preprocessing}, small()}, "members[0]: has no rules"},
	} {
		if _, err := NewCommittee(small().Preprocessing, c.members, Training{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
