package tune

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/recipe"
)

const (
	bracket   = 8 // trials that are halved together
	finalists = 2 // of the settings that the search started from, and of the drawn ones
	bothOn    = 2 // folds on which the finalists of a kind are compared

	// shortShare is the share of the updates of a training that a short one makes. On no2 and
	// concrete, short trainings on two folds rank settings as well on the other folds as whole
	// ones (rank correlation 0.82 and 0.63; of whole ones 0.83 and 0.57).
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

// planned returns the number of fits of a search if no trial fails.
func (s *search) planned() int {
	fits := screenings(s.starts, s.o.Folds)
	for first := s.starts; first < s.o.Trials; first += bracket {
		fits += screenings(min(bracket, s.o.Trials-first), s.o.Folds)
	}
	all := len(s.folds)
	for _, kind := range []int{s.starts, s.o.Trials - s.starts} {
		switch n := min(finalists, kind); {
		case n == 0:
		case s.screening == whole: // the finalists are trained on s.o.Folds
			fits += all - s.o.Folds
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

// betterHalf returns the better half of screened trials, rounded up, without those that failed.
func (s *search) betterHalf(trials []*Trial) []*Trial {
	sorted := slices.SortedFunc(slices.Values(trials), s.compareBy(s.screening))[:(len(trials)+1)/2]
	return slices.DeleteFunc(sorted, func(t *Trial) bool { return failure(t.on(s.screening)) != "" })
}
