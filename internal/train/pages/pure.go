package pages

import (
	"math"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// byChance is the largest probability that rows drawn from the others would have one same target, times the number of bins of all columns.
const byChance = 0.01

// pureSplit returns the split one side of which has rows of one same target, such as days on which a shop is closed: the one with the most
// rows on that side; bins is nil if no side has enough rows, or they may have it by chance, as where most targets are zero.
func (f *frame) pureSplit(y []float64) (best split) {
	least, total := leastRows(float64(f.n)), numeric.WeightSum(f.weight, f.n)
	most, bins := 0.0, 0
	for _, c := range f.columns {
		bins += c.bins
	}
	for j := range f.columns {
		c := &f.columns[j]
		if c.bins < 2 || c.NoIf {
			continue
		}
		weight, value, same := f.byBin(j, y)
		for _, side := range c.pureSides(weight, value, same) {
			sum := 0.0
			for b, in := range side {
				if in {
					sum += weight[b]
				}
			}
			if sum > most && sum >= least && total-sum >= least && f.probability(j, side, y)*float64(bins) < byChance {
				most, best = sum, split{column: j, bins: c.asLeft(side)}
			}
		}
	}
	return best
}

// probability returns that of as many rows as a side of column j has to have one same target, by the share that other rows have it.
func (f *frame) probability(j int, side []bool, y []float64) float64 {
	codes, rows, target := f.columns[j].codes, 0, 0.0
	for i, b := range codes {
		if side[b] {
			rows, target = rows+1, y[i]
		}
	}
	same := 0
	for i, b := range codes {
		if !side[b] && y[i] == target {
			same++
		}
	}
	return math.Pow(float64(same)/float64(f.n-rows), float64(rows))
}

// asLeft returns the bins that go left of the split that has a side: of numbers the lower ones.
func (c *column) asLeft(side []bool) []bool {
	if c.isCategory() || side[0] {
		return side
	}
	left := make([]bool, len(side))
	for b, in := range side {
		left[b] = !in
	}
	return left
}

// byBin returns the weight of each bin of column j, and a target of its rows and whether all of them have it.
func (f *frame) byBin(j int, y []float64) (weight, value []float64, same []bool) {
	c := &f.columns[j]
	weight, value, same = make([]float64, c.bins), make([]float64, c.bins), make([]bool, c.bins)
	for i, b := range c.codes {
		if weight[b] == 0 {
			value[b], same[b] = y[i], true
		}
		same[b] = same[b] && y[i] == value[b]
		weight[b] += f.weight[i]
	}
	return weight, value, same
}

// pureSides returns the bins [][bins] on sides of a split whose rows have one same target: of numbers those below or above a border, of a
// category levels that a condition may name.
func (c *column) pureSides(weight, value []float64, same []bool) (all [][]bool) {
	alike := func(b, first int) bool { return weight[b] == 0 || same[b] && value[b] == value[first] }
	if c.isCategory() {
		for first := range c.levels {
			side, named := make([]bool, c.bins), 0
			for b := range c.levels {
				if weight[b] > 0 && same[first] && alike(b, first) && named < mostNamed {
					side[b] = true
					named++
				}
			}
			all = append(all, side)
		}
		return all
	}
	below, above := make([]bool, c.bins), make([]bool, c.bins)
	for b := 0; b < c.bins && same[0] && alike(b, 0); b++ {
		below[b] = true
	}
	last := c.bins - 1
	for b := last; b >= 0 && same[last] && alike(b, last); b-- {
		above[b] = true
	}
	return [][]bool{below, above}
}
