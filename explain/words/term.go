package words

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// Term is the term of a feature in a rule's THEN formula, and its effect.
type Term struct {
	Column string  `json:"column"`
	Level  string  `json:"level,omitempty"` // of a one-hot column: the term counts if the column has this level
	Unit   string  `json:"unit,omitempty"`
	Slope  float64 `json:"slope"`

	// Effect is the change of the term from From to To, the 5% and 95% quantiles of the
	// training values or, if these are equal, their range; 0 and 1 for a level.
	Effect float64 `json:"effect"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`

	spread float64
	pair   int // number of the level, from 1, in a column of two levels; 0 for any other column
}

// terms returns the terms of a THEN formula that are not zero, the largest effect first.
func terms(columns []group, coefficients []Parameter) []Term {
	var all []Term
	for _, g := range columns {
		for k, i := range g.inputs {
			if len(coefficients) <= i || coefficients[i].Value == 0 {
				continue
			}
			f := g.seen[k]
			t := Term{Column: g.column.Name, Unit: g.column.Unit, Slope: coefficients[i].Value, From: f.Quantile(0.05), To: f.Quantile(0.95), spread: f.SD}
			if g.column.Encoding == data.OneHot {
				t.Level = g.column.Levels[g.from[k]-g.first]
				if len(g.column.Levels) == 2 {
					t.pair = 1 + g.from[k] - g.first
				}
			}
			if t.Level != "" || t.From == t.To {
				t.From, t.To = f.Min, f.Max
			}
			t.Effect = t.Slope * (t.To - t.From)
			all = append(all, t)
		}
	}
	sortTerms(all)
	return all
}

func sortTerms(all []Term) {
	slices.SortStableFunc(all, func(a, b Term) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
}

// foldPairs combines the two terms of a column of two levels into one of the second level, and
// adds the slope of the first level to the intercept: a sample has one of the two.
func foldPairs(intercept float64, all []Term) (float64, []Term) {
	var folded []Term
	for _, t := range all {
		other := slices.IndexFunc(all, func(o Term) bool { return o.Column == t.Column && o.pair == 3-t.pair })
		switch {
		case t.pair == 0 || other < 0:
			folded = append(folded, t)
		case t.pair == 1:
			intercept += t.Slope
		case t.Slope != all[other].Slope:
			t.Slope -= all[other].Slope
			t.Effect = t.Slope * (t.To - t.From)
			folded = append(folded, t)
		}
	}
	sortTerms(folded)
	return intercept, folded
}

// smallEffect is the share of the largest effect below which terms are only named.
const smallEffect = 0.1

// divide returns the terms to write in full and those to name.
func divide(all []Term) (large, small []Term) {
	for i, t := range all {
		if math.Abs(t.Effect) < smallEffect*math.Abs(all[0].Effect) {
			return all[:i], all[i:]
		}
	}
	return all, nil
}

// name returns the column of a term, with its level.
func (t Term) name() string {
	if t.Level != "" {
		return plain(t.Column) + " " + plain(t.Level)
	}
	return plain(t.Column)
}

// namesOf returns the names of the small terms of a formula: of a column of levels only the
// column, if all its terms are small and any two differ by less than the bound of small ones.
func namesOf(small, all []Term, bound float64) []string {
	var names []string
	for _, t := range small {
		name := t.name()
		if t.pair > 0 || t.Level != "" && together(t.Column, all, bound) {
			name = plain(t.Column)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// together reports whether the effects of any two levels of a column, zero without a term,
// differ by less than the bound.
func together(column string, all []Term, bound float64) bool {
	least, largest := 0.0, 0.0
	for _, t := range all {
		if t.Column == column {
			least, largest = min(least, t.Effect), max(largest, t.Effect)
		}
	}
	return largest-least < bound
}
