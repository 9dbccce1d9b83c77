package words

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestConstraintsInWords: words, numbers and JSON say what is kept and which signs slopes have, once
// for outputs that have the same.
func TestConstraintsInWords(t *testing.T) {
	m := two()
	if d := Model(m); d.Bounds != nil || d.boundsInWords() != nil {
		t.Errorf("bounds without signs: %v", d.Bounds)
	}
	m.RuleBase.Keep = []rules.Keep{rules.KeepThen, 0}
	m.RuleBase.Signs = []int{0, 0, -1}
	numbers := text(t, m)
	for _, want := range []string{"  THEN part kept as written\n", "\nNo rule lets demand rise with wind.\nThe prediction itself can, where weight moves"} {
		if strings.Count(numbers, want) != 1 {
			t.Errorf("%q is not said once in\n%s", want, numbers)
		}
	}
	m.RuleBase.Signs = []int{0, 1, -1}
	if got := Model(m).boundsInWords()[0]; got != "No rule lets demand rise with wind, or fall with temperature." {
		t.Error(got)
	}
	written, err := json.Marshal(Model(m))
	for _, want := range []string{`"keep":"then"`, `"bounds":[{"output":"demand","never_rises_with":["wind"],"never_falls_with":["temperature"]}]`} {
		if err != nil || !strings.Contains(string(written), want) {
			t.Errorf("no %s in %s, %v", want, written, err)
		}
	}
	for keep, want := range map[rules.Keep]string{0: "", rules.KeepIf: "IF part kept as written", rules.KeepAll: "Kept as written"} {
		if got := kept(keep); got != want {
			t.Errorf("%v: %q, want %q", keep, got, want)
		}
	}
	same := []Bound{{Output: "a", NoRise: []string{"x"}}, {Output: "b", NoFall: []string{"x"}}, {Output: "c", NoRise: []string{"x"}}}
	if got := (Description{Bounds: same}).boundsInWords(); !reflect.DeepEqual(got, []string{"No rule lets a or c rise with x.", "No rule lets b fall with x."}) {
		t.Error(got)
	}
}

// TestKeptInWords: the lines of a rule in words say what is kept of it.
func TestKeptInWords(t *testing.T) {
	m, _ := wordModel(t, membership.Gaussian{}, 3)
	for r := range 3 {
		ask(m, r, 0, float64(r), 0.5)
	}
	m.RuleBase.Keep = []rules.Keep{0, rules.KeepAll, rules.KeepIf}
	d := Model(m)
	var b strings.Builder
	if err := d.WriteWords(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"  Kept as written\n", "  IF part kept as written\n"} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("%q is not said once in\n%s", want, b.String())
		}
	}
	if got := d.Sentences().Rules[1].Cells()[0]; got[len(got)-1] != "keep: all" {
		t.Errorf("lines %q", got)
	}
}
