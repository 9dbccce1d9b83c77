package recipe

import (
	"bytes"
	"encoding/json"
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
	for _, k := range table() {
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
	r.Train.Patience, r.Train.Members, r.Train.Teacher, r.Model.PCA = 0, 1, NoTeacher, 0
	return r, nil
}

// OfPage returns the recipe that a saved page was trained with, for training one of other numbers. A model without a page is an *[Error].
func OfPage(m *model.Model) (Recipe, error) {
	r, err := Of(m)
	if err != nil {
		return r, err
	}
	if m.Pages == nil {
		return r, &Error{Key: "model.page", Message: "the saved model has no page: preset readable trains one"}
	}
	r.Model.Init, r.Model.Curves = PageInit, NoCurves
	k, _ := Lookup("model.rules")
	rules, trained := m.Training.Options[k.Name]
	if !trained { // the structure was that of a page's text
		r.Model.Rules = ReadableRules
		return r, nil
	}
	if err := k.Field(&r).Parse(rules); err != nil {
		return r, fmt.Errorf("%w: training.options: %s: %w", model.ErrFile, k.Name, err)
	}
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
		return &Error{Key: "model.init", Message: fmt.Sprintf("the saved model is a committee of %d models: continue with a single model",
			len(m.Members))}
	}
	return nil
}

// MarshalJSON writes the recipe as one object: the preset, then every key of the table with
// its value. A shape is written as its name or formula; margin, bounds and the options of
// the optimizer are strings, as in a model file.
func (r Recipe) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"preset":%q`, r.Preset)
	for _, k := range table() {
		value, err := json.Marshal(k.Field(&r))
		if err != nil {
			return nil, &Error{Key: k.Name, Message: err.Error()}
		}
		fmt.Fprintf(&b, ",%q:%s", k.Name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes. An absent key gets the value of the preset,
// or of [Paper] if there is no preset. An unknown key and an invalid value are an
// *[Error].
func (r *Recipe) UnmarshalJSON(text []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	name := ""
	if text, ok := values["preset"]; ok {
		if err := json.Unmarshal(text, &name); err != nil {
			return &Error{Key: "preset", Message: err.Error()}
		}
	}
	read := Paper()
	if name != "" {
		var err error
		if read, err = Preset(name); err != nil {
			return err
		}
	}
	read.Preset = name
	delete(values, "preset")
	for key, text := range values {
		k, ok := Lookup(key)
		if !ok {
			return &Error{Key: key, Message: "no such key"}
		}
		if err := k.Field(&read).UnmarshalJSON(text); err != nil {
			return &Error{Key: key, Message: err.Error()}
		}
	}
	*r = read
	return nil
}
