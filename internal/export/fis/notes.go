package fis

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/export"
)

const (
	farMean = 1e3  // standard deviations from zero beyond which a note warns of rounding
	manyLow = 0.01 // share of samples with low firing levels from which a note warns
)

// notes says what the file does otherwise than the model.
func notes(f *export.Form, s *system) []string {
	m := &f.Members[0]
	text := []string{"a .fis file has no missing values and no unknown categories: replace them first; its comments say what a missing value counts as in the model"}
	for j, v := range s.outputs {
		if low, high := m.Low[j], m.High[j]; numeric.Finite(low) || numeric.Finite(high) {
			text = append(text, fmt.Sprintf("the predictions of %s are not limited in a .fis file: those of the model are, to the range from %v to %v", v.name, low, high))
		}
	}
	text = append(text, "Octave takes only inputs within the range of training: fis.input(1).range = [-Inf Inf] and so on takes them all")
	for _, c := range f.Columns {
		if c.Encoding != data.Numeric {
			text = append(text, "categories are numbers: a comment at each input says which")
			break
		}
	}
	if m.LogSpace {
		text = append(text, "far outside the range of training, where the firing levels of all rules are below 1e-300, the file predicts the training mean, and the model by its nearest rules: they compute with the levels and with their logarithms")
	}
	if len(s.files) > 0 {
		var files []string
		for _, file := range s.files {
			files = append(files, file.Name)
		}
		text = append(text, fmt.Sprintf("the membership functions %s lie beside the file, and must be on the path of Octave or MATLAB; fuzzylite cannot read them", strings.Join(files, ", ")))
	}
	for _, in := range m.Inputs {
		if c := f.Columns[f.Features[in.Feature].Column]; math.Abs(in.Mean) > farMean*in.SD {
			text = append(text, fmt.Sprintf("column %s is %.0f standard deviations from zero: parameters in its unit lose digits; subtract a constant from it in the table for exact predictions", escape.Quote(c.Name), math.Abs(in.Mean/in.SD)))
		}
	}
	if share := lowShare(f); share >= manyLow {
		text = append(text, fmt.Sprintf("fuzzylite ignores rules that fire below %v, and so all rules for about %.0f%% of samples like those of training", float64(leastLevel), 100*share))
	}
	return text
}
