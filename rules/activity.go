package rules

import "github.com/tskgraph/tskgraph/internal/weighted"

// Activity is what the rules of a rulebase do on samples.
type Activity struct {
	// Firing [R] is the weighted mean normalised firing level of each rule. Over samples that
	// are all covered they add up to one.
	Firing []float64

	// Similarity [R][R] is the Jaccard similarity of the rules' normalised firing
	// levels over the samples, the paper's s(i,j):
	//
	//	sum_n min(f_i, f_j) / sum_n max(f_i, f_j)
	//
	// with sums over weighted samples.
	// It is symmetric, 1 for rules that always fire alike, 0 for rules that never fire
	// together or at all, and 0 on the diagonal.
	Similarity [][]float64
}

// Activity measures the rules on the samples x [N][M], with weights as an
// [Initialiser] takes them. A sample that no rule
// covers counts as zero in every rule; without samples all is zero. Samples are
// worked on in blocks, on all processors; the memory is about R^2 numbers for each
// processor, whatever N.
func (rb *RuleBase) Activity(x [][]float64, weight []float64) Activity {
	R := rb.Rules()
	a := Activity{Firing: make([]float64, R), Similarity: matrix(R, R)}
	if len(x) == 0 {
		return a
	}
	weight = weighted.Each(weight, len(x))
	sums := sumBlocks(len(x), R+R*R, func(sum []float64, start, end int) {
		s := rb.newScratch()
		for i := start; i < end; i += scratchRows {
			levels := s.f[:min(scratchRows, end-i)]
			s.firingLevels(levels, x[i:i+len(levels)], nil)
			for n, f := range levels {
				for r := range f {
					f[r] *= weight[i+n]
				}
				addFiring(sum[:R], sum[R:], f)
			}
		}
	})
	total, minima := sums[:R], rowsOf(sums[R:], R, R)
	size := weighted.Sum(weight, len(weight))
	for i, fi := range total {
		a.Firing[i] = fi / size
		for j := i + 1; j < R; j++ {
			s := jaccard(fi, total[j], minima[i][j])
			a.Similarity[i][j], a.Similarity[j][i] = s, s
		}
	}
	return a
}

// addFiring adds the firing levels f [R] of a sample to total [R], and the lesser
// of each two, i < j, to minima [R*R].
func addFiring(total, minima, f []float64) {
	R := len(f)
	for i, fi := range f {
		total[i] += fi
		row, others := minima[i*R+i+1:i*R+R], f[i+1:]
		row = row[:len(others)]
		for j, fj := range others {
			row[j] += min(fi, fj)
		}
	}
}

// jaccard returns the similarity of two rules from the sums of their firing levels
// and of the lesser of the two: the larger of two is their sum less the smaller. It
// is zero if neither fires, and if a shape of one's own, with grades outside
// [0, 1], makes nonsense of it.
func jaccard(a, b, lesser float64) float64 {
	s := lesser / (a + b - lesser)
	if !(s >= 0 && s < 1+1e-9) {
		return 0
	}
	return min(s, 1)
}
