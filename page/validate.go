package page

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Validate checks a page: its columns and levels are known, its numbers finite, borders, ramps and knots in order, and its rules are a
// partition: at every point the grades of the rules sum to one, and exactly one rule holds outside ramps. The error names a point at
// which no rule holds, or two do.
func (p *Page) Validate() error {
	if err := p.checkParts(); err != nil {
		return err
	}
	return newGrid(p).check()
}

// maxRules is the largest number of rules of a page.
const maxRules = 200

// checkParts checks all but the partition.
func (p *Page) checkParts() error {
	switch {
	case p.Target == "":
		return errors.New("the target has no name")
	case len(p.Rules) == 0:
		return errors.New("no rules: want Rule 1, and its IF and THEN parts")
	case len(p.Rules) > maxRules:
		return fmt.Errorf("%d rules: want at most %d", len(p.Rules), maxRules)
	case p.Class != "" && p.Below:
		return fmt.Errorf("the value is the score of the class %s, and a quantile", escape.Quote(p.Class))
	case p.Samples < 0 || !numeric.Finite(p.Low, p.High) || p.Low > p.High:
		return fmt.Errorf("values from %v to %v, of %d rows", p.Low, p.High, p.Samples)
	}
	columns := make(map[string]*Column, len(p.Columns))
	for i := range p.Columns {
		c := &p.Columns[i]
		if c.Name == "" || columns[c.Name] != nil {
			return fmt.Errorf("column %s: want a name of its own", escape.Quote(c.Name))
		}
		if columns[c.Name] = c; !numeric.Finite(c.Low, c.High) || c.Low > c.High {
			return fmt.Errorf("column %s: from %v to %v", escape.Quote(c.Name), c.Low, c.High)
		}
		if m := c.Missing; m != nil && (!numeric.Finite(m.Number) || m.Level != "" && !slices.Contains(c.Levels, m.Level)) {
			return fmt.Errorf("column %s: a missing cell counts as %v%s: want a number or a level", escape.Quote(c.Name), m.Number, m.Level)
		}
		if c.Own && c.Levels != nil {
			return fmt.Errorf("column %s: missing cells are a level beside numbers, but it has levels", escape.Quote(c.Name))
		}
	}
	for i := range p.Rules {
		if err := cmp.Or(p.Rules[i].check(columns), p.Rules[i].checkShare(p)); err != nil {
			return fmt.Errorf("rule %d: %w", i+1, err)
		}
	}
	for i := range p.Terms {
		if err := p.Terms[i].check(columns); err != nil {
			return fmt.Errorf("for all rules: %w", err)
		}
	}
	for i := range p.Tables {
		if err := p.Tables[i].check(columns); err != nil {
			return fmt.Errorf("table %s: %w", escape.Quote(p.Tables[i].Column), err)
		}
	}
	return p.checkFactors()
}

// checkFactors checks what tables that are factors need, see [Page].
func (p *Page) checkFactors() error {
	if p.Factors && p.Tables == nil {
		return errors.New("the value is times the factors of the tables, but there is no table")
	}
	for i, t := range p.Tables {
		if !p.Factors {
			break
		}
		fault := ""
		switch {
		case slices.ContainsFunc(t.Entries, func(v float64) bool { return v <= 0 }):
			fault = "want factors above 0"
		case slices.ContainsFunc(p.Tables[:i], func(o Table) bool { return o.Column == t.Column && (o.Knots == nil) == (t.Knots == nil) }):
			fault = "want one table of factors of a column"
		case !t.divides(p.Rules):
			fault = "a condition has a border between two entries: want it at an entry, without a ramp"
		}
		if fault != "" {
			return fmt.Errorf("table %s: %s", escape.Quote(t.Column), fault)
		}
	}
	return nil
}

// divides reports whether no border of rules on the column of a table, nor a part of its ramp, is between two knots.
func (t *Table) divides(rules []Rule) bool {
	for _, r := range rules {
		for _, c := range r.Conditions {
			for _, b := range []*Border{c.Above, c.AtMost} {
				for k := 1; c.Column == t.Column && b != nil && k < len(t.Knots); k++ {
					if t.Knots[k-1] < b.To && b.From < t.Knots[k] {
						return false
					}
				}
			}
		}
	}
	return true
}

// use returns the error of a column that a page does not have, or that is a category where numbers are wanted, or the reverse.
func use(columns map[string]*Column, name string, category bool, levels ...string) error {
	c := columns[name]
	switch {
	case c != nil && c.Own && category && slices.Equal(levels, []string{MissingLevel}):
		return nil
	case c == nil:
		return fmt.Errorf("the page has no column %s", escape.Quote(name))
	case category && c.Levels == nil:
		return fmt.Errorf("%s has numbers, not levels", escape.Quote(name))
	case !category && c.Levels != nil:
		return fmt.Errorf("%s has levels, not numbers", escape.Quote(name))
	}
	for i, level := range levels {
		if !slices.Contains(c.Levels, level) {
			return fmt.Errorf("%s has no level %s: it has %s", escape.Quote(name), escape.Quote(level), escape.List(c.Levels))
		}
		if slices.Contains(levels[:i], level) {
			return fmt.Errorf("%s: level %s twice", escape.Quote(name), escape.Quote(level))
		}
	}
	return nil
}

