package tune

import "slices"

// bracket is how many trials are halved together.
const bracket = 8

// rungs are the numbers of folds on which the trials of a bracket are measured
// before they are halved: 1, 2, 4, ... and all.
func rungs(folds int) []int {
	var r []int
	for n := 1; 2*n <= folds; n *= 2 {
		r = append(r, n)
	}
	return append(r, folds)
}

// betterHalf returns the better half of the trials, rounded up, without those that
// failed.
func betterHalf(trials []*Trial) []*Trial {
	sorted := slices.SortedFunc(slices.Values(trials), byRMSE)[:(len(trials)+1)/2]
	return slices.DeleteFunc(sorted, func(t *Trial) bool { return t.Failed() != "" })
}

// planned is how many fits a search makes if no trial fails: so many trials, the first of
// them those that it starts from, on all folds, in divisions of so many each.
func planned(trials, starts, division, folds int) int {
	fits := starts*division + (starts+1)/2*(folds-division)
	for first := starts; first < trials; first += bracket {
		alive, before := min(bracket, trials-first), 0
		for _, n := range rungs(folds) {
			fits += alive * (n - before)
			alive, before = (alive+1)/2, n
		}
	}
	return fits
}
