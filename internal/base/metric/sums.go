package metric

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/weighted"
)

// sums are those of the measures of class probabilities that need no ranks.
type sums struct {
	samples                int
	weighted               bool
	weight, logLoss, brier float64     // logLoss and brier are weighted sums
	confusion              [][]float64 // [K][K], see Classes
}

func newSums(K int) *sums {
	s := &sums{confusion: make([][]float64, K)}
	for k := range s.confusion {
		s.confusion[k] = make([]float64, K)
	}
	return s
}

// add adds the samples of [MeasureClasses], and returns what is calibrated: the probability [N] of an event, and which
// samples have the event.
func (s *sums) add(p [][]float64, y, weights []float64) (chance []float64, hit []bool) {
	chance, hit = make([]float64, len(y)), make([]bool, len(y))
	for n, t := range y {
		w, truth, most := weighted.At(weights, n), int(t), MostProbable(p, n)
		s.confusion[truth][most] += w
		s.logLoss -= float64(w * math.Log(max(p[truth][n], leastProbability)))
		s.brier += float64(w * brier(p, n, truth))
		chance[n], hit[n] = p[most][n], most == truth
		if len(p) == 2 {
			chance[n], hit[n] = p[1][n], truth == 1
		}
	}
	s.samples += len(y)
	s.weighted = s.weighted || weights != nil
	s.weight += weighted.Sum(weights, len(y))
	return chance, hit
}

// merge adds the sums of further samples.
func (s *sums) merge(o *sums) {
	s.samples += o.samples
	s.weighted = s.weighted || o.weighted
	s.weight += o.weight
	s.logLoss += o.logLoss
	s.brier += o.brier
	for i, row := range o.confusion {
		for j, w := range row {
			s.confusion[i][j] += w
		}
	}
}

// classes returns the measures without AUC and calibration.
func (s *sums) classes() Classes {
	c := Classes{Samples: s.samples, Weighted: s.weighted, Confusion: s.confusion, LogLoss: s.logLoss / s.weight, Brier: s.brier / s.weight}
	c.setAccuracy(s.weight)
	return c
}
