package tune

import (
	"cmp"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/model"
)

// Matched says how many rules of a model have a counterpart in another, over all
// pairs of models. Rules are compared by the Jaccard similarity of their normalised
// firing levels over the samples, sum of minima / sum of maxima: 1 if they fire
// alike. The most similar two rules are counterparts, then the most similar two of
// the others, and so on; two count as matched if their similarity is at least Least.
type Matched struct {
	Share      float64 `json:"matched"`     // of the rules, mean over the pairs
	MinShare   float64 `json:"matched_min"` // of the pair with the fewest
	Similarity float64 `json:"similarity"`  // mean over all counterparts, matched or not
	Least      float64 `json:"least"`       // the similarity that counts as matched
}

// leastSimilar is the similarity that counts as matched: that above which the
// paper merges rules.
const leastSimilar = 0.5

func matchRules(models []*model.Model, at *data.Dataset) (*Matched, error) {
	levels := make([][][]float64, len(models)) // [K][N][R]
	for k, m := range models {
		x, err := m.Scale(at.X)
		if err != nil {
			return nil, err
		}
		levels[k] = m.RuleBase.FiringLevels(x, nil)
	}
	result := &Matched{MinShare: 1, Least: leastSimilar}
	pairs, counterparts := 0.0, 0.0
	for k, a := range levels {
		for _, b := range levels[:k] {
			matched := 0.0
			for _, similarity := range match(similarities(a, b, at.Weights)) {
				result.Similarity += similarity
				counterparts++
				if similarity >= leastSimilar {
					matched++
				}
			}
			share := matched / float64(max(len(a[0]), len(b[0])))
			result.Share += share
			result.MinShare = min(result.MinShare, share)
			pairs++
		}
	}
	result.Share /= pairs
	result.Similarity /= counterparts
	return result, nil
}

// similarities returns the Jaccard similarity of each rule of a to each of b, from
// their firing levels [N][R] on samples with weights [N].
func similarities(a, b [][]float64, weights []float64) [][]float64 {
	ra, rb := len(a[0]), len(b[0])
	least, most := make([]float64, ra*rb), make([]float64, ra*rb)
	for n := range a {
		w := weighted.At(weights, n)
		for i, u := range a[n] {
			for j, v := range b[n] {
				least[i*rb+j] += float64(w * min(u, v))
				most[i*rb+j] += float64(w * max(u, v))
			}
		}
	}
	s := make([][]float64, ra)
	for i := range s {
		s[i] = make([]float64, rb)
		for j := range s[i] {
			if m := most[i*rb+j]; m > 0 { // 0: neither ever fires
				s[i][j] = least[i*rb+j] / m
			}
		}
	}
	return s
}

// match pairs rows with columns, the most similar first, and returns the
// similarities of the pairs.
func match(s [][]float64) []float64 {
	type pair struct{ i, j int }
	var pairs []pair
	for i := range s {
		for j := range s[i] {
			pairs = append(pairs, pair{i, j})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(s[b.i][b.j], s[a.i][a.j]) })
	rows, columns := make([]bool, len(s)), make([]bool, len(s[0]))
	var found []float64
	for _, p := range pairs {
		if !rows[p.i] && !columns[p.j] {
			rows[p.i], columns[p.j] = true, true
			found = append(found, s[p.i][p.j])
		}
	}
	return found
}
