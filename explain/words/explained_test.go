package words

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

func explained(t *testing.T, m *model.Model, d *data.Dataset, x []float64) *Explained {
	t.Helper()
	return testenv.Must(Explain(m, x, testenv.Must(shapley.New(m, d, 1)), nil))
}

func TestExplainedInWords(t *testing.T) {
	m, d := wordModel(t, membership.Gaussian{}, 2)
	ask(m, 0, 0, 0, 20)
	ask(m, 1, 0, 100, 13)
	m.RuleBase.Consequents[0][0], m.RuleBase.Consequents[1][1], m.RuleBase.Consequents[0][2] = 1, 2, 1
	e := explained(t, m, d, d.X[100]) // a 50, autumn
	e.Row = 101
	actual := 7.0
	e.Actual = &actual
	for _, want := range []string{
		"Row 101: y is predicted to be ", " kg; the table says 7.000.", "training mean\n", "  rule 1, 9",
		"not met (grade 0.04): a is low (at most 23 mm)", "  1 other rule, ",
		"By column:\n", "mean prediction for 100 background rows\n", "  a 50 mm\n", "  season autumn\n", "  flag, size: no effect\n",
	} {
		if !strings.Contains(e.String(), want) {
			t.Errorf("no %q in\n%s", want, e)
		}
	}
	if len(e.Rules) != 2 || e.Rules[0].Words[0].Met || e.Rules[1].Words[0].Met {
		t.Errorf("%+v", e.Rules)
	}
}

// TestExplainedByManyRules: if no rule has much of the firing, the six strongest have a line each. Columns that contribute exactly
// nothing share a line.
func TestExplainedByManyRules(t *testing.T) {
	for R, lines := range map[int]int{24: 6, 40: 6, 2: 2} {
		m, d := wordModel(t, membership.Gaussian{}, R)
		e := explained(t, m, d, d.X[100]).String()
		if got := strings.Count(e, "of the firing, says"); got != lines {
			t.Errorf("%d of %d rules have a line, want %d:\n%s", got, R, lines, e)
		}
		if !strings.Contains(e, "  a, season, flag, size: no effect\n") || strings.Contains(e, "autumn") {
			t.Error(e)
		}
	}
}

// TestExplainedByManyColumns: beyond twelve columns the values have standard errors, and beyond twenty lines the others are combined.
func TestExplainedByManyColumns(t *testing.T) {
	e := &Explained{Target: "y"}
	e.Prediction, e.Background = 231, Background{Rows: 100, Mean: 0}
	within, none := 0.25, 0.0
	for i := range 22 {
		name, v := string(rune('a'+i)), float64(i)
		e.Values = append(e.Values, Cell{Column: name, Value: &v})
		e.Columns = append(e.Columns, ColumnPart{Column: name, Contribution: float64(21 - i), StandardError: &within})
	}
	e.Columns[21].Contribution, e.Columns[1].StandardError = 0.5, &none
	for _, want := range []string{"+21  a 0 (standard error 0.25)\n", "+20  b 1\n", "+2  t 19 (standard", "+1.5  2 other columns\n",
		"=          231\n"} {
		if !strings.Contains(e.String(), want) {
			t.Errorf("no %q in\n%s", want, e)
		}
	}
	if strings.Contains(e.String(), "  u 20") {
		t.Errorf("column u has a line:\n%s", e)
	}
}
