package metric

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Curve is a receiver operating characteristic (Fawcett 2006): for every threshold of a score, from above the largest one
// on, the share of the negative samples that reach it, FPR, and of the positive samples, TPR. Both run from 0 to 1.
type Curve struct {
	FPR, TPR []float64
	// AUC is the area under the curve, by the trapezoidal rule, and so the Mann-Whitney statistic: the chance that a positive
	// sample scores higher than a negative one, where a tie counts one half.
	AUC float64
}

// ROC returns the curve of the scores of one class against all others; samples with equal scores are one step of it. y [N]
// are the indices of the true classes, nil weights [N] all one. ok is false if y has no sample of the class, or no other.
func ROC(score, y []float64, class int, weights []float64) (curve Curve, ok bool) {
	order := make([]int, len(score))
	positives, negatives := 0.0, 0.0
	for n := range order {
		order[n] = n
		if int(y[n]) == class {
			positives += numeric.WeightAt(weights, n)
		} else {
			negatives += numeric.WeightAt(weights, n)
		}
	}
	if positives == 0 || negatives == 0 {
		return Curve{}, false
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(score[j], score[i]), i-j) })
	curve.FPR, curve.TPR = []float64{0}, []float64{0}
	above, below := 0.0, 0.0 // weights of the positive and the negative samples that reach the threshold
	for at := 0; at < len(order); {
		step, aside := 0.0, 0.0 // of the positive and the negative samples with this score
		for s := score[order[at]]; at < len(order) && score[order[at]] == s; at++ {
			n := order[at]
			if int(y[n]) == class {
				step += numeric.WeightAt(weights, n)
			} else {
				aside += numeric.WeightAt(weights, n)
			}
		}
		curve.AUC += float64(aside * ((above + float64(step/2)) / positives))
		above += step
		below += aside
		curve.TPR, curve.FPR = append(curve.TPR, min(1, above/positives)), append(curve.FPR, min(1, below/negatives))
	}
	curve.AUC = min(1, curve.AUC/negatives) // exactly 1 where whole weights are separated
	return curve, true
}

// Corners returns the curve without the points on horizontal and vertical pieces; of more than most points evenly chosen
// ones, with both ends. AUC stays that of the whole curve.
func (c Curve) Corners(most int) Curve {
	last := len(c.FPR) - 1
	at := []int{0}
	for i := 1; i < last; i++ {
		if c.FPR[i-1] != c.FPR[i+1] && c.TPR[i-1] != c.TPR[i+1] {
			at = append(at, i)
		}
	}
	at = append(at, last)
	every := (len(at) + most - 1) / most
	short := Curve{AUC: c.AUC}
	for k := 0; k < len(at); k += every {
		if k+every >= len(at) {
			k = len(at) - 1
		}
		short.FPR, short.TPR = append(short.FPR, c.FPR[at[k]]), append(short.TPR, c.TPR[at[k]])
	}
	return short
}

// MostConfused returns the indices of at most n classes of a confusion matrix [K][K], ascending: those with the most weight
// outside the diagonal, in their row and column.
func MostConfused(confusion [][]float64, n int) []int {
	all, wrong := make([]int, len(confusion)), make([]float64, len(confusion))
	for i, row := range confusion {
		all[i] = i
		for j, w := range row {
			if i != j {
				wrong[i] += w
				wrong[j] += w
			}
		}
	}
	slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(wrong[j], wrong[i]) })
	all = all[:min(len(all), n)]
	slices.Sort(all)
	return all
}

// Bin is a group of samples with similar probabilities of an event.
type Bin struct {
	Samples   int     `json:"samples"`
	Weight    float64 `json:"weight"`
	From      float64 `json:"from"` // the smallest and the largest probability
	To        float64 `json:"to"`
	Predicted float64 `json:"predicted"` // mean probability
	Observed  float64 `json:"observed"`  // share of the samples with the event
	// SE is the standard error of Observed, sqrt(Observed (1 - Observed) / n) with Kish's effective number n of samples,
	// (sum w)^2 / sum w^2; zero if all samples or none have the event.
	SE float64 `json:"se"`
}

