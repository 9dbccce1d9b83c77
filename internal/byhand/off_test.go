package byhand_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

// TestOff: a rule that is off is in the file and not in the model, nor are its curves.
func TestOff(t *testing.T) {
	for _, c := range []exporttest.Case{{Shape: "sigmoid", Response: "number"}, {Shape: "gaussian", Response: "number", Curves: "own"}} {
		m, err := c.Model()
		if err != nil {
			t.Fatal(err)
		}
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
