package words

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

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
	switch g.column.Encoding {
	case data.OneHot:
		for k, feature := range g.from {
			value := make([]float64, len(g.from))
			value[k] = 1
			all = append(all, level{g.column.Levels[feature-g.first], float64(feature - g.first), value, false})
		}
	case data.Ordinal:
		for i, name := range g.column.Levels {
			if v := float64(i + 1); v >= f.Min && v <= f.Max {
				all = append(all, level{name, v, []float64{v}, false})
			}
		}
	default:
		few := f.FewValues(n)
		occurring := few
		if g.known.all {
			occurring = f.Occurring(n, g.known.values)
		}
		for _, v := range occurring {
			_, frequent := slices.BinarySearch(few, v)
			all = append(all, level{exactly(v), v, []float64{v}, !frequent})
		}
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
	c.among(g.column.Encoding, levels, in, out, g.known.all)
}

// among makes the condition one of the levels in; out are the others. all: no value of a column
// of numbers is missing among the levels.
func (c *Condition) among(encoding data.Encoding, levels, in, out []level, all bool) {
	c.numbered = encoding == data.Numeric
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
	if encoding != data.OneHot && c.stretch(levels, in, all) {
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
