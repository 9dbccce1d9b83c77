package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/internal/escape"
)

// WriteTable writes the rules in words as a table for the terminal, a row per rule.
func (d Description) WriteTable(w io.Writer) error {
	return d.writeTables(w, func(d Description) (string, error) {
		var b strings.Builder
		table := newTable(&b, 3)
		table.Header([]string{"rule", "IF", "THEN"})
		for _, r := range d.Rules {
			head, conditions, then := d.row(r)
			if err := table.Append([]string{strings.Join(head, "\n"), strings.Join(conditions, "\n"), strings.Join(then, "\n")}); err != nil {
				return "", err
			}
		}
		err := table.Render()
		return b.String(), err
	})
}

// WriteMarkdown writes the same table in Markdown.
func (d Description) WriteMarkdown(w io.Writer) error {
	return d.writeTables(w, func(d Description) (string, error) {
		var b strings.Builder
		b.WriteString("| rule | IF | THEN |\n| --- | --- | --- |\n")
		for _, r := range d.Rules {
			head, conditions, then := d.row(r)
			for _, cell := range [][]string{head, conditions, then} {
				for i, line := range cell {
					cell[i] = escape.Markdown(strings.Join(strings.Fields(line), " "))
				}
				b.WriteString("| " + strings.Join(cell, "<br>") + " ")
			}
			b.WriteString("|\n")
		}
		return b.String(), nil
	})
}

// writeTables writes a table per rulebase, and what the words mean.
func (d Description) writeTables(w io.Writer, table func(Description) (string, error)) error {
	var b strings.Builder
	all := d.Members
	if len(all) == 0 {
		all = []Description{d}
	}
	for i, one := range all {
		if len(all) > 1 {
			fmt.Fprintf(&b, "Member %d of %d, %d rules\n\n", i+1, len(all), len(one.Rules))
		}
		text, err := table(one)
		if err != nil {
			return err
		}
		b.WriteString(text + "\n")
		if one.Interpretability == nil {
			b.WriteString(one.WhyNoWords() + "\n\n")
		} else {
			b.WriteString(one.Interpretability.String() + "\n\n")
		}
	}
	if all[0].Interpretability != nil {
		b.WriteString(Legend)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// row returns the lines of a rule's cells, in words, or else in numbers.
func (d Description) row(r Rule) (head, conditions, then []string) {
	head = []string{fmt.Sprint(r.Number), fmt.Sprintf("%.1f%%", 100*r.Share), fmt.Sprintf("%d samples", r.Samples)}
	if d.Interpretability == nil {
		for _, a := range r.If {
			conditions = append(conditions, a.subject()+" is "+a.grade(d.Membership))
		}
		return head, conditions, []string{label(d.Target, d.Unit) + " = " + r.Then.String()}
	}
	t := d.Text(r)
	for _, c := range t.If {
		conditions = append(conditions, c.String())
	}
	then = t.then()
	if len(conditions) == 0 {
		conditions = []string{"always"}
	}
	return head, conditions, then
}
