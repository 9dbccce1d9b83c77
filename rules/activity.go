package rules

// Activity holds statistics of the rules of a rulebase over samples.
type Activity struct {
	// Firing [R] is the weighted mean normalised firing level of each rule. If all samples
	// are covered, the sum is one.
	Firing []float64

	// Similarity [R][R] is the Jaccard similarity of the rules' normalised firing
	// levels over the samples, the paper's s(i,j):
	//
	//	sum_n min(f_i, f_j) / sum_n max(f_i, f_j)
	//
	// with sums over weighted samples. It is symmetric, 1 for rules with equal firing
	// levels, 0 for rules that never fire together or at all, and 0 on the diagonal.
	Similarity [][]float64
}

// addFiring adds the firing levels f [R] of a sample to total [R], and the minimum of
// each pair i < j to minima [R*R].
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

// jaccard returns the similarity of two rules from the sums a and b of their firing
// levels and the sum lesser of the minima: the maximum of two numbers is their sum minus
// the minimum. It is zero if neither rule fires, or if the result lies outside [0, 1]
// because a user-defined shape has grades outside [0, 1].
func jaccard(a, b, lesser float64) float64 {
	s := lesser / (a + b - lesser)
	if !(s >= 0 && s < 1+1e-9) {
		return 0
	}
	return min(s, 1)
}

// OddGrade is a membership grade that is NaN or outside [0, 1]: an error in the formula
// of a shape.
type OddGrade struct {
	Rule, Feature int     // from 0
	X             float64 // the feature's value, in scaled units
	Grade         float64
}
