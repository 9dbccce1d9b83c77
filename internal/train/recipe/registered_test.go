package recipe_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
)

// What a module registers that is initialised after package recipe, as all of this test are.
type (
	lateLoss    struct{ loss.Huber }
	lateNorm    struct{ inference.Product }
	lateWeight  struct{ inference.HTSK }
	lateShape   struct{ membership.Gaussian }
	latePenalty struct{ penalty.Uniform }
	lateSolver  struct{ optim.SGD }
)

func (lateLoss) Name() string    { return "late" }
func (lateNorm) Name() string    { return "late" }
func (lateWeight) Name() string  { return "late" }
func (lateShape) Name() string   { return "late" }
func (latePenalty) Name() string { return "late" }
func (*lateSolver) Name() string { return "late" }

func init() {
	_ = recipe.Robust() // a table that was asked for before
	loss.Register(lateLoss{}, loss.Param{Name: "late_delta", Doc: "delta", Limits: interval.Above(0), Default: []float64{2},
		Set: func(_ loss.Loss, v []float64) loss.Loss { return lateLoss{loss.Huber{Delta: v[0]}} }})
	inference.RegisterTNorm(lateNorm{})
	inference.RegisterDefuzzification(lateWeight{})
	membership.Register(lateShape{})
	penalty.Register(latePenalty{}, penalty.Param{Name: "late_weight", Doc: "weight", Limits: interval.From(0), Default: []float64{0},
		Set: func(_ penalty.Penalty, v []float64) penalty.Penalty {
			return latePenalty{penalty.Uniform{Lambda: v[0]}}
		}})
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
	if k, _ := recipe.Lookup("train.loss"); !strings.Contains(k.Doc, ", late") {
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
	late := penalty.Penalty(latePenalty{penalty.Uniform{Lambda: 0.25}})
	if err := r.Set("train.late_weight", "0.25"); err != nil || !slices.Contains(r.Train.Penalties(loss.Squared{}), late) {
		t.Errorf("%+v, %v", r.Train.Penalties(loss.Squared{}), err)
	}
	if err := r.Set("train.late_delta", "1"); err != nil {
		t.Error(err)
	}
	if err := r.Validate(); err != nil {
		t.Error(err)
	}
}

// raised is a Gaussian shape with a parameter of its own, which is registered under no name.
type raised struct {
	membership.Gaussian
	Power int
}

type flatter struct{ membership.Gaussian }

func (flatter) Name() string { return "flatter" }

// short places fewer parameters than it describes.
type short struct{ membership.Gaussian }

func (short) Place(center, _ float64) []float64 { return []float64{center} }

// bell returns a shape from a formula.
func bell(t *testing.T, power string) membership.Function {
	t.Helper()
	f, err := membership.Formula{Name: "bell", Expr: "1 / (1 + ((x-c)/s)^" + power + ")",
		Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}}.Shape()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestShapesThatFilesRestore: a shape that a model file could not restore, or that does not place its parameters, is
// refused before training, alone and in a race.
func TestShapesThatFilesRestore(t *testing.T) {
	for _, c := range []struct {
		shape membership.Function
		want  string
	}{
		{raised{Power: 6}, `shape "gaussian" is recipe_test.raised{`}, {flatter{}, `shape "flatter" is not registered`},
		{short{}, "Params describes 2 parameters, Place returns 1"},
		{bell(t, "4"), ""}, {membership.Trapezoid{}, ""},
	} {
		alone, race := recipe.Paper(), recipe.Paper()
		alone.Model.Membership = c.shape
		race.Train.Race = []recipe.Setting{{"membership": c.shape}}
		for _, r := range []recipe.Recipe{alone, race} {
			if err := r.Validate(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		}
	}
}

// TestFormulasOfARace: settings with two formulas of one name differ, also for a checkpoint.
func TestFormulasOfARace(t *testing.T) {
	r := recipe.Paper()
	r.Train.Race = []recipe.Setting{{"membership": bell(t, "4")}, {"membership": bell(t, "6")}}
	if n := len(r.Entrants(100, false)); n != 2 {
		t.Errorf("%d candidates, want 2", n)
	}
	one, two := r, r
	one.Train.Race, two.Train.Race = r.Train.Race[:1], r.Train.Race[1:]
	a := testenv.Must(one.Identity())
	if b, err := two.Identity(); err != nil || a["train.race"] == b["train.race"] {
		t.Errorf("one identity of two formulas: %s, %v", a["train.race"], err)
	}
}
