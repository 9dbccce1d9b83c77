package rules

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

// OddGrade is a membership grade outside [0, 1], or one that is no number: a
// fault of a shape's formula.
type OddGrade struct {
	Rule, Feature int     // from 0
	X             float64 // the feature's value, in scaled units
	Grade         float64
}
