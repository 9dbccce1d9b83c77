package metric

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/internal/weighted"
)

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
	count := max(1, min(mostBins, len(p)/leastInBin))
	total := weighted.Sum(weights, len(p))
	end := total / float64(count) // cumulative weight that completes a bin
	var bins []Bin
	first, upTo := 0, 0.0
	for at, n := range order {
		upTo += weighted.At(weights, n)
		if last := at == len(order)-1; last || upTo >= end*(1-1e-12) && p[n] != p[order[at+1]] { // tolerates rounding of sums
			bins = append(bins, newBin(order[first:at+1], p, hit, weights))
			first = at + 1
			left := max(1, min(count-len(bins), (len(p)-first)/leastInBin))
			end = upTo + (total-upTo)/float64(left)
		}
	}
	return bins
}

// newBin returns the bin of some samples, sorted by their probabilities.
func newBin(samples []int, p []float64, hit []bool, weights []float64) Bin {
	b := Bin{Samples: len(samples), From: p[samples[0]], To: p[samples[len(samples)-1]]}
	squares := 0.0
	for _, n := range samples {
		w := weighted.At(weights, n)
		b.Weight += w
		squares += float64(w * w)
		b.Predicted += float64(w * p[n])
		if hit[n] {
			b.Observed += w
		}
	}
	b.Predicted /= b.Weight
	b.Observed = min(1, b.Observed/b.Weight)
	b.SE = math.Sqrt(b.Observed*(1-b.Observed)*squares) / b.Weight
	return b
}
