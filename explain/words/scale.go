package words

import (
	"github.com/tskgraph/tskgraph/internal/base/digits"
	"github.com/tskgraph/tskgraph/model"
)

// The linguistic scale divides the training values of a feature, by rank, into five
// terms: the lowest tenth, two tenths, the middle four, two tenths, the highest tenth. If at
// least a fifth of the values equal the least (or the largest) one, these are a separate term,
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

// scale is the linguistic scale of a feature over the values of a profile: the values with
// indices from ends[t-1] up to ends[t] belong to term t. The first and the last term are the
// values that equal the least and the largest, often empty.
type scale struct {
	ends           [7]int
	lowest, utmost string // names of the first and the last term
}

// newScale returns the scale over values that represent a number of training samples.
func newScale(values []float64, samples int) scale {
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
	s := scale{lowest: exactly(values[0]), utmost: exactly(values[n-1])}
	s.ends[0], s.ends[6] = low, n
	for t, end := range termEnds {
		s.ends[t+1] = low + int(float64(end*float64(high-low))+0.5)
	}
	return s
}

// term returns the number of values of term t, and the number of those from first to last.
func (s scale) term(t, first, last int) (all, covered int) {
	begin := 0
	if t > 0 {
		begin = s.ends[t-1]
	}
	return s.ends[t] - begin, max(0, min(last+1, s.ends[t])-max(first, begin))
}

// name returns the name of the values from first to last: of the terms of which they cover at
// least half or, if there is none, of the term of the middle value. Terms without values do
// not count. The name is empty if they cover all terms.
func (s scale) name(first, last int) string {
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

// exactly formats a training value with all its digits.
func exactly(v float64) string { return digits.Show(v, -1) }
