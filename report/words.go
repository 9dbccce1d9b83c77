package report

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteWords writes the rules in words: each condition by where its values lie among
// those of the training part, each THEN formula with the terms that matter most
// first, then the figures of Interpretability and what the words mean. Where words do not
// apply, it says why and writes the rules in numbers.
func (d Description) WriteWords(w io.Writer) error {
	var b strings.Builder
	d.writeWords(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (d Description) writeWords(b *strings.Builder) {
	switch {
	case len(d.Members) > 0:
		fmt.Fprintf(b, "A committee of %d models: it predicts the mean of their predictions.\n", len(d.Members))
		for i, member := range d.Members {
			fmt.Fprintf(b, "\nMember %d of %d, %d rules\n\n", i+1, len(d.Members), len(member.Rules))
			member.writeRulesInWords(b)
		}
		if d.Members[0].Interpretability != nil {
			b.WriteString("\n" + legend)
		}
	case d.Interpretability == nil:
		b.WriteString(d.whyNot() + "\n\n")
		d.writeRules(b)
	default:
		d.writeRulesInWords(b)
		b.WriteString("\n" + legend)
	}
	if d.Interval != nil {
		fmt.Fprintf(b, "\n%s\n", d.Interval)
	}
}

// whyNot says why the rules are in numbers.
func (d Description) whyNot() string {
	if d.Components != nil {
		return "The rules are about principal components, sums of all features, for which there are no words."
	}
	return "The model file is of an older version, without the quantiles that words go by: give the training table to have them measured."
}

// legend says what the words mean.
const legend = `Words go by rank in the training part: "very low" is the lowest tenth of the values, "low" the lowest three tenths, "medium" the
middle four, "high" the highest three, "very high" the highest tenth; "moderately low" is low and not very low. They say where
the grade is half its largest or more; "preferably", where it is above the middle, though nowhere below half. A column whose grade varies by less than
a fifth is not mentioned.
`

func (d Description) writeRulesInWords(b *strings.Builder) {
	if d.Interpretability == nil {
		b.WriteString(d.whyNot() + "\n\n")
		d.writeRules(b)
		return
	}
	for i, r := range d.Rules {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "Rule %d: %.1f%% of the firing, strongest for %d of %d samples\n", r.Number, 100*r.Share, r.Samples, d.Samples)
		for i, c := range r.Words {
			and := "AND"
			if i == 0 {
				and = "IF"
			}
			fmt.Fprintf(b, "  %-4s %s\n", and, c.text())
		}
		if len(r.Words) == 0 {
			b.WriteString("  ALWAYS\n")
		}
		for _, line := range d.then(r) {
			b.WriteString("  " + line + "\n")
		}
		if r.Local != nil {
			d.writeLocal(b, r)
		}
	}
	b.WriteString("\n" + d.Interpretability.text() + "\n")
}

// then writes a THEN formula in lines.
func (d Description) then(r Rule) []string {
	name, unit := plain(d.Target), ""
	if d.Unit != "" {
		unit = " " + plain(d.Unit)
	}
	lines := []string{"THEN " + name + " = " + near(r.Then.Intercept, d.spread) + unit}
	large, small := divide(r.Terms)
	left, width := make([]string, len(large)), 0
	for i, t := range large {
		left[i] = t.product()
		width = max(width, len([]rune(left[i])))
	}
	for i, t := range large {
		lines = append(lines, fmt.Sprintf("       %-*s  %s", width, left[i], d.effect(t)))
	}
	if len(small) > 0 {
		names := make([]string, len(small))
		for i, t := range small {
			names[i] = t.name()
		}
		lines = append(lines, fmt.Sprintf("       and terms of less than %s%s each: %s", near(smallEffect*math.Abs(r.Terms[0].Effect), d.spread/10), unit, strings.Join(names, ", ")))
	}
	return lines
}

// name names what a term is about.
func (t Term) name() string {
	if t.Level != "" {
		return plain(t.Column) + " " + plain(t.Level)
	}
	return plain(t.Column)
}

// product is a term as the formula has it.
func (t Term) product() string {
	sign := "+ "
	if t.Slope < 0 {
		sign = "- "
	}
	if t.Level != "" {
		return sign + digits(math.Abs(t.Slope), 3) + " if " + plain(t.Column) + " is " + plain(t.Level)
	}
	return sign + digits(math.Abs(t.Slope), 3) + " " + plain(t.Column)
}

// effect says how much a term matters; nothing of a level, whose term says it all.
func (d Description) effect(t Term) string {
	if t.Level != "" {
		return ""
	}
	unit := ""
	if t.Unit != "" {
		unit = " " + plain(t.Unit)
	}
	return fmt.Sprintf("(%s from %s to %s%s)", signed(t.Effect, d.spread), near(t.From, t.spread), near(t.To, t.spread), unit)
}

// writeLocal writes what was seen of a rule.
func (d Description) writeLocal(b *strings.Builder, r Rule) {
	unit := ""
	if d.Unit != "" {
		unit = " " + plain(d.Unit)
	}
	l := r.Local
	var parts []string
	if l.Output != nil {
		parts = append(parts, "says "+near(*l.Output, d.spread)+unit+" on average")
	}
	if l.RMSE != nil {
		parts = append(parts, "the model's RMSE where it is strongest is "+near(*l.RMSE, d.spread/10)+unit)
	}
	if len(parts) > 0 {
		b.WriteString("  It " + strings.Join(parts, "; ") + ".\n")
	}
	if e := l.Example; e != nil {
		var values []string
		for _, c := range e.Values {
			if r.mentions(c.Column) {
				values = append(values, c.text())
			}
		}
		values = append(values, plain(d.Target)+" "+near(e.Target, d.spread/10)+unit+", predicted "+near(e.Predicted, d.spread/10))
		fmt.Fprintf(b, "  Most at home in row %d: %s.\n", e.Row, strings.Join(values, ", "))
	}
}

// mentions reports whether the IF part is about a column.
func (r Rule) mentions(column string) bool {
	for _, c := range r.Words {
		if c.Column == column {
			return true
		}
	}
	return false
}

// text says the figures in a line or two.
func (i *Interpretability) text() string {
	text := fmt.Sprintf("%d rules of %.1f conditions on average", i.Rules, i.Length)
	if i.Rules == 1 {
		text = fmt.Sprintf("1 rule of %.0f conditions", i.Length)
	}
	if i.Distinguishability != nil {
		text += fmt.Sprintf("; distinguishability %.2f", *i.Distinguishability)
	}
	if i.Coverage != nil {
		text += fmt.Sprintf("; coverage %.0f%%", 100**i.Coverage)
	}
	if i.Overlap != nil {
		text += fmt.Sprintf("; overlap %.1f rules", *i.Overlap)
	}
	return text + "."
}
