package recipe_test

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// What a module registers that is initialised after package recipe, as all of this test are.
type (
	lateLoss   struct{ loss.Absolute }
	lateNorm   struct{ inference.Product }
	lateWeight struct{ inference.HTSK }
	lateShape  struct{ membership.Gaussian }
	lateSolver struct{ optim.SGD }
)

func (lateLoss) Name() string    { return "late" }
func (lateNorm) Name() string    { return "late" }
func (lateWeight) Name() string  { return "late" }
func (lateShape) Name() string   { return "late" }
func (*lateSolver) Name() string { return "late" }

func init() {
	_ = recipe.Robust() // a table that was asked for before
	loss.Register(lateLoss{})
	inference.RegisterTNorm(lateNorm{})
	inference.RegisterDefuzzification(lateWeight{})
	membership.Register(lateShape{})
	optim.Register(func() optim.Method { return new(lateSolver) })
}

// TestRegisteredLater: what is registered is a choice, whatever the import path of the package that registers it.
func TestRegisteredLater(t *testing.T) {
	r := recipe.Robust()
	for _, key := range []string{"train.loss", "model.tnorm", "model.defuzzification", "train.optimizer"} {
		if k, _ := recipe.Lookup(key); !slices.Contains(k.Choices, "late") {
			t.Errorf("%s: choices %v", key, k.Choices)
		}
		if err := r.Set(key, "late"); err != nil {
			t.Error(err)
		}
	}
	if err := r.Set("model.membership", "late"); err != nil {
		t.Error(err)
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
}
