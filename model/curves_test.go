package model

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// curved returns a model with random curves, and scaled samples with targets near its outputs.
func curved(t *testing.T, own bool) (m *Model, z [][]float64, y []float64) {
	t.Helper()
	m, x := random(t, membership.Gaussian{}, 9)
	m = withCurves(t, m, x, own)
	z = testenv.Must(m.Scale(x[:60]))
	y, _, _ = m.RuleBase.Forward(z, nil)
	for n := range y {
		y[n] += 0.1 * float64(n%2*2-1)
	}
	return m, z, y
}

// TestCurvesAreWhatRulesAdd: curves in the units of the data, with the formula, give what each rule says.
func TestCurvesAreWhatRulesAdd(t *testing.T) {
	for _, own := range []bool{false, true} {
		m, z, _ := curved(t, own)
		m.Target.SD = 2.5
		inputs := m.Inputs()
		for r, w := range m.RuleBase.Consequents {
			intercept, slopes := m.Formula(w)
			for _, row := range z {
				y := intercept
				for i, f := range inputs {
					y += slopes[i] * (f.Mean + f.SD*row[i])
				}
				for _, c := range Curves(m.Preprocessing, m.RuleBase.Knots, m.RuleBase.Curve(r)) {
					f := inputs[c.Input]
					q, share := rules.Between(c.X, f.Mean+f.SD*row[c.Input])
					y += c.Y[q] + share*(c.Y[q+1]-c.Y[q])
				}
				if want := m.Target.Mean + 2.5*m.RuleBase.Consequent(r, row); !(math.Abs(y-want) <= 1e-9*(1+math.Abs(want))) {
					t.Fatalf("own %v, rule %d: %v, the rule says %v", own, r, y, want)
				}
			}
		}
	}
}

func TestMeanCurves(t *testing.T) {
	m, _, _ := curved(t, true)
	for q, v := range MeanCurves(m.RuleBase) {
		want := 0.0
		for _, values := range m.RuleBase.Curves {
			want += values[q] / float64(m.RuleBase.Rules())
		}
		if math.Abs(v-want) > 1e-12 {
			t.Errorf("value %d: %v, want %v", q, v, want)
		}
	}
}

// TestRoundCurves: knots and values of curves have few digits, knots ascend, and what a rule says where it fires is not shifted.
func TestRoundCurves(t *testing.T) {
	for _, own := range []bool{false, true} {
		m, z, y := curved(t, own)
		before := m.RuleBase.Clone()
		got := testenv.Must(Round(context.Background(), m.Preprocessing, m.RuleBase, 2, z, y, nil))
		noError(got.Validate())
		if !slices.EqualFunc(before.Knots, m.RuleBase.Knots, slices.Equal) || !slices.EqualFunc(before.Curves, m.RuleBase.Curves, slices.Equal) {
			t.Fatal("the rules themselves were rounded")
		}
		size := errorSize(context.Background(), m.Preprocessing, m.RuleBase, z, func(n int) float64 { return y[n] }, nil)
		step := int(math.Floor(math.Log10(size / 20)))
		changed := 0
		for r := range got.Rules() {
			for _, c := range Curves(m.Preprocessing, got.Knots, got.Curve(r)) {
				f := m.Inputs()[c.Input]
				for q, v := range c.X {
					if at := int(math.Floor(math.Log10(f.SD/2))) - 1; math.Abs(numeric.RoundTo(v, at)-v) > 1e-9*f.SD {
						t.Errorf("feature %s: knot %v", f.Name, v)
					}
					if !isMultiple(c.Y[q], step, math.Abs(c.Y[q])+1) {
						t.Errorf("feature %s: value %v", f.Name, c.Y[q])
					}
				}
			}
			for q, v := range got.Curve(r) {
				if v != m.RuleBase.Curve(r)[q] {
					changed++
				}
			}
		}
		if changed == 0 {
			t.Error("no value was rounded")
		}
		shifts := firingMeans(context.Background(), got, z, nil, 1, func(dst []float64, r int, row []float64) {
			dst[0] = m.RuleBase.Consequent(r, row) - got.Consequent(r, row)
		})
		for r, shift := range shifts {
			if limit := math.Pow10(step) / 2 / m.Target.Scaling(); math.Abs(shift[0]) > limit+1e-12 {
				t.Errorf("own %v: rule %d is shifted by %v", own, r, shift)
			}
		}
	}
}

// TestRoundCloseKnots: knots that would coincide keep more digits.
func TestRoundCloseKnots(t *testing.T) {
	knots := []float64{-1, 0.12341, 0.12349, 1}
	roundKnots(knots, Feature{SD: 1}, 2)
	if want := []float64{-1, 0.1234, 0.1235, 1}; !slices.Equal(knots, want) {
		t.Errorf("%v, want %v", knots, want)
	}
}

// smallCurved returns small with curves, shared by both rules or own of each.
func smallCurved(own bool) *Model {
	m := small()
	rules.AddCurves(m.RuleBase, [][]float64{{-1, 0, 1.5}}, own)
	for c, values := range m.RuleBase.Curves {
		copy(values, []float64{0.1 + float64(c), -1, 1.0 / 3})
	}
	return m
}

func TestDecodeRefusesCurves(t *testing.T) {
	content := tree(t, smallCurved(false))
	put(t, content, "knots", json.RawMessage("[[-1.5e308,0,1.5e308]]"))
	decode(t, seal(t, content))
	for _, c := range []struct{ path, text, want string }{
		{"knots", `[[0,-1,1]]`, "knots[m=0]: -1 after 0: must increase"},
		{"knots", `[[0,0,1]]`, "knots[m=0]: 0 after 0: must increase"},
		{"knots", `[[-1.5e308,1.5e308,1.6e308]]`, "must increase"},
		{"knots", `[[-1,0,1e999]]`, "1e999"},
		{"knots", `[[-1,0]]`, "knots[m=0]: 2; want at least 3"},
		{"knots", `[[]]`, "curves[0]: 3 values; there are 0 knots"},
		{"knots", `[]`, "knots of 0 features; there are 1"},
		{"knots", `[[-1,0,1],[-1,0,1]]`, "knots of 2 features; there are 1"},
		{"knots", `[null]`, "knots[0] is null"},
		{"knots", `[["NaN",0,1]]`, "knots[0][0] is a text, want a number"},
		{"knots", `{}`, "knots is an object, want a list"},
		{"knots", `[[-1,0,1,2]]`, "curves[0]: 3 values; there are 4 knots"},
		{"curves", `[]`, "curves: 0 rows; want 1 or 2"},
		{"curves", `[[0,0,0],[0,0,0],[0,0,0]]`, "curves: 3 rows; want 1 or 2"},
		{"curves", `[[0,0,0],[0,0]]`, "curves[1]: 2 values; there are 3 knots"},
		{"curves", `[["NaN",0,0]]`, "curves[0][0] is a text, want a number"},
		{"curves", `null`, "curves is null"},
	} {
		refusedEdits(t, smallCurved(false), []edit{{c.path, json.RawMessage(c.text), c.want}})
	}
	refusedEdits(t, smallCurved(true), []edit{{"knots", remove{}, "knots of 0 features; there are 1"}, {"curves", remove{}, "curves: 0 rows"}})
	plain := small()
	committee := testenv.Must(NewCommittee(plain.Preprocessing, []*Model{plain, smallCurved(true)}, plain.Training))
	refusedEdits(t, committee, []edit{{"curves", json.RawMessage("[[0,0,0]]"), "a committee has no rules of its own"}})
}
