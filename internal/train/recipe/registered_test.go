package recipe_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// What a module registers that is initialised after package recipe, as all of this test are.
type (
	lateLoss   struct{ loss.Huber }
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
	loss.Register(lateLoss{}, loss.Param{Name: "late_delta", Doc: "delta", Limits: interval.Above(0), Default: []float64{2},
		Set: func(_ loss.Loss, v []float64) loss.Loss { return lateLoss{loss.Huber{Delta: v[0]}} }})
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
	if k, _ := recipe.Lookup("train.loss"); !strings.HasSuffix(k.Doc, ", late") {
		t.Error(k.Doc)
	}
	if l := r.Train.LossFunction(0); l != loss.Loss(lateLoss{loss.Huber{Delta: 2}}) { // the default
		t.Errorf("%+v", l)
	}
	if err := r.Set("train.late_delta", "0.5"); err != nil || r.Train.LossFunction(0) != loss.Loss(lateLoss{loss.Huber{Delta: 0.5}}) {
		t.Errorf("%+v, %v", r.Train.LossFunction(0), err)
	}
	if err := r.Set("train.late_delta", "-1"); err != nil || r.Validate() == nil {
		t.Error("a parameter beyond its limits is valid")
	}
	if err := r.Set("train.late_delta", "1"); err != nil {
		t.Error(err)
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
}
