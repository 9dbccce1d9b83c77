package model

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/membership"
)

// TestInvalidModelsAreRefused: every method of a model that cannot predict returns an
// error with the cause and does not panic.
func TestInvalidModelsAreRefused(t *testing.T) {
	changed := func(change func(m *Model)) *Model {
		m := small()
		change(m)
		return m
	}
	committee := func(members ...*Model) *Model {
		return &Model{Preprocessing: small().Preprocessing, Members: members}
	}
	d, err := data.New([]string{"a"}, "y", [][]float64{{8}, {9}}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *Model
		want string
	}{
		{nil, "nil model"},
		{&Model{}, "no rules: train the model, or load it from a file"},
		{&Model{Preprocessing: small().Preprocessing}, "no rules"},
		{changed(func(m *Model) { m.RuleBase.Shape = nil }), "no membership shape"},
		{changed(func(m *Model) { m.RuleBase.Consequents = nil }), "0 rules over 1 features"},
		{changed(func(m *Model) { m.RuleBase.Consequents[1] = nil }), "w[r=1]: 0 values; want 2"},
		{changed(func(m *Model) { m.RuleBase.Antecedents[1][0] = nil }), "sigma[r=0]: 0 values; want 1"},
		{changed(func(m *Model) { m.RuleBase.Antecedents[0] = m.RuleBase.Antecedents[0][:1] }), "c: 1 rows; there are 2 rules"},
		{changed(func(m *Model) { m.RuleBase.Shape = membership.Trapezoid{} }), "2 antecedent parameters; trapezoid has 4"},
		{changed(func(m *Model) { m.Features = nil }), "the rules are over 1 inputs; the preprocessing gives 0"},
		{changed(func(m *Model) { m.Features[0].Constant = true }), "the rules are over 1 inputs; the preprocessing gives 0"},
		{changed(func(m *Model) { m.Components = []Component{{}} }), "components[0] has 0 loadings; 1 features are used"},
		{committee(small(), nil), "members[1] is missing"},
		{committee(small(), &Model{}), "members[1]: model: invalid model: no rules"},
		{changed(func(m *Model) { *m = *committee(small(), small()); m.Features = append(m.Features, Feature{}) }), "members[0] has 1 features, the committee 2"},
	} {
		_, predict := c.m.Predict(d.X)
		_, none := c.m.Predict(nil)
		_, evaluate := c.m.Evaluate(t.Context(), d)
		_, table := c.m.PredictTable(context.Background(), data.Input{Name: "t.csv", Reader: strings.NewReader("a\n1\n")}, TableOptions{}, &bytes.Buffer{})
		for what, err := range map[string]error{
			"Predict": predict, "Predict of none": none, "Evaluate": evaluate, "PredictTable": table, "Validate": c.m.Validate(),
			"Calibrate": c.m.Calibrate(t.Context(), d), "Encode": c.m.Encode(&bytes.Buffer{}),
		} {
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", what, err, c.want)
			}
		}
	}
	if err := small().Validate(); err != nil {
		t.Error(err)
	}
	if _, err := New(context.Background(), small().Preprocessing, nil, d.X, nil, Training{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a new model without rules: %v", err)
	}
	if _, err := NewCommittee(small().Preprocessing, []*Model{small(), nil}, Training{}); err == nil {
		t.Error("a committee with a member missing")
	}
}
