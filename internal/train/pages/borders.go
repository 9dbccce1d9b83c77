package pages

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

const (
	mostBorders = 24    // of a column
	window      = 0.02  // share of the rows on either side of a quantile within which its border may be
	tail        = 0.005 // share of the rows on either side that terms and tables take as the end of the range
	mostBins    = 40    // levels of a category that conditions tell apart
	few         = 12    // a column of at most this many different numbers keeps its whole range
)

// numberColumn finds the borders and the range of a column of numbers, whose values are sorted by [numeric.SortedByValue].
func numberColumn(c Column, sorted, weight []float64) column {
	unique := slices.Compact(slices.Clone(sorted))
	out := column{Column: c, distinct: len(unique), low: sorted[0], high: sorted[len(sorted)-1], bins: 1}
	if len(unique) < 2 {
		out.codes = make([]uint8, len(c.Values))
		return out
	}
	if len(unique) <= mostBorders+1 {
		out.borders = between(unique)
	} else {
		out.borders = quantiles(sorted)
	}
	out.bins = len(out.borders) + 1
	out.codes = out.encode(c)
	if len(unique) > few {
		out.low, out.high = rangeOf(sorted, deviation(c.Values, weight))
	}
	return out
}

// between returns a border between all neighbours: whole numbers and short ones are their own borders, so that knots of tables are at
// values that rows have.
func between(unique []float64) []float64 {
	short := !slices.ContainsFunc(unique, func(v float64) bool { return v != math.Floor(v) && v != numeric.Round(v, 3) })
	borders := make([]float64, len(unique)-1)
	for i := range borders {
		a, b := unique[i], unique[i+1]
		if borders[i] = a; !short {
			if v := roundest(a, b-float64(1e-9*(b-a))); v > a && v < b {
				borders[i] = v
			}
		}
	}
	return borders
}

// quantiles returns the roundest number near each of the quantiles of sorted values. Each border divides the rows in another way.
func quantiles(sorted []float64) []float64 {
	n, last := float64(len(sorted)), len(sorted)-1
	at := func(p float64) float64 { return sorted[min(max(int(p*n), 0), last)] }
	var borders []float64
	below := 0
	for i := range mostBorders {
		p := float64(i+1) / (mostBorders + 1)
		b := roundest(at(p-window), at(p+window))
		k := sort.Search(len(sorted), func(j int) bool { return sorted[j] > b })
		if k > below && k <= last {
			borders, below = append(borders, b), k
		}
	}
	return borders
}

// rangeOf returns the rounded range of all values but the tails.
func rangeOf(sorted []float64, sd float64) (low, high float64) {
	last := len(sorted) - 1
	least, most := sorted[0], sorted[last]
	cut := int(math.Round(tail * float64(last)))
	low, high = sorted[cut], sorted[last-cut]
	if low >= high {
		low, high = least, most
	}
	if low = roundNear(low, sd/3); low < least {
		low = outwards(least, sd/30, 1)
	}
	if high = roundNear(high, sd/3); high > most {
		high = outwards(most, sd/30, -1)
	}
	if low >= high {
		return least, most
	}
	return low, high
}

// levelColumn finds the bins of a category: its most frequent levels, and one of all other cells.
func levelColumn(c Column, weight []float64) column {
	out := column{Column: c}
	count := make([]float64, len(c.Levels)+1)
	for i, code := range c.Codes {
		count[code] += weight[i]
	}
	least := max(5, 0.003*numeric.WeightSum(weight, len(c.Codes)))
	for l := range c.Levels {
		if count[l] >= least {
			out.levels = append(out.levels, l)
		}
	}
	if len(out.levels) > mostBins {
		slices.SortFunc(out.levels, func(a, b int) int { return cmp.Or(cmp.Compare(count[b], count[a]), a-b) })
		out.levels = out.levels[:mostBins]
		slices.Sort(out.levels)
	}
	out.bins = len(out.levels) + 1
	out.codes = out.encode(c)
	seen := make([]bool, out.bins)
	for _, b := range out.codes {
		if !seen[b] {
			seen[b] = true
			out.distinct++
		}
	}
	if out.distinct < 2 {
		out.levels, out.bins = nil, 1
		clear(out.codes)
	}
	return out
}

// encode returns the bins of the cells of c, which may be those of other rows.
func (c *column) encode(cells Column) []uint8 {
	if !c.isCategory() {
		codes := make([]uint8, len(cells.Values))
		for i, v := range cells.Values {
			codes[i] = uint8(sort.SearchFloat64s(c.borders, v))
		}
		return codes
	}
	bin := make([]uint8, len(c.Levels)+1)
	for l := range bin {
		bin[l] = uint8(len(c.levels))
	}
	for b, l := range c.levels {
		bin[l] = uint8(b)
	}
	codes := make([]uint8, len(cells.Codes))
	for i, code := range cells.Codes {
		codes[i] = bin[code]
	}
	return codes
}

// deviation returns the standard deviation of values with weights [n].
func deviation(values, weight []float64) float64 {
	mean, sum, total := numeric.WeightedMean(values, weight), 0.0, 0.0
	for i, v := range values {
		sum += float64(weight[i] * float64((v-mean)*(v-mean)))
		total += weight[i]
	}
	return math.Sqrt(sum / total)
}

// decade returns the largest e with 10^e <= v, of a positive v.
func decade(v float64) int {
	_, e := math.Frexp(v)
	e = e*1233/4096 + 1 // log10 2 is about 1233/4096
	for e > -308 && math.Pow10(e) > v {
		e--
	}
	return e
}

// power returns digit 10^e, the float64 nearest to it.
func power(digit float64, e int) float64 {
	if e < 0 {
		return digit / math.Pow10(-e)
	}
	return digit * math.Pow10(e)
}

// roundest returns the number above low and at most high that is a multiple of the largest unit of 5, 2 or 1 times a power of ten, or
// high if it is not above low.
func roundest(low, high float64) float64 {
	if !(low < high) {
		return high
	}
	if low < 0 && high >= 0 {
		return 0
	}
	size := max(math.Abs(low), math.Abs(high))
	top := decade(size)
	for e := top; e > max(top-13, -300); e-- {
		for _, digit := range []float64{5, 2, 1} {
			unit := power(digit, e)
			v := float64(math.Floor(high/unit+1e-9) * unit)
			if v-low > 1e-12*size && v-high <= 1e-12*size { // not of numbers that overflow
				return numeric.Round(v, 13)
			}
		}
	}
	return high
}

// roundNear rounds v to a multiple of the largest power of ten that is at most step.
func roundNear(v, step float64) float64 {
	if !(step > 0) {
		return v
	}
	return numeric.RoundTo(v, decade(step)) + 0 // no minus zero
}
