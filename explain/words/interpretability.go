package words

import (
	"fmt"

	"github.com/tskgraph/tskgraph/model"
)

// Interpretability says how much there is to read in the rules of a model, and how they share
// the samples. [Readability] says whether they are true one by one.
type Interpretability struct {
	Rules int `json:"rules"`

	// Length is the mean number of conditions of a rule in words.
	Length float64 `json:"length"`

	// Curves is the number of curves in the THEN parts; those that all rules share count once.
	Curves int `json:"curves,omitempty"`

	// Coverage is the share of the samples that meet all conditions of some rule, except
	// preferences: each of its grades is at least half the largest, to the digits printed. It
	// is completeness at the level 1/2 (J. Valente de Oliveira, "Semantic constraints for
	// membership function optimization", IEEE Trans. SMC A 29 (1999)). Null without samples.
	Coverage *float64 `json:"coverage,omitempty"`

	// Overlap is the effective number of rules of a prediction: the mean over the samples of
	// 1 / sum_r f_r^2, from 1 for a single rule to R for equal firing levels (M. O. Hill,
	// "Diversity and evenness", Ecology 54 (1973)). Null without samples.
	Overlap *float64 `json:"overlap,omitempty"`
}

// measure returns the measures that need no samples.
func measure(d Description) *Interpretability {
	i := &Interpretability{Rules: len(d.Rules)}
	for _, r := range d.Rules {
		i.Length += float64(len(r.Words)) / float64(len(d.Rules))
	}
	if d.Curves != nil {
		i.Curves = len(d.Curves.Of)
		if d.Curves.Own {
			i.Curves *= i.Rules
		}
	}
	return i
}

// String returns the measures, a sentence each.
func (i *Interpretability) String() string {
	text := fmt.Sprintf("%d rules of %.1f conditions on average", i.Rules, i.Length)
	if i.Rules == 1 {
		text = fmt.Sprintf("1 rule of %.0f conditions", i.Length)
		if i.Length == 1 {
			text = "1 rule of 1 condition"
		}
	}
	switch {
	case i.Curves == 1:
		text += ", and 1 curve"
	case i.Curves > 1:
		text += fmt.Sprintf(", and %d curves", i.Curves)
	}
	text += "."
	if i.Overlap != nil {
		text += fmt.Sprintf(" A prediction mixes %.1f rules on average.", *i.Overlap)
	}
	if i.Coverage != nil {
		text += fmt.Sprintf(" %s of the rows meet all conditions of some rule.", percent(*i.Coverage))
	}
	return text
}

// described reports whether a sample meets all conditions of some rule, except preferences.
func described(d *Description, x []float64) bool {
	for _, r := range d.Rules {
		meets := true
		for i := 0; meets && i < len(r.Words); i++ {
			meets = r.Words[i].Preferably || r.Words[i].cut.Has(x)
		}
		if meets {
			return true
		}
	}
	return false
}

// inWords reports whether a model can be described in words: it has quantiles of the features
// and no principal components, and is no committee.
func inWords(m *model.Model) bool {
	return m.Components == nil && !m.Committee() && m.HasQuantiles()
}
