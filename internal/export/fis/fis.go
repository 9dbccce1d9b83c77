// Package fis writes models as .fis files, the format of MATLAB's Fuzzy Logic Toolbox, which
// Octave's fuzzy-logic-toolkit and fuzzylite read too.
//
// A file is a Sugeno system in the units of the table: z-scores and the scale of the target are
// part of its parameters, in exact arithmetic that is rounded once. All its inputs are numbers:
//
//   - A numeric column is an input of its name, of ASCII letters, digits and underscores.
//   - An ordinal column is the position of its level, from 1.
//   - A one-hot column has an input for each level, such as day_mon: 1 for this level, else 0.
//
// Conditions that always hold have the index 0. The last rule, of the weight 1e-300, decides where
// no other rule fires: without it Octave fails and others return what they like. Shapes that the
// systems lack, or define otherwise, are written as function files, as are the membership functions
// of a column with the transform of Yeo and Johnson. Octave and MATLAB run them, fuzzylite has no
// such functions.
//
// The format has no missing values, no limits of predictions, no committees, no components of
// inputs, no curves, and outputs that are means of the rules' outputs by their firing levels.
// What of this changes the rules is refused; the rest is said in the notes.
package fis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/export"
)

const name = "fis"

func init() {
	export.Register(export.Target{Title: "fis",
		Meaning: "a Sugeno system of MATLAB, Octave and fuzzylite, and function files for what these lack", File: "model.fis",
		Options: []string{export.OptionName}, Writing: Write})
}

// Write writes a form as a system and, if it needs some, function files.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	prefix := "tsk"
	if o.Name != "" {
		if prefix = o.Name; identifier(prefix) != prefix {
			return nil, &export.OptionError{Option: export.OptionName,
				Message: "want ASCII letters, digits and underscores, a letter first: names of function files of Octave and MATLAB begin with it"}
		}
	}
	if err := check(f); err != nil {
		return nil, err
	}
	s, err := newSystem(f, prefix)
	if err != nil {
		return nil, err
	}
	return &export.Result{Files: append([]export.File{{Data: s.text(f)}}, s.files...), Notes: notes(f, s)}, nil
}

// check refuses a form that is not a Sugeno system.
func check(f *export.Form) error {
	m := &f.Members[0]
	switch {
	case len(f.Members) > 1:
		return export.Refuse(name, "the model is a committee of %d members, and a file holds one system: export one member with --member",
			len(f.Members))
	case slices.ContainsFunc(f.Columns, func(c export.Column) bool { return c.Missing }):
		return export.Refuse(name, "rules ask whether a cell is missing, and an input of a .fis file is a number: train with data.missing mean")
	case m.Components != nil:
		return export.Refuse(name,
			"the rules are about principal components, and the conditions of a .fis file are about single inputs: train with data.pca 0")
	case f.Kind == export.Classes, m.Link == "log":
		return export.Refuse(name,
			"predictions are the %s link of the rules' outputs, and those of a .fis file are the outputs themselves: "+
				"export with another --to", m.Link)
	case f.Kind == export.Quantiles && len(f.Outputs) > 1:
		return export.Refuse(name,
			"the %d quantiles of the model are sorted, and the outputs of a .fis file are independent: train for one quantile, or export with "+
				"another --to", len(f.Outputs))
	case slices.ContainsFunc(m.Inputs, export.Input.Limited):
		return export.Refuse(name, "columns have limits, and the inputs of a .fis file do not: limit them in the table in place of data.limits")
	case m.Curves != nil:
		return export.Refuse(name,
			"the rules have curves, and the outputs of a .fis file are linear: train with model.curves none "+
				"(in place of a page, with model.init tree)")
	case m.Weight != nil:
		return export.Refuse(name,
			"the defuzzification is %s, and that of a .fis file the mean by firing levels: train with model.defuzzification %s", m.Defuzz,
			inference.TSK{}.Name())
	case and[m.TNorm] == "":
		return export.Refuse(name, "the t-norm is %s, and a .fis file has prod and min: train with model.tnorm %s", m.TNorm,
			strings.Join(tnorms, " or "))
	}
	return nil
}

