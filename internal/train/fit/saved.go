package fit

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/model"
)

// fromModel returns a trainer that starts with a model's rules and keeps its
// preprocessing. The features, the target and the shape must be the model's.
func fromModel(ctx context.Context, m *model.Model, train, validation *data.Dataset, j Job) (*trainer, error) {
	if j.Start != nil {
		return nil, &recipe.Error{Key: "model.init", Message: "Run.Start does not apply to the rules of a saved model"}
	}
	if err := agrees(m, j.Recipe); err != nil {
		return nil, err
	}
	for _, d := range []*data.Dataset{train, validation} {
		if d == nil {
			continue
		}
		if err := matches(m, d); err != nil {
			return nil, &data.Error{Message: err.Error(), Err: err}
		}
	}
	prep := m.Preprocessing
	if err := prep.Narrow((*[2]float64)(j.Recipe.Model.Bounds)); err != nil {
		return nil, err
	}
	set, err := scaled(prep, train)
	if err != nil {
		return nil, err
	}
	t, err := newTrainer(set, validation, j)
	if err != nil {
		return nil, err
	}
	t.rules = m.RuleBase.Clone()
	if err := j.Recipe.Model.Bound(t.rules, prep); err != nil {
		return nil, err
	}
	if j.Recipe.Model.Curves != recipe.NoCurves && t.rules.Curves == nil {
		if err := set.addCurves(ctx, t.rules, j.Recipe.Model); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// agrees checks that a recipe matches the model that training continues from.
func agrees(m *model.Model, r recipe.Recipe) error {
	if err := recipe.RefuseCommittee(m); err != nil {
		return err
	}
	rb, k := m.RuleBase, len(m.Components)
	switch {
	case r.Model.Rules != 0 && r.Model.Rules != rb.Rules():
		return &recipe.Error{Key: "model.rules", Message: fmt.Sprintf("%d, but the saved model has %d: leave it out", r.Model.Rules, rb.Rules())}
	case !reflect.DeepEqual(r.Model.Membership, rb.Shape):
		return &recipe.Error{Key: "model.membership", Message: fmt.Sprintf("%s, but the saved model has %s: use the same", r.Model.Membership.Name(), rb.Shape.Name())}
	case r.Model.TNorm != inference.OrProduct(rb.TNorm).Name():
		return &recipe.Error{Key: "model.tnorm", Message: fmt.Sprintf("%s, but the saved model has %s: use the same", r.Model.TNorm, inference.OrProduct(rb.TNorm).Name())}
	case r.Model.Defuzzification != inference.OrTSK(rb.Defuzzification).Name():
		return &recipe.Error{Key: "model.defuzzification", Message: fmt.Sprintf("%s, but the saved model has %s: use the same", r.Model.Defuzzification, inference.OrTSK(rb.Defuzzification).Name())}
	case rb.Curves != nil && recipe.CurvesOf(rb) != r.Model.Curves && (rb.Rules() > 1 || r.Model.Curves == recipe.NoCurves):
		return &recipe.Error{Key: "model.curves", Message: fmt.Sprintf("%s, but the curves of the saved model are %s: use the same", r.Model.Curves, recipe.CurvesOf(rb))}
	case r.Model.PCA != 0 && r.Model.PCA != k && (k > 0 || r.Model.PCA < len(m.Used())):
		return &recipe.Error{Key: "data.pca", Message: fmt.Sprintf("%d, but the saved model has %d components: leave it out", r.Model.PCA, k)}
	}
	return nil
}

// matches checks that training can continue from a model on a data set.
func matches(m *model.Model, d *data.Dataset) error {
	if d.Schema.Target != m.Schema.Target {
		return fmt.Errorf("the target is %q, that of the saved model %q", d.Schema.Target, m.Schema.Target)
	}
	if got, want := d.Schema.Targets(), m.Schema.Targets(); !slices.Equal(got, want) {
		return fmt.Errorf("the targets are %q, those of the saved model %q: list the same (data.target)", got, want)
	}
	if got, want := d.Schema.Classes, m.Schema.Classes; !slices.Equal(got, want) {
		return fmt.Errorf("the classes of the target are %s, those of the saved model %s: give rows of the same classes", escape.List(got), escape.List(want))
	}
	got, want := d.Schema.Features(), m.Schema.Features()
	for _, name := range want {
		if !slices.Contains(got, name) {
			return fmt.Errorf("feature %q of the saved model is missing", name)
		}
	}
	for i, name := range got {
		if !slices.Contains(want, name) {
			return fmt.Errorf("feature %q is not in the saved model: leave it out (data.ignore)", name)
		}
		if name != want[i] {
			return fmt.Errorf("the features are not in the order of the saved model: list them in its order (data.features: [%s])", strings.Join(want, ", "))
		}
	}
	for i, c := range m.Schema.Columns {
		if o := d.Schema.Columns[i]; o.Encoding != c.Encoding || !slices.Equal(o.Levels, c.Levels) {
			return fmt.Errorf("column %q is %s %v, but %s %v in the saved model: set data.categorical to match it", c.Name, o.Encoding, o.Levels, c.Encoding, c.Levels)
		}
	}
	if d.Missing.Policy == "mean" && !m.ImputeMeans {
		return fmt.Errorf("missing values are filled with the mean, but the saved model does not accept them: set data.missing to error or drop")
	}
	return nil
}
