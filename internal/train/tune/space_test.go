package tune

import (
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/membership"
)

// TestSpaceTypes: values serve in every form that stands for a value of their key.
func TestSpaceTypes(t *testing.T) {
	given := Space{"rules": {8, 16.0, "32"}, "droprule": {1, 0.5}, "membership": {"trapezoid", membership.Gaussian{}}, "learning_rate": {1}}
	want := Space{"rules": {8, 16, 32}, "droprule": {1.0, 0.5}, "membership": {membership.Trapezoid{}, membership.Gaussian{}},
		"learning_rate": {1.0}}
	if got, err := given.typed(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestDefaultSpaceIsOfTheBase: default lists have the base's values, and none that it cannot
// be trained with.
func TestDefaultSpaceIsOfTheBase(t *testing.T) {
	base := recipe.Paper()
	base.Model.Rules, base.Model.Membership, base.Train.L2, base.Train.Iterations = 7, membership.Trapezoid{}, 0, 2
	got, err := DefaultSpace(base, false)
	if err != nil {
		t.Fatal(err)
	}
	want := Space{
		"rules": {8, 16, 32, 64, 7}, "membership": {membership.Gaussian{}, membership.Trapezoid{}}, "antecedents": {3.0, 5.0, 0.0},
		"l2": {0.0}, "iterations": {1, 2, 4}, "learning_rate": {0.0025, 0.005, 0.01, 0.02},
	}
	for own, list := range want {
		if !reflect.DeepEqual(got[own], list) {
			t.Errorf("%s: %v, want %v", own, got[own], list)
		}
	}
}
