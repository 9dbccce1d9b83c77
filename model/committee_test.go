package model

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

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
	m, err := NewCommittee(members[0].Preprocessing, members, Training{Samples: 4, Options: map[string]string{}, Versions: map[string]string{}, Metrics: map[string]float64{}})
	if err != nil {
		t.Fatal(err)
	}
	m.Calibration = &Calibration{Samples: 3, Residuals: []float64{0, 0.5, 2}}
	return m
}

func TestCommitteePredictsMeanAndSpread(t *testing.T) {
	m := smallCommittee(t)
	x := [][]float64{{10}, {11.5}, {700}} // the last one out of range
	p := predict(t, m, x)
	scaled, err := m.Scale(x)
	if err != nil {
		t.Fatal(err)
	}
	alone := predict(t, m.Members[0], x)
	for i, levels := range m.Members[0].RuleBase.FiringLevels(scaled, nil) {
		if want := alone.Values[i] + 3*levels[0]; math.Abs(p.Values[i]-want) > 1e-12 {
			t.Errorf("sample %d: %v, want %v", i, p.Values[i], want)
		}
		if want := 3 * levels[0]; math.Abs(p.Spread[i]-want) > 1e-12 { // of 0, 3, 6 times the level
			t.Errorf("sample %d: spread %v, want %v", i, p.Spread[i], want)
		}
	}
	if alone.Spread != nil || p.OutOfRange != 1 || p.Uncovered != 0 {
		t.Errorf("%+v; %+v", alone, p)
	}
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
	m, err := NewCommittee(a.Preprocessing, []*Model{a, b}, a.Training)
	if err != nil {
		t.Fatal(err)
	}
	x := [][]float64{{15}, {11}} // between a's trapezoids; on a plateau
	if p := predict(t, m, x); p.Uncovered != 1 {
		t.Errorf("%d uncovered, want 1", p.Uncovered)
	}
	if p := predict(t, b, x); p.Uncovered != 0 {
		t.Errorf("%d uncovered by the other member", p.Uncovered)
	}
}

func TestCommitteeFile(t *testing.T) {
	m := smallCommittee(t)
	if loaded := decode(t, encode(t, m)); !reflect.DeepEqual(m, loaded) {
		t.Errorf("saved %+v, loaded %+v", m, loaded)
	}
	edit := func(path string, value any) []byte {
		content := tree(t, smallCommittee(t))
		put(t, content, path, value)
		return sealAs(t, 2, content)
	}
	for _, c := range []struct {
		path  string
		value any
		want  string
	}{
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
	} {
		refused(t, c.path, edit(c.path, c.value), c.want)
	}
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
