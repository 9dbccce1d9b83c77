package tune

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

const (
	bracket   = 8 // trials that are halved together
	finalists = 2 // of the settings that the search started from, and of the drawn ones
	bothOn    = 2 // folds on which the finalists of a kind are compared

	// shortShare is the share of the updates of a training that a short one makes.
	// docs/accuracy.md compares the ranks of settings by short and by whole trainings.
	shortShare = 0.125

	leastShort = 100 // updates of a short training at least
)

// rungs are the numbers of folds on which the trials of a bracket are screened before they
// are halved: 1, 2, 4, ... and all.
func rungs(folds int) []int {
	var r []int
	for n := 1; 2*n <= folds; n *= 2 {
		r = append(r, n)
	}
	return append(r, folds)
}

// shortens reports whether trials are screened by short trainings: if the learning rate
// falls to zero within any number of updates, so that a short training ends as a whole one.
func shortens(base tskgraph.Recipe) bool { return base.Train.Schedule == "cosine" }

// shortened returns the number of updates of a short training in place of a whole one.
func shortened(iterations int) int {
	return min(iterations, max(leastShort, int(math.Round(shortShare*float64(iterations)))))
}

// work returns the cost of a training: its updates times its rules.
func work(s recipe.Setting, l length) float64 {
	iterations := s.Number("iterations")
	if l == short {
		iterations = float64(shortened(int(iterations)))
	}
	return iterations * s.Number("rules")
}

// planned returns the number of fits of a search if no trial fails: so many trials, the first
// of them those that it starts from, screened on the folds of the first division by
// trainings of a length, and finalists on all.
func planned(starts, trials, division, all int, screening length) int {
	fits := screenings(starts, division)
	for first := starts; first < trials; first += bracket {
		fits += screenings(min(bracket, trials-first), division)
	}
	for _, kind := range []int{starts, trials - starts} {
		switch n := min(finalists, kind); {
		case n == 0:
		case screening == whole: // the finalists are trained on the first division
			fits += all - division
		default:
			fits += n*min(bothOn, all) + all - min(bothOn, all)
		}
	}
	return fits
}

// screenings returns the number of fits that screen so many trials together.
func screenings(trials, folds int) int {
	fits, before := 0, 0
	for _, n := range rungs(folds) {
		fits += trials * (n - before)
		trials, before = (trials+1)/2, n
	}
	return fits
}

// betterHalf returns the better half of trials screened by trainings of a length, rounded up,
// without those that failed.
func betterHalf(trials []*Trial, j judge, screening length) []*Trial {
	sorted := slices.SortedFunc(slices.Values(trials), j.compareBy(screening))[:(len(trials)+1)/2]
	return slices.DeleteFunc(sorted, func(t *Trial) bool { return failure(t.on(screening)) != "" })
}
