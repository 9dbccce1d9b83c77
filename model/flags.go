package model

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Flag says why to doubt the prediction of a sample.
type Flag struct {
	Kind   string `json:"kind"`             // outside, missing, unknown, limited or uncovered
	Column string `json:"column,omitempty"` // empty: it is about the prediction
	Cell   string `json:"cell,omitempty"`   // what the column has
}

// Kinds of flags.
const (
	flagOutside   = "outside"   // the training range, a number or a level
	flagMissing   = "missing"   // a cell, which is filled in unless the column has a value for it
	flagUnknown   = "unknown"   // a category that no training row has
	flagLimited   = "limited"   // a cell beyond the limits of its column, or the prediction
	flagUncovered = "uncovered" // the prediction: no rule covers the sample
)

// String returns the flag in words, such as "outside: landsize 433014", "missing: age" or "uncovered". A cell that is long or has a
// semicolon is quoted, and truncated after 40 characters.
func (f Flag) String() string {
	text := f.Kind
	if f.Column != "" {
		text += ": " + escape.Text(f.Column)
	}
	switch quoted := escape.Quote(f.Cell); {
	case strings.HasSuffix(quoted, "...") || strings.Contains(f.Cell, ";"): // long, or as a list of flags
		text += " " + quoted
	case f.Cell != "":
		text += " " + escape.Text(f.Cell)
	}
	return text
}

// flagText returns flags as the cell of a table.
func flagText(flags []Flag) string {
	var all []string
	for _, f := range flags {
		all = append(all, f.String())
	}
	return strings.Join(all, "; ")
}

// Flags returns the flags of the cells of a sample x [M], in the order of the columns, at most one for each. What is missing or unknown is
// in x as a Lenient [data.Reader] gives it, before it is filled in; cell returns the text that a column of Schema.Columns, from 0, was read
// from. Some flag is of the kind outside if and only if the sample counts in Predictions.OutOfRange.
func (p *Preprocessing) Flags(x []float64, cell func(column int) string) (flags []Flag) {
	at := 0
	for i, c := range p.Schema.Columns {
		features, own := p.Features[at:at+c.Width()], x[at:at+c.Width()]
		if at += c.Width(); c.Unused {
			continue
		}
		if kind, text := p.flag(c, features, own, func() string { return strings.TrimSpace(cell(i)) }); kind != "" {
			flags = append(flags, Flag{kind, c.Name, text})
		}
	}
	return flags
}

// flag returns the kind of the flag of a column, empty without one, and what the column has.
func (p *Preprocessing) flag(c data.Column, features []Feature, x []float64, cell func() string) (kind, text string) {
	level := c.Level(x)
	switch {
	case c.Misses(x):
		if text = cell(); c.Numbers() || p.missing(c.Name, text) || level >= 0 && text == c.Levels[level] {
			return flagMissing, ""
		}
		return flagUnknown, text
	case c.Nominal() && (level < 0 || features[level].Constant && features[level].Max == 0):
		return flagUnknown, cell()
	}
	for m, f := range features {
		if !f.Constant && (x[m] < f.Min || x[m] > f.Max) {
			return flagOutside, cell()
		}
	}
	if low, high := c.Limits.Ends(); x[0] == low || x[0] == high {
		if text = cell(); !equalNumber(text, x[0]) {
			return flagLimited, text
		}
	}
	return "", ""
}

// missing reports whether the text of a cell of a column says that it is missing.
func (p *Preprocessing) missing(column, text string) bool {
	texts, _ := p.Schema.NA.Marks(column)
	return table.IsMissing(text) || slices.Contains(texts, text)
}

// equalNumber reports whether a text is a number v, with either decimal mark.
func equalNumber(text string, v float64) bool {
	for _, parse := range []func(string) (float64, bool){table.ParseNumber, table.ParseComma} {
		if read, ok := parse(text); ok && read == v {
			return true
		}
	}
	return false
}

// Flags returns the flags of prediction n itself.
func (p Predictions) Flags(n int) (flags []Flag) {
	if p.how[n].uncovered {
		flags = append(flags, Flag{Kind: flagUncovered})
	}
	if p.how[n].limited {
		flags = append(flags, Flag{Kind: flagLimited})
	}
	return flags
}
