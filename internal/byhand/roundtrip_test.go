package byhand_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// written returns the rules of a model as rules.yaml.
func written(t *testing.T, m *model.Model) string {
	t.Helper()
	b, err := byhand.FromModel(m)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := b.WriteYAML(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// read returns the rules of a text, which must be without faults.
func read(t *testing.T, text string) *byhand.Rulebook {
	t.Helper()
	b, err := byhand.ReadYAML(strings.NewReader(text), "rules.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return b
}

// imported returns the model of a text.
func imported(t *testing.T, text string, like *model.Model) *model.Model {
	t.Helper()
	m, err := read(t, text).Model(like)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// asJSON is what a model file holds of the rules and the preprocessing.
func asJSON(t *testing.T, m *model.Model) string {
	t.Helper()
	one := *m
	one.Training = model.Training{Samples: m.Training.Samples}
	one.Rules = make([]model.RuleSummary, m.RuleBase.Rules())
	one.Neighbours, one.Calibration, one.Pages = nil, nil, nil
	var b bytes.Buffer
	if err := one.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkRoundTrip writes the rules of a model, reads them, and compares the models to the bit.
func checkRoundTrip(t *testing.T, m *model.Model) {
	t.Helper()
	text := written(t, m)
	for _, like := range []*model.Model{nil, m} {
		got := imported(t, text, like)
		if was, is := asJSON(t, m), asJSON(t, got); was != is {
			t.Fatalf("the model changed: %s\n%s", firstDifference(was, is), text)
		}
		if again := written(t, got); again != text {
			t.Fatalf("written again: %s", firstDifference(text, again))
		}
	}
}

func firstDifference(a, b string) string {
	was, is := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] && !strings.Contains(was[i], "checksum") {
			return "line " + was[i] + " is " + is[i]
		}
	}
	return "of another length"
}

// TestRoundTrip: the rules of a model of every kind, written and read without an edit, are the same to the
// bit, and so are its predictions.
func TestRoundTrip(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, c exporttest.Case, m *model.Model, table *exporttest.Table) {
		if c.Committee {
			if _, err := byhand.FromModel(m); err == nil || !strings.Contains(err.Error(), "--member") {
				t.Fatalf("a committee: %v", err)
			}
			m = m.Members[0]
		}
		checkRoundTrip(t, m)
	})
}

// TestRoundTripOfParts: kept parts, merged rules, shared functions and splits are written and read.
func TestRoundTripOfParts(t *testing.T) {
	m := exporttest.Case{Shape: "sigmoid", Response: "number"}.Model(t)
	rb := m.RuleBase
	rb.Keep = make([]rules.Keep, rb.Rules())
	rb.Keep[0], rb.Keep[2], rb.Keep[3] = rules.KeepAll, rules.KeepIf, rules.KeepThen
	rb.MergeWeights = []int{1, 3, 1, 1, 2, 1}
	checkRoundTrip(t, m)

	for j := range rb.Antecedents {
		rb.Antecedents[j][1][0] = rb.Antecedents[j][0][0]
	}
	rb.Tie = make([][]int, rb.Rules())
	for r := range rb.Tie {
		for range rb.Features() {
			rb.Tie[r] = append(rb.Tie[r], r)
		}
		rb.Tie[r][0] = max(0, r-1) // rules 1 and 2 share a function
	}
	rb.Keep = nil
	checkTies(t, m)
}

// checkTies compares shared functions, whose labels may differ.
func checkTies(t *testing.T, m *model.Model) {
	t.Helper()
	got := imported(t, written(t, m), nil)
	if !reflect.DeepEqual(got.RuleBase.Shared(), m.RuleBase.Shared()) {
		t.Errorf("shared: %v, want %v", got.RuleBase.Shared(), m.RuleBase.Shared())
	}
	was, _ := json.Marshal(m.RuleBase.Parameters)
	is, _ := json.Marshal(got.RuleBase.Parameters)
	if !bytes.Equal(was, is) {
		t.Error("the parameters changed")
	}
}

// TestOff: a rule that is off is in the file and not in the model, nor are its curves.
func TestOff(t *testing.T) {
	for _, c := range []exporttest.Case{{Shape: "sigmoid", Response: "number"}, {Shape: "gaussian", Response: "number", Curves: "own"}} {
		m := c.Model(t)
		b := read(t, written(t, m))
		b.Rules[1].Off = true
		var text strings.Builder
		if err := b.WriteYAML(&text); err != nil {
			t.Fatal(err)
		}
		got := imported(t, text.String(), m).RuleBase
		if R := m.RuleBase.Rules(); got.Rules() != R-1 || len(got.Curves) != max(0, len(m.RuleBase.Curves)-1) {
			t.Fatalf("%d of %d rules, %d curves", got.Rules(), R, len(got.Curves))
		}
		if !slices.Equal(got.Consequents[1], m.RuleBase.Consequents[2]) {
			t.Error("rule 2 is not the former rule 3")
		}
		if got.Curves != nil && !slices.Equal(got.Curves[1], m.RuleBase.Curves[2]) {
			t.Error("the curves of rule 2 are not those of the former rule 3")
		}
		for r := range b.Rules {
			b.Rules[r].Off = true
		}
		if _, err := b.Model(m); err == nil || !strings.Contains(err.Error(), "all rules are off") {
			t.Errorf("all rules off: %v", err)
		}
	}
	_, err := byhand.ReadYAML(strings.NewReader("rules: [{if: always, then: 3, off: perhaps}]"), "rules.yaml")
	if err == nil || !strings.Contains(err.Error(), "rules.yaml:1:") || !strings.Contains(err.Error(), "off: want true or false") {
		t.Errorf("off: perhaps: %v", err)
	}
}
