package metric

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Histogram measures the class probabilities of any number of samples, added in blocks, in memory that does not grow with
// them. It gives the measures of [MeasureClasses], AUC and Calibration by counts in cells of the probability p: from 2^-i
// to 2^(1-i) there are 512 cells, down to 2^-40, and likewise of 1-p above 1/2; of more than 32 classes there are fewer.
//
//   - Samples in one cell are tied in AUC. It differs from the area of the exact ranks by at most Classes.AUCError, half
//     the share of the pairs of a positive and a negative sample that are in one cell.
//   - Bins of Calibration end where cells end. Their figures are exact.
type Histogram struct {
	sums     *sums
	ofScores grid
	scores   [][]tally // [K][cells], of the probability of each class; of two classes none of the first
	ofChance grid
	chance   []Bin // [cells] of what is calibrated, with sums in place of means, and of squares in place of SE
}

// tally has the weights of the samples of a cell that have a class and of those that do not, and the range of their probabilities.
type tally struct{ with, without, from, to float64 }

// join adds further samples.
func (t *tally) join(o tally) {
	if o.with == 0 && o.without == 0 {
		return
	}
	if t.with == 0 && t.without == 0 {
		*t = o
		return
	}
	t.with += o.with
	t.without += o.without
	t.from, t.to = min(t.from, o.from), max(t.to, o.to)
}

// NewHistogram returns the histogram of K classes without samples.
func NewHistogram(K int) *Histogram {
	h := &Histogram{sums: newSums(K), ofScores: newGrid(K), scores: make([][]tally, K), ofChance: newGrid(1)}
	for k := range h.scores {
		if K > 2 || k == 1 {
			h.scores[k] = make([]tally, h.ofScores.cells())
		}
	}
	h.chance = make([]Bin, h.ofChance.cells())
	return h
}

// Add adds the samples of [MeasureClasses].
func (h *Histogram) Add(p [][]float64, y, weights []float64) {
	chance, hit := h.sums.add(p, y, weights)
	for k, cells := range h.scores {
		if cells == nil {
			continue
		}
		for n, v := range p[k] {
			one := tally{without: numeric.WeightAt(weights, n), from: v, to: v}
			if int(y[n]) == k {
				one.with, one.without = one.without, 0
			}
			cells[h.ofScores.of(v)].join(one)
		}
	}
	for n, v := range chance {
		w := numeric.WeightAt(weights, n)
		one := Bin{Samples: 1, Weight: w, From: v, To: v, Predicted: float64(w * v), SE: float64(w * w)}
		if hit[n] {
			one.Observed = w
		}
		h.chance[h.ofChance.of(v)].join(one)
	}
}

// Merge adds the samples of o, of as many classes.
func (h *Histogram) Merge(o *Histogram) {
	h.sums.merge(o.sums)
	for k, cells := range o.scores {
		for i, t := range cells {
			h.scores[k][i].join(t)
		}
	}
	for i, b := range o.chance {
		h.chance[i].join(b)
	}
}

// Classes returns the measures of the samples, at least one.
func (h *Histogram) Classes() Classes {
	c := h.sums.classes()
	sum, bound, count := 0.0, 0.0, 0
	for _, cells := range h.scores {
		if auc, most := areaOf(cells); !math.IsNaN(auc) {
			sum += auc
			bound += most
			count++
		}
	}
	if c.AUC = numeric.OrNil(sum / float64(count)); c.AUC != nil {
		c.AUCError = bound / float64(count)
	}
	c.setCalibration(h.calibration(), h.sums.weight)
	return c
}

// areaOf returns the area under the curve of cells in ascending order of the score, and the bound of its error; NaN if no
// sample has the class, or all have it.
func areaOf(cells []tally) (auc, bound float64) {
	above := 0.0 // weight of the samples with the class in the cells so far, those of the largest scores
	all := tally{}
	for i := len(cells) - 1; i >= 0; i-- {
		t := cells[i]
		auc += float64(t.without * (above + float64(t.with/2)))
		if t.from < t.to { // otherwise they are tied indeed
			bound += float64(t.without * float64(t.with/2))
		}
		above += t.with
		all.with += t.with
		all.without += t.without
	}
	return min(1, auc/all.with/all.without), bound / all.with / all.without
}

// calibration returns the bins of [Calibrate], between cells.
func (h *Histogram) calibration() []Bin {
	var bins []Bin
	var b Bin
	divide := newDivision(h.sums.samples, h.sums.weight)
	for _, cell := range h.chance {
		if cell.Samples == 0 {
			continue
		}
		b.join(cell)
		if divide.after(cell.Samples, cell.Weight, false) {
			bins, b = append(bins, b.averaged(b.SE)), Bin{}
		}
	}
	return bins
}

// join adds the sums of further samples.
func (b *Bin) join(o Bin) {
	if o.Samples == 0 {
		return
	}
	if b.Samples == 0 {
		*b = o
		return
	}
	b.Samples += o.Samples
	b.Weight += o.Weight
	b.From, b.To = min(b.From, o.From), max(b.To, o.To)
	b.Predicted += o.Predicted
	b.Observed += o.Observed
	b.SE += o.SE
}

// grid divides the probabilities into cells that are narrow near 0 and 1.
type grid struct {
	steps int // logarithm to base 2 of the number of cells from 2^-i to 2^(1-i)
}

const (
	powers    = 40      // cells reach down to 2^-powers; smaller probabilities share the first one
	mostSteps = 9       // 512 cells for each power of two
	mostCells = 1 << 13 // for each power of two, of all classes
)

func newGrid(K int) grid {
	g := grid{mostSteps}
	for g.steps > 4 && K<<g.steps > mostCells {
		g.steps--
	}
	return g
}

// half is the number of cells up to 1/2, which has one of its own.
func (g grid) half() int { return powers<<g.steps + 1 }

func (g grid) cells() int { return 2*g.half() - 1 }

// of returns the cell of a probability; cells ascend with it.
func (g grid) of(p float64) int {
	switch {
	case p > 0.5:
		return g.cells() - 1 - g.of(1-p)
	case !(p > 0):
		return 0
	}
	shift := 52 - g.steps
	return max(0, int(math.Float64bits(p)>>shift)-int(math.Float64bits(math.Ldexp(0.5, -powers))>>shift))
}
