package model

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// reduced returns rules over one component, 0.6 z_a + 0.8 z_b, of two features
// z_a = (a-10)/2 and z_b = b/5; the feature between them is not used.
func reduced() *Model {
	m := small()
	m.Schema = data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Unit: "mm", Encoding: data.Numeric}, {Name: "flat", Encoding: data.Numeric, Unused: true}, {Name: "b",
			Encoding: data.Numeric},
	}}
	m.Features = []Feature{
		{Name: "a", Mean: 10, SD: 2, Min: 7, Max: 13}, {Name: "flat", SD: 1, Constant: true}, {Name: "b", SD: 5, Min: -10, Max: 10},
	}
	m.Components = []Component{{Loadings: []float64{0.6, 0.8}, SD: 1.2, Min: -2, Max: 3}}
	return m
}

func TestComponentsByHand(t *testing.T) {
	m := reduced()
	// z_a = 1, z_b = -2: 0.6 - 1.6 = -1. z_a = -1.5, z_b = 1: -0.1.
	x := [][]float64{{12, 99, -10}, {7, 99, 5}}
	scaled := testenv.Must(m.Scale(x))
	for n, want := range []float64{-1, -0.1} {
		if len(scaled[n]) != 1 || math.Abs(scaled[n][0]-want) > 1e-12 {
			t.Errorf("sample %d: %v, want %v", n, scaled[n], want)
		}
	}
	if got, want := m.Inputs(), []Feature{{Name: "pc1", SD: 1, Min: -2, Max: 3}}; !reflect.DeepEqual(got, want) {
		t.Errorf("inputs %+v, want %+v", got, want)
	}
	p := testenv.Must(m.Predict(x))
	y, _, _ := m.RuleBase.Forward(scaled, nil)
	for n, v := range p.Values {
		if v != m.Target.Mean+y[n] {
			t.Errorf("sample %d: %v, of the rules %v", n, v, y[n])
		}
	}
	m.Components = nil
	if got := m.Inputs(); !reflect.DeepEqual(got, m.Used()) {
		t.Errorf("inputs %+v without components", got)
	}
}

// TestDecodeRefusesComponents: reading checks components.
func TestDecodeRefusesComponents(t *testing.T) {
	m := reduced()
	refusedEdits(t, m, []edit{
		{"components.0.loadings", []float64{1}, "components[0].loadings: 1; 2 features are used"},
		{"components.0.loadings.0", 0.7, "components[0].loadings: of length"},
		{"components.0.sd", 0, "components[0]: sd 0"},
		{"components.0.min", 4, "components[0]: sd 1.2, min 4, max 3"},
		{"components.0.max", remove{}, "components[0].max is missing"},
		{"components", []any{}, "components: 0 of 2 features"},
		{"components", remove{}, "features: 2 are used, but the rules have 1"},
		{"components", slices.Repeat(m.Components, 3), "components: 3 of 2 features"},
	})
}

// smallTree is a tree of two leaves that share the border at zero.
func smallTree() *Model {
	m := small()
	m.RuleBase.Shape = membership.Sigmoid{}
	m.RuleBase.Antecedents = [][][]float64{{{-1e200}, {0}}, {{0.5}, {0.5}}, {{0}, {1e200}}, {{0.5}, {0.5}}}
	m.RuleBase.Splits = []rules.Split{{Below: []int{0}, Above: []int{1}}}
	return m
}

// TestDecodeRefusesSplits: reading checks splits.
func TestDecodeRefusesSplits(t *testing.T) {
	m := smallTree()
	split := func(fields ...string) json.RawMessage {
		return json.RawMessage("[{" + strings.Join(fields, ",") + "}]")
	}
	const feature, below, above = `"feature":0`, `"below":[0]`, `"above":[1]`
	refusedValues(t, m, "splits", map[string]any{
		"splits[0].above is missing":             split(feature, below),
		"splits[0].above is null":                split(feature, below, `"above":null`),
		"splits[0].not has 1 elements, want 2":   split(feature, below, above, `"not":[[0]]`),
		"splits[0].not has 3 elements, want 2":   split(feature, below, above, `"not":[[],[],[]]`),
		"splits[0].not[1] is a number, want a":   split(feature, below, above, `"not":[[],1]`),
		"splits[0]: not: 1 and 0 columns":        split(feature, below, above, `"not":[[0],[]]`),
		"splits[0]: feature 1; there are 1":      split(`"feature":1`, below, above),
		"splits[0]: above: 2: must be":           split(feature, below, `"above":[2]`),
		"splits[0]: 0 is in both below and abov": split(feature, below, `"above":[0]`),
		"splits[0]: no rules":                    split(feature, `"below":[]`, `"above":[]`),
		"splits is an object, want a list":       json.RawMessage(`{}`),
	})
	refusedEdits(t, m, []edit{{"antecedents.low.1.0", 0.25, "low[r=1,m=0] = 0.25, but it is tied to high = 0 of rule 0"}})
}

// smallTied is a grid of two cells.
func smallTied() *Model {
	m := small()
	rb := testenv.Must(rules.Grid(m.RuleBase.Shape, [][]float64{{-1}, {1}}, nil))
	m.RuleBase.Parameters, m.RuleBase.Tie, m.RuleBase.SpreadFloor = rb.Parameters, [][]int{{0}, {1}}, rb.SpreadFloor
	return m
}
