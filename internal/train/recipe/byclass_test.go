package recipe_test

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// TestByClassNeedsClasses checks that rules start class by class only where the target has classes.
func TestByClassNeedsClasses(t *testing.T) {
	r := recipe.Robust()
	r.Model.Init = recipe.ByClass
	d := &data.Dataset{Schema: data.Schema{Target: "y"}, X: [][]float64{{1}, {2}}, Y: []float64{0, 1}}
	if err := recipe.CheckTarget(r, d); err == nil || !strings.Contains(err.Error(), "by-class") {
		t.Errorf("numbers: %v", err)
	}
	d.Schema.Classes = []string{"a", "b"}
	if err := recipe.CheckTarget(r, d); err != nil {
		t.Errorf("classes: %v", err)
	}
}
