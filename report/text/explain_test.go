package text

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/describe"
)

func TestExplainedInWords(t *testing.T) {
	m, d := worded(t, 2)
	ask(m, 0, 0, 20)
	ask(m, 1, 100, 13)
	m.RuleBase.Consequents[0][0], m.RuleBase.Consequents[1][1] = 1, 2
	x := d.X[100] // a 50, autumn
	e, err := describe.Explain(m, x)
	if err != nil {
		t.Fatal(err)
	}
	e.Row = 101
	actual := 7.0
	e.Actual = &actual
	var b strings.Builder
	if err := WriteExplained(&b, e); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Row 101: y is predicted to be ", " kg; the table says 7.000.", "training mean\n", "  rule 1, 9", "not met (grade 0.04): a is low (at most 23 mm)", "  1 other rule, ",
		"│ season", "│ autumn", "│ a ", "│ 50 mm", "These changes do not add up.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	if len(e.Rules) != 2 || e.Rules[0].Words[0].Met || e.Rules[1].Words[0].Met {
		t.Errorf("%+v", e.Rules)
	}
}

// TestExplainedByManyRules: if no rule has much of the firing, the six strongest have a line
// each.
func TestExplainedByManyRules(t *testing.T) {
	for R, lines := range map[int]int{24: 6, 40: 6, 2: 2} {
		m, d := worded(t, R)
		e, err := describe.Explain(m, d.X[100])
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := WriteExplained(&b, e); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "of the firing, says"); got != lines {
			t.Errorf("%d of %d rules have a line, want %d:\n%s", got, R, lines, &b)
		}
	}
}
