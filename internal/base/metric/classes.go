// Package metric measures predicted class probabilities: how often the most probable class is right, how good the
// probabilities are, and whether they are calibrated. K is the number of classes, N that of samples; every measure is
// weighted if weights [N] are given, and an unweighted one has the bits of weights that are all one.
package metric

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Classes are the measures of the class probabilities of a data set.
type Classes struct {
	Samples  int  `json:"samples"`
	Weighted bool `json:"weighted,omitempty"`
	Absent   int  `json:"absent_classes,omitempty"` // classes without a sample; BalancedAccuracy and AUC leave them out

	// Accuracy is the share of the samples whose most probable class, the first of equal ones, is right.
	Accuracy float64 `json:"accuracy"`
	// BalancedAccuracy is the mean of the recalls, the accuracies on the samples of each class.
	BalancedAccuracy float64 `json:"balanced_accuracy"`
	// LogLoss is the mean of -log p of the true class, with p of at least 1e-15.
	LogLoss float64 `json:"log_loss"`
	// AUC is the area under the curve of [ROC], of the second class if there are two, else the unweighted mean over the
	// classes, each against all others (Provost and Domingos 2000 weigh by the shares); nil if all samples have one class.
	AUC *float64 `json:"auc"`
	// AUCError bounds the error of AUC where a [Histogram] measured it; else zero.
	AUCError float64 `json:"auc_error,omitempty"`
	// Brier is the mean squared error of the probabilities (Brier 1950): summed over the classes, from 0 to 2; for two
	// classes only that of the second, from 0 to 1, as scikit-learn has it.
	Brier float64 `json:"brier"`
	// CalibrationError is the mean of |Predicted - Observed| over Calibration, by weight: the expected calibration error
	// (Naeini, Cooper and Hauskrecht 2015).
	CalibrationError float64 `json:"calibration_error"`
	// Calibration has the bins of the probability of the second class if there are two, else of the most probable class
	// (Guo et al. 2017).
	Calibration []Bin `json:"calibration"`
	// Confusion [K][K] has the weight of the samples of class i with the most probable class j in Confusion[i][j].
	Confusion [][]float64 `json:"confusion"`
}

// leastProbability bounds the log loss of a sample, by 34.5.
const leastProbability = 1e-15

// MeasureClasses measures class probabilities p [K][N] against the indices y [N] of the true classes, K at least 2, N at
// least 1. Weights [N] must be positive; nil: all one.
func MeasureClasses(p [][]float64, y, weights []float64) Classes {
	s := newSums(len(p))
	chance, hit := s.add(p, y, weights)
	c := s.classes()
	c.AUC = meanAUC(p, y, weights)
	c.setCalibration(Calibrate(chance, hit, weights), s.weight)
	return c
}

// setCalibration sets the bins of the samples of a total weight, and their error.
func (c *Classes) setCalibration(bins []Bin, total float64) {
	c.Calibration = bins
	for _, b := range bins {
		c.CalibrationError += float64(b.Weight / total * math.Abs(b.Predicted-b.Observed))
	}
}

// MostProbable returns the class of the largest of the probabilities p [K][N] of sample n, the first of equal ones.
func MostProbable(p [][]float64, n int) int {
	most := 0
	for k := range p {
		if p[k][n] > p[most][n] {
			most = k
		}
	}
	return most
}

// Chance returns the probability that [Classes] Calibration is of, by the probabilities p [K][N] of samples.
func Chance(p [][]float64) []float64 {
	if len(p) == 2 {
		return p[1]
	}
	chance := make([]float64, len(p[0]))
	for n := range chance {
		chance[n] = p[MostProbable(p, n)][n]
	}
	return chance
}

// brier is the squared error of the probabilities of sample n.
func brier(p [][]float64, n, truth int) float64 {
	sum := 0.0
	for k := range p {
		d := p[k][n]
		if k == truth {
			d--
		}
		if len(p) > 2 || k == 1 {
			sum += float64(d * d)
		}
	}
	return sum
}

// setAccuracy sets the accuracies from the confusion matrix of a total weight.
func (c *Classes) setAccuracy(total float64) {
	right, recalls := 0.0, 0.0
	for k, row := range c.Confusion {
		all := numeric.WeightSum(row, len(row))
		if all == 0 {
			c.Absent++
			continue
		}
		right += row[k]
		recalls += row[k] / all
	}
	c.Accuracy, c.BalancedAccuracy = right/total, recalls/float64(len(c.Confusion)-c.Absent)
}

// meanAUC is the area under the curve of the second of two classes, or the mean over the classes that have samples.
func meanAUC(p [][]float64, y, weights []float64) *float64 {
	sum, count := 0.0, 0
	for k := range p {
		if len(p) == 2 && k == 0 {
			continue
		}
		if curve, ok := ROC(p[k], y, k, weights); ok {
			sum += curve.AUC
			count++
		}
	}
	return numeric.OrNil(sum / float64(count))
}

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
		w, truth, most := numeric.WeightAt(weights, n), int(t), MostProbable(p, n)
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
	s.weight += numeric.WeightSum(weights, len(y))
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
