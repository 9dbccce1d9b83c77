package recipe

import (
	"fmt"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Of returns the recipe that a saved model was trained with, for continuing its training.
// Keys that the model file lacks have the values of [Paper]. Patience is zero, as there may
// be no validation part now, and so is PCA, as the components are the model's. A committee
// is an *[Error].
func Of(m *model.Model) (Recipe, error) {
	if err := m.Validate(); err != nil {
		return Recipe{}, err
	}
	if err := RefuseCommittee(m); err != nil {
		return Recipe{}, err
	}
	r := Paper()
	r.Preset = ""
	for _, k := range Keys() {
		text, ok := m.Training.Options[k.Name]
		if !ok || k.Name == "model.membership" || k.Name == "model.init" || k.Name == "model.engine" || k.Name == "model.rules" {
			continue
		}
		if err := k.Field(&r).Parse(text); err != nil {
			return r, fmt.Errorf("%w: training.options: %s: %q: %w", model.ErrFile, k.Name, text, err)
		}
	}
	r.Model.Rules, r.Model.Membership, r.Model.Init, r.Model.Engine = 0, m.RuleBase.Shape, SavedModel, m.Training.Engine
	r.Model.Curves = CurvesOf(m.RuleBase)
	r.Model.TNorm, r.Model.Defuzzification = inference.OrProduct(m.RuleBase.TNorm).Name(), inference.OrTSK(m.RuleBase.Defuzzification).Name()
	r.Train.Patience, r.Train.Members, r.Model.PCA = 0, 1, 0
	return r, nil
}

// CurvesOf returns the value of Model.Curves for rules; of a single rule, curves are shared.
func CurvesOf(rb *rules.RuleBase) string {
	switch len(rb.Curves) {
	case 0:
		return NoCurves
	case rb.OutputCount():
		return SharedCurves
	}
	return OwnCurves
}

// RefuseCommittee returns an *[Error] for a committee, which has no rules of its own to
// continue with.
func RefuseCommittee(m *model.Model) error {
	if m.Committee() {
		return &Error{Key: "model.init", Message: fmt.Sprintf("the saved model is a committee of %d models: continue with a single model", len(m.Members))}
	}
	return nil
}