func (r *Rule) check(columns map[string]*Column) error {
	if !numeric.Finite(r.About, r.Mean, r.Within) || r.Rows < 0 || !(r.Percent >= 0 && r.Percent <= 100) {
		return fmt.Errorf("about %v, %d rows, mean %v, within %v, %v%%", r.About, r.Rows, r.Mean, r.Within, r.Percent)
	}
	for i, c := range r.Conditions {
		if err := c.check(columns); err != nil {
			return err
		}
		if c.Levels == nil && slices.ContainsFunc(r.Conditions[:i], func(o Condition) bool { return o.Column == c.Column && o.Levels == nil }) {
			return fmt.Errorf("two conditions on %s", escape.Quote(c.Column))
		}
	}
	for i, t := range r.Terms {
		if err := t.check(columns); err != nil {
			return err
		}
		if t.Level == "" && slices.ContainsFunc(r.Terms[:i], func(o Term) bool { return o.Column == t.Column && o.Level == "" }) {
			return fmt.Errorf("two terms per %s", escape.Quote(t.Column))
		}
	}
	return nil
}

// checkShare checks that the rule says what rules of such a page say about their rows.
func (r *Rule) checkShare(p *Page) error {
	mean, within, percent := r.Mean != 0, r.Within != 0, r.Percent != 0
	if (mean || within) && p.Class != "" || within && p.Below || percent && p.Class == "" && !p.Below || percent && r.Rows == 0 {
		return fmt.Errorf("%d rows, mean %v, within %v, %v%%: want the share of a class, or the mean, and the share below a quantile or the "+
			"error", r.Rows, r.Mean, r.Within, r.Percent)
	}
	return nil
}

func (c *Condition) check(columns map[string]*Column) error {
	numbers := c.Above != nil || c.AtMost != nil
	if numbers == (len(c.Levels) > 0) || numbers && c.Not {
		return fmt.Errorf("condition on %s: want borders, or levels", escape.Quote(c.Column))
	}
	for _, b := range []*Border{c.Above, c.AtMost} {
		if b != nil && (!numeric.Finite(b.At, b.From, b.To) || !(b.From <= b.At && b.At <= b.To)) {
			return fmt.Errorf("condition on %s: a border at %v, from %v to %v in proportion", escape.Quote(c.Column), b.At, b.From, b.To)
		}
	}
	if a, b := c.Above, c.AtMost; a != nil && b != nil && (a.To > b.From || a.At >= b.At) {
		return fmt.Errorf("condition on %s: above %v (up to %v in proportion) and at most %v (from %v): want the second after the first",
			escape.Quote(c.Column), a.At, a.To, b.At, b.From)
	}
	return use(columns, c.Column, !numbers, c.Levels...)
}

func (t *Term) check(columns map[string]*Column) error {
	if !numeric.Finite(t.Slope, t.At, t.Yes, t.No) {
		return fmt.Errorf("term of %s: want finite numbers", escape.Quote(t.Column))
	}
	for _, end := range []*float64{t.From, t.To} {
		if end != nil && !numeric.Finite(*end) || t.Level != "" && end != nil {
			return fmt.Errorf("term of %s: want a finite number from which or up to which it holds", escape.Quote(t.Column))
		}
	}
	if t.From != nil && t.To != nil && !(*t.From < *t.To) {
		return fmt.Errorf("term of %s: from %v up to %v", escape.Quote(t.Column), *t.From, *t.To)
	}
	if t.Level == "" {
		return use(columns, t.Column, false)
	}
	return use(columns, t.Column, true, t.Level)
}

func (t *Table) check(columns map[string]*Column) error {
	if !numeric.Finite(t.Entries...) || !numeric.Finite(t.Knots...) {
		return errors.New("want finite numbers")
	}
	if t.Knots != nil {
		if len(t.Groups) > 0 || len(t.Knots) < 2 || len(t.Entries) != len(t.Knots) {
			return errors.New("want two entries or more, each at a number")
		}
		for k, v := range t.Knots[1:] {
			if !(t.Knots[k] < v) {
				return fmt.Errorf("an entry at %v after one at %v: want them ascending", v, t.Knots[k])
			}
		}
		return use(columns, t.Column, false)
	}
	if len(t.Groups) == 0 || len(t.Entries) != len(t.Groups)+1 {
		return errors.New("want entries for levels, and one for all others")
	}
	for _, levels := range t.Groups {
		if len(levels) == 0 {
			return errors.New("an entry for no level")
		}
	}
	return use(columns, t.Column, true, slices.Concat(t.Groups...)...)
}
