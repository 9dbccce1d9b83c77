package membership_test

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/membership/membershiptest"
)

// TestConformance checks every registered shape with membershiptest.
func TestConformance(t *testing.T) {
	if len(membership.Names()) == 0 {
		t.Fatal("no shape is registered")
	}
	for _, name := range membership.Names() {
		f := testenv.Must(membership.Lookup(name))
		t.Run(name, func(t *testing.T) { membershiptest.Run(t, f) })
	}
}

// TestFormulaConformance checks a shape from a formula with membershiptest.
func TestFormulaConformance(t *testing.T) {
	least := 0.05
	f, err := membership.Formula{
		Name: "mine", Expr: "1 / (1 + ((x-c)/s)^2)", LogExpr: "-log(1 + ((x-c)/s)^2)",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread", Min: &least}},
	}.Shape()
	testenv.OK(t, err)
	membershiptest.Run(t, f)
}
