package lse

import (
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/rules"
)

// TestRefuses: samples and rules of wrong sizes are errors.
func TestRefuses(t *testing.T) {
	x, y := [][]float64{{0, 1}, {1, 0}, {2, 2}}, []float64{1, 2, 3}
	of := func(x [][]float64, y, weight []float64, R int) error {
		_, err := New(t.Context(), x, y, weight, R, 0)
		return err
	}
	for name, err := range map[string]error{
		"no samples": of(nil, nil, nil, 2), "ragged": of([][]float64{{1, 2}, {1}, {1, 2}}, y, nil, 2), "targets": of(x, y[:1], nil, 2),
		"weights": of(x, y, y[:1], 2), "no rules": of(x, y, nil, 0), "too many rules": of(x, y, nil, MaxUnknowns),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	e, err := New(t.Context(), x, y, nil, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	outputs := rulebase(rng, 2, 2)
	outputs.SetOutputs(2)
	for name, rb := range map[string]*rules.RuleBase{
		"nil": nil, "zero": {}, "rules": rulebase(rng, 3, 2), "features": rulebase(rng, 2, 3), "outputs": outputs,
	} {
		if w, err := e.Estimate(t.Context(), rb); err == nil {
			t.Errorf("%s: %v", name, w)
		}
	}
}
