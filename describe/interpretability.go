package describe

import "github.com/tskgraph/tskgraph/model"

// Interpretability has measures of the four kinds that M. J. Gacto, R. Alcalá and F. Herrera
// distinguish, "Interpretability of linguistic fuzzy rule-based systems: An overview of
// interpretability measures", Information Sciences 181 (2011): complexity of the rulebase and
// of the partition, semantics of the rulebase and of the partition.
type Interpretability struct {
	Rules int `json:"rules"`

	// Length is the mean number of conditions of a rule in words.
	Length float64 `json:"length"`

	// Distinguishability is one minus the mean similarity of two conditions on the same
	// column: 1 if no two overlap, 0 if all are equal. The similarity is the Jaccard index of
	// the two membership functions over the training values (M. Setnes, R. Babuška, U. Kaymak,
	// H. R. van Nauta Lemke, "Similarity measures in fuzzy rule base simplification", IEEE
	// Trans. SMC B 28 (1998)). For a column with more than 200 conditions the mean is that of
	// 10,000 to 20,000 evenly spaced pairs. Null if no column has two conditions.
	Distinguishability *float64 `json:"distinguishability,omitempty"`

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
	on := map[string][]Condition{} // by column
	var columns []string
	for _, r := range d.Rules {
		i.Length += float64(len(r.Words)) / float64(len(d.Rules))
		for _, c := range r.Words {
			if on[c.Column] == nil {
				columns = append(columns, c.Column)
			}
			on[c.Column] = append(on[c.Column], c)
		}
	}
	pairs, similarity := 0, 0.0
	for _, column := range columns {
		n := len(on[column])
		pairs += n * (n - 1) / 2
		similarity += similarities(on[column])
	}
	if pairs > 0 {
		v := 1 - similarity/float64(pairs)
		i.Distinguishability = &v
	}
	return i
}

// mostPairs limits the pairs of conditions compared on a column.
const mostPairs = 20_000

// similarities returns the sum of the similarities of all pairs of conditions. For more than
// mostPairs it estimates the sum from every second, third, ... pair.
func similarities(conditions []Condition) float64 {
	n := len(conditions)
	every := 1 + n*(n-1)/2/mostPairs
	sum, k, compared := 0.0, 0, 0
	for i := range conditions {
		for j := range i {
			if k++; k%every == 0 {
				sum += conditions[i].similarity(&conditions[j])
				compared++
			}
		}
	}
	if compared == 0 {
		return 0
	}
	return sum * (float64(k) / float64(compared))
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
