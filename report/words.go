package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
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
const legend = `Words go by rank among the training values: very low is the lowest tenth, low the lowest three tenths, medium the
middle four, high and very high likewise; moderately low is low but not very low, not extreme is neither very low nor
very high. They say where the grade is at least half its largest; "preferably" marks a grade that hardly falls below half.
Columns whose grade varies by less than a fifth are not mentioned.
`

func (d Description) writeRulesInWords(b *strings.Builder) {
	if d.Interpretability == nil {
		b.WriteString(d.whyNot() + "\n\n")
		d.writeRules(b)
		return
	}
	fmt.Fprintf(b, "%s is the mean of what %d rules say, weighted by how far their conditions hold.\n", label(d.Target, d.Unit), len(d.Rules))
	var idle []string
	idleShare := 0.0
	for _, r := range d.Rules {
		if r.idle() {
			idle = append(idle, strconv.Itoa(r.Number))
			idleShare += r.Share
			continue
		}
		fmt.Fprintf(b, "\nRule %d: %.1f%% of the firing, strongest for %d of %d samples\n", r.Number, 100*r.Share, r.Samples, d.Samples)
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
		for i, line := range d.then(r) {
			then := "    "
			if i == 0 {
				then = "THEN"
			}
			b.WriteString("  " + then + " " + line + "\n")
		}
		if r.Local != nil {
			d.writeLocal(b, r)
		}
	}
	if len(idle) > 0 {
		fmt.Fprintf(b, "\nNot shown, strongest for no sample, %.2g%% of the firing together: %s.\n", 100*idleShare, named("rule", idle))
	}
	b.WriteString("\n" + d.Interpretability.text() + "\n")
}

// named lists numbers: rule 3, or rules 3, 5.
func named(what string, numbers []string) string {
	if len(numbers) > 1 {
		what += "s"
	}
	return what + " " + strings.Join(numbers, ", ")
}

// idle reports whether a rule has next to no say in the training part.
func (r Rule) idle() bool { return r.Samples == 0 && r.Share < 0.01 }

// then writes a THEN formula in lines.
func (d Description) then(r Rule) []string {
	intercept, unit := near(r.Then.Intercept, d.spread), d.unit()
	if len(r.Terms) == 0 {
		return []string{plain(d.Target) + " is " + intercept + unit}
	}
	lines := []string{label(d.Target, d.Unit) + " =", "  " + intercept}
	if r.Local != nil && r.Local.Output != nil {
		lines[0] = plain(d.Target) + " is about " + near(*r.Local.Output, d.spread) + unit + "; the formula:"
	}
	large, small := divide(r.Terms)
	left, width := make([]string, len(large)), 0
	for i, t := range large {
		left[i] = t.product()
		width = max(width, len([]rune(left[i])))
	}
	for i, t := range large {
		lines = append(lines, strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, left[i], d.effect(t)), " "))
	}
	if len(small) > 0 {
		names := make([]string, len(small))
		for i, t := range small {
			names[i] = t.name()
		}
		lines = append(lines, fmt.Sprintf("  and less than %s%s each by %s", near(smallEffect*math.Abs(r.Terms[0].Effect), d.spread/10), unit, strings.Join(names, ", ")))
	}
	return lines
}

// unit is the target's unit after a blank, if it has one.
func (d Description) unit() string {
	if d.Unit == "" {
		return ""
	}
	return " " + plain(d.Unit)
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
	return fmt.Sprintf("(%s from %s to %s%s)", signed(t.Effect, d.spread), trimmed(near(t.From, t.spread)), trimmed(near(t.To, t.spread)), unit)
}

// writeLocal writes what was seen of a rule.
func (d Description) writeLocal(b *strings.Builder, r Rule) {
	if l := r.Local; l.RMSE != nil {
		fmt.Fprintf(b, "  RMSE where it is strongest: %s%s\n", near(*l.RMSE, d.spread/10), d.unit())
	}
	if e := r.Local.Nearest; e != nil {
		var values []string
		for _, c := range e.Values {
			if r.mentions(c.Column) {
				values = append(values, c.text())
			}
		}
		values = append(values, fmt.Sprintf("%s %s%s (predicted %s)", plain(d.Target), near(e.Target, d.spread/10), d.unit(), near(e.Predicted, d.spread/10)))
		fmt.Fprintf(b, "  Nearest sample: row %d, %s\n", e.Row, strings.Join(values, ", "))
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
