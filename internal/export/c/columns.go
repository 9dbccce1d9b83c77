package c

import (
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
)

// maxLiteral is the number of bytes in a string that every C99 compiler takes.
const maxLiteral = 4095

// addColumns adds the entries of the columns.
func addColumns(s *source) error {
	var names []string
	for _, c := range s.form.Columns {
		names = append(names, c.Name)
	}
	for i, one := range identifiers("TSK_IN_", names) {
		c := s.form.Columns[i]
		e := entry{Name: s.convert.Replace(one), Comment: comment(withUnit(c.Name, c.Unit))}
		if c.Encoding == data.Numeric {
			e.Comment += fmt.Sprintf(": from %v to %v", c.Min, c.Max)
		} else {
			e.Comment += ": code of a level"
			s.Categories = true
			s.Unordered = s.Unordered || c.Encoding == data.OneHot
		}
		for k, level := range c.Levels {
			if len(level) > maxLiteral {
				return export.Refuse(name, "a level of column %s has more than %d bytes", c.Name, maxLiteral)
			}
			s.Cell = max(s.Cell, len(level)+2)
			if c.Encoding == data.Ordinal {
				k++
			}
			e.Codes = append(e.Codes, fmt.Sprintf("%d: %s", k, comment(level)))
		}
		s.Columns = append(s.Columns, e)
	}
	return nil
}

// addOutputs adds the entries of the outputs.
func addOutputs(s *source) {
	var names []string
	for _, o := range s.form.Outputs {
		if s.form.Kind == export.Quantiles {
			o.Name = o.Column // which has the level
		}
		names = append(names, o.Name)
	}
	for j, one := range identifiers("TSK_OUT_", names) {
		o := s.form.Outputs[j]
		text := withUnit(o.Name, o.Unit)
		switch s.form.Kind {
		case export.Classes:
			text = "probability of " + text
		case export.Quantiles:
			text = fmt.Sprintf("quantile %g of %s", o.Level, text)
		}
		s.Outputs = append(s.Outputs, entry{Name: s.convert.Replace(one), Comment: comment(text)})
	}
}

// withUnit returns a name with its unit.
func withUnit(name, unit string) string {
	if unit == "" {
		return name
	}
	return name + " [" + unit + "]"
}
