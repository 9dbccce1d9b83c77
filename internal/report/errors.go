package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/model"
)

// Errors are the errors of a model by part, and of the baselines on the test part. The errors of a part that does not exist are zero.
type Errors struct {
	Train, Validation, Test model.Metrics
	Baselines               baseline.Errors
	Names                   baseline.Names // of the baselines
}

// of returns the errors for one of several targets.
func (e Errors) of(c int) Errors {
	one := func(all model.Metrics) model.Metrics {
		if all.Samples == 0 {
			return all
		}
		return all.Targets[c]
	}
	e.Train, e.Validation, e.Test, e.Baselines.Constant = e.Train.Targets[c], one(e.Validation), one(e.Test), one(e.Baselines.Constant)
	if e.Baselines.Linear != nil {
		linear := one(*e.Baselines.Linear)
		e.Baselines.Linear = &linear
	}
	return e
}

// Figures are errors by the keys of the measures and the parts or baselines, such as rmse_test and rmse_ols; see
// [model.Measures]. Those of the test part are nil without one.
type Figures map[string]*float64

// figuresOf returns the figures of the errors by part.
func figuresOf(e Errors) Figures {
	f := Figures{}
	for _, m := range e.Train.Measures() {
		set := func(part string, e model.Metrics) {
			f[m.Key+"_"+part] = nil
			if e.Samples > 0 {
				f[m.Key+"_"+part] = numeric.OrNil(m.Of(e))
			}
		}
		set("test", e.Test)
		for _, of := range e.Baselines.Naive {
			set(strings.ReplaceAll(of.Name, " ", "_"), of.Metrics)
		}
		if m.Bound != nil && e.Test.Samples > 0 && m.Bound(e.Test) > 0 {
			f[m.Key+"_error_test"] = numeric.OrNil(m.Bound(e.Test))
		}
		if m.Constant == "" {
			continue
		}
		set("train", e.Train)
		if e.Validation.Samples > 0 {
			set("validation", e.Validation)
		}
		set(m.Constant, e.Baselines.Constant)
		if l := e.Baselines.Linear; m.Linear != "" && l != nil {
			set(m.Linear, *l)
		} else if m.Linear != "" {
			f[m.Key+"_"+m.Linear] = nil
		}
	}
	return f
}

// beside returns the JSON of a document with its figures beside its other keys.
func (f Figures) beside(document any) ([]byte, error) {
	text, err := json.Marshal(document)
	if err != nil || len(f) == 0 {
		return text, err
	}
	figures, err := json.Marshal(f)
	return bytes.Join([][]byte{text[:len(text)-1], figures[1:]}, []byte(",")), err
}

// read reads the figures that stand beside the other keys of a document.
func (f *Figures) read(text []byte) error {
	var all map[string]json.RawMessage
	err := json.Unmarshal(text, &all)
	*f = Figures{}
	for key, value := range all {
		if slices.ContainsFunc(model.Measures, func(m model.Measure) bool { return strings.HasPrefix(key, m.Key+"_") }) {
			var v *float64
			err = errors.Join(err, json.Unmarshal(value, &v))
			(*f)[key] = v
		}
	}
	return err
}

// TargetFigures are the errors of a model of several targets for one of them.
type TargetFigures struct {
	Target  string  `json:"target"`
	Figures Figures `json:"-"`
}

// Before has the errors of the model before pruning.
type Before struct {
	Model   string  `json:"model"` // path of the model file
	Rules   int     `json:"rules"`
	Figures Figures `json:"-"`

	Errors Errors `json:"-"` // the same in full; zero in a summary that was read from its file
}

// SetBefore sets the errors of the model before pruning; nil for a part that does not exist.
func (s *Summary) SetBefore(path string, rules int, train, validation, test *model.Metrics) {
	s.Before = &Before{Model: path, Rules: rules, Errors: Errors{Train: *train}}
	if validation != nil {
		s.Before.Errors.Validation = *validation
	}
	if test != nil {
		s.Before.Errors.Test = *test
	}
	s.Before.Figures = figuresOf(s.Before.Errors)
}

// Figures stand beside the other keys. Those of targets are not read again.

func (s Summary) MarshalJSON() ([]byte, error) {
	type keys Summary
	return s.Figures.beside(keys(s))
}

func (s *Summary) UnmarshalJSON(text []byte) error {
	type keys Summary
	return errors.Join(json.Unmarshal(text, (*keys)(s)), s.Figures.read(text))
}

func (t TargetFigures) MarshalJSON() ([]byte, error) {
	type keys TargetFigures
	return t.Figures.beside(keys(t))
}

func (b Before) MarshalJSON() ([]byte, error) {
	type keys Before
	return b.Figures.beside(keys(b))
}

func (b *Before) UnmarshalJSON(text []byte) error {
	type keys Before
	return errors.Join(json.Unmarshal(text, (*keys)(b)), b.Figures.read(text))
}
