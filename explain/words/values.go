package words

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
)

// borderDigits is the number of significant digits up to which a border is printed as it is.
const borderDigits = 3

// roundedDigits is the largest number of significant digits of a rounded border.
const roundedDigits = 8

// trainingValues is what is known of the training values of a column of numbers.
type trainingValues struct {
	values []float64 // distinct, in increasing order
	all    bool      // values are all training values, not only the quantiles of a model file
	whole  bool      // whole numbers, at least three: two give too little evidence of the values between them
	sd     float64
	round  bool // the model is rounded: a border with few digits is printed in full
	strict bool // borders are printed alike on both sides: they equal no value, unless it is whole
}

func newKnown(values []float64, sd float64) trainingValues {
	broken := func(v float64) bool { return v != math.Trunc(v) }
	return trainingValues{values: values, whole: len(values) > 2 && !slices.ContainsFunc(values, broken), sd: sd}
}

// border returns the number to print for a border v; lower: the values meant are at least v, else at most v. It selects the same values as
// v. It is v itself if v has few digits, else a number with the fewest decimals within a 20th of a standard deviation of v. In a column of
// whole numbers it is whole.
func (k trainingValues) border(v float64, lower bool) (string, *float64) {
	if k.whole {
		slack := float64(1e-9 * math.Abs(v))
		if lower {
			v = math.Ceil(v - slack)
		} else {
			v = math.Floor(v + slack)
		}
	}
	if r := numeric.Round(v, borderDigits); math.Abs(v-r) <= 1e-9*math.Abs(v) {
		return plainly(r, borderDigits), &r
	}
	if r := numeric.Round(v, roundedDigits); k.round && math.Abs(v-r) <= tolerance*math.Abs(v) {
		return allDigits(r), &r
	}
	at, equal := slices.BinarySearch(k.values, v)
	if equal && !lower {
		at++
	}
	below, above := math.Inf(-1), math.Inf(1)
	if at > 0 {
		below = k.values[at-1]
	}
	if at < len(k.values) {
		above = k.values[at]
	}
	separates := func(r float64) bool {
		equal := r == below && !lower || r == above && lower
		return r > below && r < above || equal && (k.whole || !k.strict)
	}
	first := -int(math.Floor(math.Log10(max(math.Abs(v), k.sd))))
	for decimals := first; decimals < first+17; decimals++ {
		for _, round := range []func(float64) float64{math.Round, math.Floor, math.Ceil} {
			if r := toDecimals(v, decimals, round); separates(r) && math.Abs(r-v) <= k.sd/20 {
				return plainly(r, 15), &r
			}
		}
	}
	return exactly(v), &v
}

// toDecimals rounds v to a number of decimals, which may be negative.
func toDecimals(v float64, decimals int, round func(float64) float64) float64 {
	if decimals < 0 {
		step := math.Pow10(-decimals)
		return float64(round(v/step)*step) + 0
	}
	scale := math.Pow10(decimals)
	return round(v*scale)/scale + 0
}

// distinctValues returns the distinct values of each feature in increasing order, without
// missing ones; nil for the features of a nominal column.
func distinctValues(d *data.Dataset) [][]float64 {
	var all [][]float64
	for _, c := range d.Schema.Parts() {
		for range c.Width() {
			var values []float64
			if !c.Nominal() {
				for _, row := range d.X {
					if v := row[len(all)]; !math.IsNaN(v) {
						values = append(values, v)
					}
				}
				slices.Sort(values)
				values = slices.Compact(values)
			}
			all = append(all, values)
		}
	}
	return all
}

// The linguistic scale divides the training values of a feature, by rank, into five terms: the lowest tenth, two tenths, the middle four,
// two tenths, the highest tenth. If at least a fifth of the values equal the least (or the largest) one, these are a separate term,
// named by the value, and the five terms divide the others.
var termEnds = [...]float64{0.1, 0.3, 0.7, 0.9, 1}

const (
	spikeShare   = 0.2
	leastSamples = model.QuantileSteps // with fewer, a single sample could count as a fifth
)

// spans has the names of the spans from the i-th to the j-th term, all different.
var spans = [5][5]string{
	{"very low", "low", "not high", "not very high", ""},
	{"", "moderately low", "moderately low to medium", "not extreme", "not very low"},
	{"", "", "medium", "medium to moderately high", "not low"},
	{"", "", "", "moderately high", "high"},
	{"", "", "", "", "very high"},
}

// wordScale is the linguistic scale of a feature over the values of a profile: the values with indices from ends[t-1] up to ends[t] belong
// to term t. The first and the last term are the values that equal the least and the largest, often empty.
type wordScale struct {
	ends           [7]int
	lowest, utmost string // names of the first and the last term
}

// newScale returns the scale over values that represent a number of training samples.
func newScale(values []float64, samples int) wordScale {
	n := len(values)
	low, high := 0, n
	for low < n && values[low] == values[0] {
		low++
	}
	for high > 0 && values[high-1] == values[n-1] {
		high--
	}
	least := int(spikeShare * float64(n))
	if samples < leastSamples {
		least = n + 1
	}
	if low < least || low == n {
		low = 0
	}
	if n-high < least || high < low {
		high = n
	}
	s := wordScale{lowest: exactly(values[0]), utmost: exactly(values[n-1])}
	s.ends[0], s.ends[6] = low, n
	for t, end := range termEnds {
		s.ends[t+1] = low + int(float64(end*float64(high-low))+0.5)
	}
	return s
}

// term returns the number of values of term t, and the number of those from first to last.
func (s wordScale) term(t, first, last int) (all, covered int) {
	begin := 0
	if t > 0 {
		begin = s.ends[t-1]
	}
	return s.ends[t] - begin, max(0, min(last+1, s.ends[t])-max(first, begin))
}

// name returns the name of the values from first to last: of the terms of which they cover at least half or, if there is none, of the term
// of the middle value. Terms without values do not count. The name is empty if they cover all terms.
func (s wordScale) name(first, last int) string {
	from, to := -1, -1
	for t := range s.ends {
		if all, covered := s.term(t, first, last); all > 0 && 2*covered >= all {
			if to = t; from < 0 {
				from = t
			}
		}
	}
	if from < 0 {
		middle := (first + last) / 2
		for from = 0; s.ends[from] <= middle; from++ {
		}
		to = from
	}
	switch {
	case to == 0:
		return s.lowest
	case from == 6:
		return s.utmost
	}
	for from > 1 && s.ends[from-1] == s.ends[from-2] {
		from-- // the next lower term has no values
	}
	for to < 5 && s.ends[to] == s.ends[to+1] {
		to++
	}
	name := spans[max(from, 1)-1][min(to, 5)-1]
	but := ""
	if spike, _ := s.term(0, 0, 0); spike > 0 && from == 1 {
		but = s.lowest
	}
	if spike, _ := s.term(6, 0, 0); spike > 0 && to == 5 {
		if but != "" {
			but += " nor "
		}
		but += s.utmost
	}
	switch {
	case but == "":
		return name
	case name == "":
		return "not " + but
	}
	return name + ", not " + but
}
