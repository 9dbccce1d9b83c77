package report

import (
	"github.com/tskgraph/tskgraph/model"
)

// Interpretability are figures of how easily a rulebase is read, of the four kinds that M. J. Gacto, R. Alcalá
// and F. Herrera distinguish, "Interpretability of linguistic fuzzy rule-based systems: An
// overview of interpretability measures", Information Sciences 181 (2011): complexity of
// the rulebase and of the partition, semantics of the rulebase and of the partition.
type Interpretability struct {
	Rules int `json:"rules"`

	// Length is the mean number of conditions of a rule, as put in words.
	Length float64 `json:"length"`

	// Distinguishability is one less the mean similarity of two conditions on the same
	// column: 1 where no two overlap, 0 where all are alike. The similarity is the Jaccard index of
	// the two membership functions over the training values (M. Setnes, R. Babuška, U. Kaymak, H. R. van Nauta Lemke,
	// "Similarity measures in fuzzy rule base simplification", IEEE Trans. SMC B 28 (1998));
	// null where no column has two conditions.
	Distinguishability *float64 `json:"distinguishability,omitempty"`

	// Coverage is the share of the samples that meet all conditions of some rule, preferences aside: each
	// of its grades is at least half the largest, to the digits printed. It is completeness at the level 1/2 (J. Valente de
	// Oliveira, "Semantic constraints for membership function optimization", IEEE
	// Trans. SMC A 29 (1999)). Null where no samples were observed.
	Coverage *float64 `json:"coverage,omitempty"`

	// Overlap is how many rules share a prediction: the mean over the samples of 1 / sum_r f_r^2, from 1, one rule
	// at a time, to R, all rules alike; the number of rules fired at the same time, weighted
	// (M. O. Hill, "Diversity and evenness", Ecology 54 (1973)). Null where no samples were
	// observed.
	Overlap *float64 `json:"overlap,omitempty"`
}

// interpretability measures what needs no samples.
func (d *Description) interpretability() *Interpretability {
	i := &Interpretability{Rules: len(d.Rules)}
	on := map[string][]Condition{} // by column
	pairs, similarity := 0, 0.0
	for _, r := range d.Rules {
		i.Length += float64(len(r.Words)) / float64(len(d.Rules))
		for _, c := range r.Words {
			for _, other := range on[c.Column] {
				similarity += c.similarity(other)
				pairs++
			}
			on[c.Column] = append(on[c.Column], c)
		}
	}
	if pairs > 0 {
		v := 1 - similarity/float64(pairs)
		i.Distinguishability = &v
	}
	return i
}

// described reports whether a sample meets all conditions of some rule, preferences aside.
func (d *Description) described(x []float64) bool {
	for _, r := range d.Rules {
		meets := true
		for _, c := range r.Words {
			meets = meets && (c.Preferably || c.cut.Has(x))
		}
		if meets {
			return true
		}
	}
	return false
}

// inWords reports whether a model can be put in words: that needs quantiles of the features,
// and words do not apply to components.
func inWords(m *model.Model) bool {
	return m.Components == nil && !m.Committee() && m.HasQuantiles()
}
