package ensemble_test

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// cauchy is the built-in Cauchy shape as a formula.
func cauchy(t testing.TB, logExpr string) membership.Function {
	t.Helper()
	floor := 0.05
	f, err := membership.Formula{
		Name: "mine", Expr: "1/(1+((x-c)/s)^2)", LogExpr: logExpr,
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread", Min: &floor}},
	}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFormulaFollowsTheBuiltIn: the Cauchy shape as a formula, with or without its
// logarithm, trains like the built-in one.
func TestFormulaFollowsTheBuiltIn(t *testing.T) {
	racedetector.Skip(t)
	var run ensemble.Run
	parts, err := data.Source{}.Load(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	losses := func(shape membership.Function) (path []float64, m *model.Model) {
		o := recipe.Paper()
		o.Model.Membership, o.Train.Iterations = shape, 50
		run.OnIteration = func(m optim.Metrics) error {
			path = append(path, m.Loss)
			return nil
		}
		r, err := with(run, o).Train(context.Background(), parts.Train, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.OddGrades != "" {
			t.Error(r.OddGrades)
		}
		return path, r.Model
	}
	want, builtin := losses(membership.Cauchy{})
	for _, log := range []string{"", "-log(1+((x-c)/s)^2)"} {
		got, m := losses(cauchy(t, log))
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-9*want[i] {
				t.Fatalf("log_expr %q: loss %v at iteration %d, built in %v", log, got[i], i+1, want[i])
			}
		}
		// The loaded model predicts as before it was saved, and as the built-in shape.
		var file bytes.Buffer
		if err := m.Encode(&file); err != nil {
			t.Fatal(err)
		}
		loaded, err := model.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := m.Predict(parts.Test.X)
		b, err := loaded.Predict(parts.Test.X)
		if err != nil || !slices.Equal(a.Values, b.Values) {
			t.Errorf("log_expr %q: the loaded model predicts different values (%v)", log, err)
		}
		c, _ := builtin.Predict(parts.Test.X)
		for i := range c.Values {
			if math.Abs(a.Values[i]-c.Values[i]) > 1e-7 {
				t.Fatalf("log_expr %q: predicted %v, built in %v", log, a.Values[i], c.Values[i])
			}
		}
	}
}

// TestOddGradesAreReported: a formula with grades outside [0, 1] trains, and the result
// reports them.
func TestOddGradesAreReported(t *testing.T) {
	f, err := membership.Formula{
		Name: "odd", Expr: "2*exp(-((x-c)/s)^2) - 0.5",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}},
	}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	o := quick()
	o.Model.Membership = f
	r := train(t, table(t, 100), nil, o)
	if !strings.Contains(r.OddGrades, "grades of odd lie outside 0 to 1, such as ") || !strings.Contains(r.OddGrades, " at a = ") {
		t.Errorf("reported %q", r.OddGrades)
	}
	encoded(t, r.Model)
}
