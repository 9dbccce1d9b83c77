package describe

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// Term is what one feature adds to a rule's THEN formula, and how much that matters.
type Term struct {
	Column string  `json:"column"`
	Level  string  `json:"level,omitempty"` // of a one-hot column: the term is there if the column is it
	Unit   string  `json:"unit,omitempty"`
	Slope  float64 `json:"slope"`

	// Effect is what the term changes from From to To: the values between which the middle nine
	// tenths of the training values lie, or all, if these are equal; for a level 0 and 1.
	Effect float64 `json:"effect"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`

	spread float64
	pair   int // of a column of two levels, which of them it is, from 1; 0 of any other
}

// terms returns the terms of a THEN formula that are not zero, the one with the largest
// effect first.
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

// foldPairs writes a column of two levels as one term, that of its second level, and adds the slope
// of the first to the intercept: a sample has one of the two.
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

// smallEffect: terms whose effect is less than this share of the largest are named, not
// written out.
const smallEffect = 0.1

// divide returns the terms to write out and those to name.
func divide(all []Term) (large, small []Term) {
	for i, t := range all {
		if math.Abs(t.Effect) < smallEffect*math.Abs(all[0].Effect) {
			return all[:i], all[i:]
		}
	}
	return all, nil
}
