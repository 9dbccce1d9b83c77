package byhand

import (
	"regexp"
	"strconv"
	"strings"
)

// rangeWords matches a term in words, as `tskgraph show` prints it, with a unit behind it.
var rangeWords = regexp.MustCompile(`^(?:(at least|above|at most|below|about)\s+)?([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(?:\s+to\s+([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?))?(?:\s+(\S.*))?$`)

// parseRange reads "at most 5", "below 5", "at least 3", "above 3", "3 to 15", "about 4", or a number alone,
// which is the same, each with or without a unit.
func parseRange(text string) (*Range, string) {
	m := rangeWords.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return nil, `want "at most A", "at least A", "A to B" or "about A" with numbers, a list of levels, or parameters`
	}
	word, unit := m[1], m[4]
	var ends []float64
	for _, t := range m[2:4] {
		if t == "" {
			continue
		}
		v, ok := ParseDecimal(t)
		if !ok {
			return nil, strconv.Quote(t) + " is not a number"
		}
		ends = append(ends, nearest(v))
	}
	first := &ends[0]
	switch {
	case len(ends) == 2 && word != "":
		return nil, `want "A to B" or "` + word + ` A"`
	case len(ends) == 2 && !(ends[0] < ends[1]):
		return nil, "the first number must be less than the second"
	case len(ends) == 2:
		return &Range{first, &ends[1], unit}, ""
	case word == "at least" || word == "above":
		return &Range{From: first, Unit: unit}, ""
	case word == "at most" || word == "below":
		return &Range{To: first, Unit: unit}, ""
	}
	return &Range{first, first, unit}, ""
}

// String returns the range in words.
func (r *Range) String() string {
	show := func(v *float64) string { return decimal(rational(*v)) }
	text := ""
	switch {
	case r.From == nil:
		text = "at most " + show(r.To)
	case r.To == nil:
		text = "at least " + show(r.From)
	case *r.From == *r.To:
		text = "about " + show(r.From)
	default:
		text = show(r.From) + " to " + show(r.To)
	}
	if r.Unit != "" {
		text += " " + r.Unit
	}
	return text
}
