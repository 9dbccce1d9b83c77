package words

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
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
func exactly(v float64) string { return numeric.Show(v, -1) }

// level is a level of a column, or a value of a column with few distinct numbers.
type level struct {
	name     string
	place    float64   // value in a Cut
	features []float64 // [inputs]
	rare     bool      // less than 1/20 of the samples may have it
}

// levelsOf returns the levels of a column, or the values of a column with few distinct numbers
// in n training samples (see [model.Feature.FewValues]); nil for any other column.
func levelsOf(g group, n int) []level {
	var all []level
	f := g.seen[0]
	for k, name := range g.column.Levels {
		values := g.column.Values(k)
		place, seen := values[0], values[0] >= f.Min && values[0] <= f.Max
		if g.column.Nominal() {
			place, seen = float64(k), slices.Contains(g.from, g.first+k)
		}
		if !seen {
			continue
		}
		one := level{name: name, place: place}
		for _, feature := range g.from {
			one.features = append(one.features, values[feature-g.first])
		}
		all = append(all, one)
	}
	if !g.column.Numbers() {
		return all
	}
	few := f.FewValues(n)
	occurring := few
	if g.known.all {
		occurring = f.Occurring(n, g.known.values)
	}
	for _, v := range occurring {
		_, frequent := slices.BinarySearch(few, v)
		all = append(all, level{exactly(v), v, []float64{v}, !frequent})
	}
	return all
}

// choice describes the levels with the larger grades.
func choice(g group, c *Condition, p profile, levels []level) {
	in, out := p.within(levels)
	if len(in) == 0 || len(out) == 0 {
		share := coreShare
		if c.Preferably = c.least >= share; c.Preferably {
			share = (1 + c.least) / 2
		}
		in, out = nil, nil
		for i, s := range p.shares {
			if s >= share {
				in = append(in, levels[i])
			} else {
				out = append(out, levels[i])
			}
		}
	}
	c.among(g.column, levels, in, out, g.known.all)
}

// among makes the condition one of the levels in; out are the others. all: no value of a column
// of numbers is missing among the levels.
func (c *Condition) among(column data.Column, levels, in, out []level, all bool) {
	c.numbered = column.Numbers()
	if c.numbered {
		c.From, c.To = spanned(levels, in)
	}
	if len(in) == 0 {
		c.Is, c.cut.Out = "none of its levels", places(out)
		if c.numbered {
			c.Is, c.numbered = "none of its values", false
		}
		return
	}
	if !column.Nominal() && c.stretch(levels, in, all) {
		return
	}
	if len(in) > 2 && len(out) < len(in) {
		c.cut.Out = places(out)
		switch len(out) {
		case 1:
			c.Is = "not " + out[0].name
		case 2:
			c.Is = "neither " + joined(out, "nor")
		default:
			c.Is = "none of " + joined(out, "and")
		}
	} else {
		c.Is, c.cut.In = joined(in, "or"), places(in)
	}
}

// stretch names adjacent levels, at least two, or three numbers, by their bounds; two numbers
// too if other values may lie between them. It returns false if it cannot.
func (c *Condition) stretch(levels, in []level, all bool) bool {
	least := 2
	if c.numbered && (all || in[len(in)-1].place-in[0].place <= 1) {
		least = 3
	}
	at := slices.IndexFunc(levels, func(l level) bool { return l.place == in[0].place })
	first, last := in[0], in[len(in)-1]
	if len(in) < least || levels[at+len(in)-1].place != last.place {
		return false
	}
	switch {
	case at+len(in) == len(levels):
		c.Is, c.cut.From = "at least "+first.name, &first.place
	case at == 0:
		c.Is, c.cut.To = "at most "+last.name, &last.place
	case c.numbered:
		c.Is, c.cut.From, c.cut.To = first.name+" to "+last.name, &first.place, &last.place
	default:
		return false
	}
	return true
}

// spanned returns the least and the largest of adjacent levels, nil where none is beyond; both are nil if the levels are not adjacent.
func spanned(levels, in []level) (from, to *float64) {
	if len(in) == 0 {
		return nil, nil
	}
	at := slices.IndexFunc(levels, func(l level) bool { return l.place == in[0].place })
	end, last := at+len(in), in[len(in)-1]
	if levels[end-1].place != last.place {
		return nil, nil
	}
	if at > 0 {
		from = &in[0].place
	}
	if end < len(levels) {
		to = &last.place
	}
	return from, to
}

func places(levels []level) []float64 {
	all := make([]float64, len(levels))
	for i, l := range levels {
		all[i] = l.place
	}
	return all
}

// joined lists the names of levels: "a, b or c" for the last word "or".
func joined(levels []level, and string) string {
	var names []string
	for _, l := range levels {
		names = append(names, l.name)
	}
	return listed(names, and)
}
