package words

import "slices"

// Sentences of a legend.
const (
	legendRanks = `Words refer to ranks among the training values: very low is the lowest tenth, low the lowest three tenths, medium the
middle four, high and very high likewise; moderately low is low but not very low, not extreme is neither very low nor
very high.
`
	legendSoft = `Conditions are soft: they name the values where the grade is at least half its largest, and hold more or less nearby.
`
	legendPreferably = `"preferably" marks a grade that hardly falls below half, and says where it is above the middle.
`
	legendResponse = `What is said after THEN, before the formula, is the response to the rule alone, a mean over the samples weighted by its firing.
`
	legendRest = `Conditions on a column of few values name these. Columns whose grade varies by less than a fifth are mentioned only in a
rule without other conditions. The rules that fire most come first.
`
	legendCurves = `The words of a curve follow it to within a tenth of its range. Hardly: by at most a tenth of its range; steeply and slowly: at
least twice, at most half as steep as on average. A curve hardly matters if its range is at most a tenth of `
	legendOneCurve = legendCurves + `the RMSE in
training, or of its range together with the mean slope of the rules.
`
	legendOutputCurves = legendCurves + `its range together
with the mean slope of the rules.
`
)

// legend explains the words that the conditions of the rules use; empty for a model without
// words.
func legend(d Description) string {
	all := d.Members
	if all == nil {
		all = []Description{d}
	}
	if all[0].Interpretability == nil {
		return ""
	}
	uses := func(is func(Rule) bool) bool {
		return slices.ContainsFunc(all, func(one Description) bool { return slices.ContainsFunc(one.Rules, is) })
	}
	says := func(is func(Condition) bool) func(Rule) bool {
		return func(r Rule) bool { return slices.ContainsFunc(r.Words, is) }
	}
	text := ""
	if uses(says(Condition.ranked)) {
		text = legendRanks
	}
	text += legendSoft
	if uses(says(func(c Condition) bool { return c.Preferably })) {
		text += legendPreferably
	}
	if slices.ContainsFunc(all, func(one Description) bool { return one.curvesInWords() != nil }) {
		if all[0].Response.IsZero() {
			text += legendOneCurve
		} else {
			text += legendOutputCurves
		}
	}
	if uses(func(r Rule) bool { return r.Local != nil && r.Local.Response != nil }) {
		text += legendResponse
	}
	return text + all[0].missing + legendRest
}
