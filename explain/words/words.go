package words

import (
	"fmt"
	"slices"
	"strings"
)

// writeWords writes the rules in words or, for a model without words, in numbers.
func writeWords(b *strings.Builder, d Description) {
	if len(d.Members) > 0 {
		b.WriteString(committeeLine(d) + remarkOn(d))
		for i, member := range d.Members {
			fmt.Fprintf(b, "\nMember %d of %d, %d rules\n\n", i+1, len(d.Members), len(member.Rules))
			writeRulesInWords(b, member)
		}
	} else {
		writeRulesInWords(b, d)
	}
	writeReadability(b, d)
	if legend := Legend(d); legend != "" {
		b.WriteString("\n" + legend)
	}
	if d.Neighbours != nil {
		fmt.Fprintf(b, "\n%s\n", d.Neighbours)
	}
	if d.Interval != nil {
		fmt.Fprintf(b, "\n%s\n", d.Interval)
	}
}

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
)

// Legend explains the words that the conditions of the rules use; empty for a model without
// words.
func Legend(d Description) string {
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
	if slices.ContainsFunc(all, func(one Description) bool { return CurvesInWords(one) != nil }) {
		if all[0].Response == nil {
			text += legendCurves
		} else {
			text += legendOutputCurves
		}
	}
	if all[0].Response != nil && uses(Rule.measured) {
		text += legendResponse
	}
	return text + all[0].missing + legendRest
}

// introduction says what the rules make up, and how their weights are computed.
func introduction(d Description) string {
	what := label(d.Target, d.Unit) + " is"
	if d.Response != nil {
		what = d.Response.mean(d)
	}
	text := fmt.Sprintf("%s the mean of what %d rules say, weighted by how far their conditions hold.\n", what, len(d.Rules))
	if len(d.Rules) == 1 {
		text = what + " what a single rule says.\n"
	}
	if d.Response != nil {
		text += d.Response.meaning(d)
	}
	if len(d.Rules) > 1 {
		text += inferenceLine(d)
	}
	return text
}

func writeRulesInWords(b *strings.Builder, d Description) {
	if d.Interpretability == nil {
		b.WriteString(remarkOn(d) + d.WhyNoWords() + "\n\n")
		writeRules(b, d)
		return
	}
	b.WriteString(introduction(d))
	b.WriteString(remarkOn(d))
	var idle []int
	idleShare := 0.0
	for _, r := range Listed(d) {
		if measured(d) && r.Idle() {
			idle = append(idle, r.Number)
			idleShare += r.Share
			continue
		}
		b.WriteString("\n" + block(d, r))
	}
	if len(idle) > 0 {
		fmt.Fprintf(b, "\nNot shown, strongest for no sample, %.2g%% of the firing together: %s.\n", 100*idleShare, named(idle))
	}
	for _, t := range CurvesInWords(d) {
		b.WriteString("\n" + t.String())
	}
	writeBounds(b, d)
	b.WriteString("\n" + d.Interpretability.String() + "\n")
}

// block returns the lines of a rule in words.
func block(d Description, r Rule) string {
	var b strings.Builder
	t := d.Text(r)
	fmt.Fprintf(&b, "%s: %s\n", r.Name(), activity(d, r))
	for i, c := range t.If {
		and := "AND"
		if i == 0 {
			and = "IF"
		}
		fmt.Fprintf(&b, "  %-4s %s\n", and, c)
	}
	if len(t.If) == 0 {
		b.WriteString("  " + t.Always + "\n")
	}
	for _, lines := range t.thens() {
		for i, line := range lines {
			then := "    "
			if i == 0 {
				then = "THEN"
			}
			b.WriteString("  " + then + " " + line + "\n")
		}
	}
	for _, line := range t.Seen {
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// measured reports whether the response to the rule was measured.
func (r Rule) measured() bool { return r.Local != nil && r.Local.Response != nil }

// Idle reports whether a rule hardly contributes on the training part: it is strongest for no
// sample and has less than 1% of the firing.
func (r Rule) Idle() bool { return r.Samples == 0 && r.Share < 0.01 && r.Equal == 0 }

// measured reports whether the activity of the rules on the training part is known: of rules that were
// imported it is not, and none is strongest for a sample.
func measured(d Description) bool {
	return slices.ContainsFunc(d.Rules, func(r Rule) bool { return r.Samples > 0 })
}

// activity says how active a rule is on the training samples.
func activity(d Description, r Rule) string {
	if !measured(d) {
		return "not measured on samples"
	}
	of := fmt.Sprintf("%d samples", d.Samples)
	if d.Sample > 0 {
		of = fmt.Sprintf("a random %d of %s", d.Sample, of)
	}
	if r.Equal > 0 {
		return fmt.Sprintf("%.1f%% of the firing, like each of %d rules on all of %s, to rounding", 100*r.Share, r.Equal, of)
	}
	return fmt.Sprintf("%.1f%% of the firing, strongest for %d of %s", 100*r.Share, r.Samples, of)
}