// Calibrate aims at mostBins bins, and at leastInBin samples in each.
const (
	mostBins   = 10
	leastInBin = 10
)

// Calibrate divides samples with the probabilities p [N] of an event into bins of equal weight (Nguyen and O'Connor 2015):
// ten bins, fewer for fewer than 100 samples. Samples with equal probabilities share a bin, so that bins can be unequal and
// fewer. Hit [N] tells which samples have the event; nil weights [N] are all one.
func Calibrate(p []float64, hit []bool, weights []float64) []Bin {
	order := make([]int, len(p))
	for n := range order {
		order[n] = n
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(p[i], p[j]), i-j) })
	var bins []Bin
	first := 0
	divide := newDivision(len(p), numeric.WeightSum(weights, len(p)))
	for at, n := range order {
		tied := at < len(order)-1 && p[n] == p[order[at+1]]
		if divide.after(1, numeric.WeightAt(weights, n), tied) {
			bins = append(bins, newBin(order[first:at+1], p, hit, weights))
			first = at + 1
		}
	}
	return bins
}

// division divides samples in the order of their probabilities into bins of equal weight.
type division struct {
	left  int     // samples after those so far
	bins  int     // that are still to begin or to complete
	total float64 // weight
	upTo  float64 // weight of the samples so far
	end   float64 // cumulative weight that completes the bin
}

func newDivision(samples int, total float64) *division {
	bins := max(1, min(mostBins, samples/leastInBin))
	return &division{left: samples, bins: bins, total: total, end: total / float64(bins)}
}

// after adds the weight of the next samples, and reports whether a bin ends after them: not if they are tied with the next.
func (d *division) after(samples int, weight float64, tied bool) bool {
	d.upTo += weight
	d.left -= samples
	if d.left > 0 && (tied || d.upTo < d.end*(1-1e-12)) { // tolerates rounding of sums
		return false
	}
	d.bins--
	left := max(1, min(d.bins, d.left/leastInBin))
	d.end = d.upTo + (d.total-d.upTo)/float64(left)
	return true
}

// newBin returns the bin of some samples, sorted by their probabilities.
func newBin(samples []int, p []float64, hit []bool, weights []float64) Bin {
	b := Bin{Samples: len(samples), From: p[samples[0]], To: p[samples[len(samples)-1]]}
	squares := 0.0
	for _, n := range samples {
		w := numeric.WeightAt(weights, n)
		b.Weight += w
		squares += float64(w * w)
		b.Predicted += float64(w * p[n])
		if hit[n] {
			b.Observed += w
		}
	}
	return b.averaged(squares)
}

// averaged returns the bin with means in place of sums, given the sum of the squared weights.
func (b Bin) averaged(squares float64) Bin {
	b.Predicted /= b.Weight
	b.Observed = min(1, b.Observed/b.Weight)
	b.SE = math.Sqrt(b.Observed*(1-b.Observed)*squares) / b.Weight
	return b
}

// PairedStdErr returns the standard error of the mean of n differences with the standard deviation sd (divisor n-1), where each
// is the difference between two algorithms that were trained and tested on the same split of one data set, and
// testToTrain is the number of its test samples over that of its training samples. Splits share samples, so the
// differences are not independent, and sd/sqrt(n) is too small. C. Nadeau and Y. Bengio, "Inference for the
// Generalization Error", Machine Learning 52 (2003) 239-281, correct the variance:
//
//	sqrt((1/n + n_test/n_train) sd²)
//
// R. R. Bouckaert and E. Frank, "Evaluating the Replicability of Significance Tests for Comparing Learning Algorithms"
// (2004), use the same correction for repeated cross-validation.
func PairedStdErr(sd float64, n int, testToTrain float64) float64 {
	return float64(sd * math.Sqrt(1/float64(n)+testToTrain))
}
