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

// planned is how many fits a search of so many trials makes if no trial fails.
func (s *search) planned(trials int) int {
	fits := s.starts*s.o.Folds + (s.starts+1)/2*(len(s.folds)-s.o.Folds)
	for first := s.starts; first < trials; first += bracket {
		alive, before := min(bracket, trials-first), 0
		for _, folds := range rungs(len(s.folds)) {
			fits += alive * (folds - before)
			alive, before = (alive+1)/2, folds
		}
	}
	return fits
}