// and has the AndMethod of each t-norm, tnorms their names.
var (
	tnorms = []string{inference.Product{}.Name(), inference.Minimum{}.Name()}
	and    = map[string]string{tnorms[0]: "prod", tnorms[1]: "min"}
)

const (
	farMean = 1e3  // standard deviations from zero beyond which a note warns of rounding
	manyLow = 0.01 // share of samples with low firing levels from which a note warns
)

// notes says what the file does otherwise than the model.
func notes(f *export.Form, s *system) []string {
	m := &f.Members[0]
	text := []string{"a .fis file has no missing values and no unknown categories: replace them first; its comments say what a missing " +
		"value counts as in the model"}
	for j, v := range s.outputs {
		if low, high := m.Low[j], m.High[j]; numeric.Finite(low) || numeric.Finite(high) {
			text = append(text, fmt.Sprintf("the predictions of %s are not limited in a .fis file: those of the model are, to the range from "+
				"%v to %v", v.name, low, high))
		}
	}
	text = append(text, "Octave takes only inputs within the range of training: fis.input(1).range = [-Inf Inf] and so on takes them all")
	if slices.ContainsFunc(f.Columns, func(c export.Column) bool { return !c.Numbers() }) {
		text = append(text, "categories are numbers: a comment at each input says which")
	}
	if m.LogSpace {
		text = append(text, "far outside the range of training, where the firing levels of all rules are below 1e-300, the file predicts "+
			"the training mean, and the model by its nearest rules: they compute with the levels and with their logarithms")
	}
	if len(s.files) > 0 {
		var files []string
		for _, file := range s.files {
			files = append(files, file.Name)
		}
		text = append(text, fmt.Sprintf("the membership functions %s lie beside the file, and must be on the path of Octave or MATLAB; "+
			"fuzzylite cannot read them", strings.Join(files, ", ")))
	}
	for _, in := range m.Inputs {
		if c := f.Columns[f.Features[in.Feature].Column]; math.Abs(in.Mean) > farMean*in.SD {
			text = append(text, fmt.Sprintf("column %s is %.0f standard deviations from zero: parameters in its unit lose digits; subtract a "+
				"constant from it in the table for exact predictions", escape.Quote(c.Name), math.Abs(in.Mean/in.SD)))
		}
	}
	if share := lowShare(f); share >= manyLow {
		text = append(text, fmt.Sprintf("fuzzylite ignores rules that fire below %v, and so all rules for about %.0f%% of samples like "+
			"those of training", float64(leastLevel), 100*share))
	}
	return text
}

// leastLevel is the firing level below which fuzzylite ignores a rule.
const leastLevel = 1e-6

// draws is the number of samples that lowShare draws.
const draws = 1000

// lowShare estimates the share of samples for which all rules fire below leastLevel. It draws each
// column by itself: numbers by their quantiles in the training part, levels by their shares. It is
// zero for a model of an older version, without quantiles.
func lowShare(f *export.Form) float64 {
	m := &f.Members[0]
	var quantile []func(share float64) float64
	for _, feature := range f.Model.Features {
		if feature.Constant {
			continue
		}
		if feature.Quantiles == nil {
			return 0
		}
		quantile = append(quantile, feature.Quantile)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	u, low := make([]float64, len(m.Inputs)), 0
	for range draws {
		column, at := -1, 0.0
		for i, in := range m.Inputs {
			if c := f.Features[in.Feature].Column; c != column {
				column, at = c, rng.Float64()
			}
			x := 0.0
			if f.Columns[column].Width() == 1 {
				x = quantile[i](at)
			} else {
				if 0 <= at && at < in.Mean {
					x = 1
				}
				at -= in.Mean // the share of the level
			}
			if u[i] = (x - in.Mean) / in.SD; in.Power != nil {
				u[i] = in.Power.Value(u[i])
			}
		}
		if !(slices.Max(levels(m, u)) >= leastLevel) {
			low++
		}
	}
	return float64(low) / draws
}

// levels returns the firing levels [R] of the rules for inputs u.
func levels(m *export.Member, u []float64) []float64 {
	all := m.Levels(u)
	for r := range all {
		if m.LogSpace {
			all[r] = math.Exp(all[r])
		}
	}
	return all
}
