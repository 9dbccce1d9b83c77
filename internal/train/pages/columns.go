package pages

import (
	"fmt"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/page"
)

// meet reports whether one rule may have all of these columns, by number.
func (f *frame) meet(columns ...int) bool { return meet(f.together, columns) }

func meet(groups [][]int, columns []int) bool {
	if groups == nil || !slices.ContainsFunc(columns, func(c int) bool { return c != columns[0] }) {
		return true
	}
	return slices.ContainsFunc(groups, func(group []int) bool {
		return !slices.ContainsFunc(columns, func(c int) bool { return !slices.Contains(group, c) })
	})
}

// exclude takes from the candidates of a leaf, whose conditions are on the columns of path, the terms of columns that its rule may not
// have.
func (m *matrix) exclude(l *sums, path []int) {
	if m.f.together == nil {
		return
	}
	columns := slices.Clone(path)
	for _, k := range l.chosen {
		columns = append(columns, m.f.terms[k].column)
	}
	for k, t := range m.f.terms {
		if !m.f.meet(append(slices.Clip(columns), t.column)...) {
			l.own[k] = -1
		}
	}
}

// allows returns an error that names the first rule or table of a page that has a column which the samples keep out of it.
func (s Samples) allows(pg *page.Page) error {
	number := func(name string) int {
		return slices.IndexFunc(s.Columns, func(c Column) bool { return c.Name == name })
	}
	then := func(where, name string) error {
		if j := number(name); j >= 0 && s.Columns[j].NoThen {
			return fmt.Errorf("%s: column %s may occur in conditions only (model.roles): remove it there", where, escape.Quote(name))
		}
		return nil
	}
	for r, rule := range pg.Rules {
		where := fmt.Sprintf("rule %d", r+1)
		var columns []int
		for _, c := range rule.Conditions {
			if j := number(c.Column); j >= 0 && s.Columns[j].NoIf {
				return fmt.Errorf("%s: column %s may not occur in a condition (model.roles, model.monotone): remove the condition", where,
					escape.Quote(c.Column))
			}
			columns = append(columns, number(c.Column))
		}
		for _, t := range rule.Terms {
			if err := then(where, t.Column); err != nil {
				return err
			}
			columns = append(columns, number(t.Column))
		}
		if !meet(s.Together, columns) {
			return fmt.Errorf("%s: its columns may not meet (model.interactions): divide it, or list them in one group", where)
		}
	}
	for _, t := range pg.Terms {
		if err := then("the terms of all rules", t.Column); err != nil {
			return err
		}
	}
	for _, t := range pg.Tables {
		where := "the table of " + escape.Quote(t.Column)
		if err := then(where, t.Column); err != nil {
			return err
		}
		if j := number(t.Column); j >= 0 && s.Columns[j].Sign != 0 && pg.Factors {
			return fmt.Errorf("%s: factors of a monotone column (model.monotone) may multiply values below zero: make tables summands", where)
		}
	}
	if pg.Factors && s.Together != nil {
		return fmt.Errorf("its tables are factors of all rules, whose columns meet (model.interactions): make them summands")
	}
	return nil
}

// Check returns an error that names the first part of a page that mentions a column which it may not, or that goes against the sign of one.
func (s Samples) Check(pg *page.Page) error {
	if err := s.allows(pg); err != nil {
		return err
	}
	sign := func(name string, levels bool) float64 { return float64(s.column(name, levels).Sign) }
	terms := slices.Clone(pg.Terms)
	for _, r := range pg.Rules {
		terms = append(terms, r.Terms...)
	}
	for _, t := range terms {
		if sign(t.Column, t.Level != "")*t.Slope < 0 {
			return fmt.Errorf("the slope %v of %s has the wrong sign", t.Slope, escape.Quote(t.Column))
		}
	}
	for _, t := range pg.Tables {
		for k := 1; k < len(t.Entries); k++ {
			if sign(t.Column, t.Groups != nil)*(t.Entries[k]-t.Entries[k-1]) < 0 {
				return fmt.Errorf("the table of %s goes the wrong way from entry %d to %d", escape.Quote(t.Column), k, k+1)
			}
		}
	}
	return nil
}
