package fit

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/train/pages"
	"github.com/tskgraph/tskgraph/page"
)

// pageRamp is a border of a column, with different ends, that conditions share.
type pageRamp struct {
	*page.Border
	column    string
	unit      float64 // half its first width
	low, high float64 // the range of the column
}

// copied returns a copy of a page whose ramps with equal ends are one, and notes the ramps.
func (g *pageGraph) copied(pg *page.Page) *page.Page {
	next, first := *pg, len(g.ramps)
	next.Rules, next.Terms, next.Tables = slices.Clone(pg.Rules), slices.Clone(pg.Terms), slices.Clone(pg.Tables)
	for r := range next.Rules {
		rule := &next.Rules[r]
		rule.Conditions, rule.Terms = slices.Clone(rule.Conditions), slices.Clone(rule.Terms)
		for k := range rule.Conditions {
			c := &rule.Conditions[k]
			for _, b := range []**page.Border{&c.Above, &c.AtMost} {
				if *b != nil && (*b).From < (*b).To {
					*b = g.ramp(first, c.Column, **b)
				}
			}
		}
	}
	for t := range next.Tables {
		next.Tables[t].Entries = slices.Clone(next.Tables[t].Entries)
	}
	return &next
}

// ramp returns the one border of a page, whose ramps are those from first on, for its ramps with these ends.
func (g *pageGraph) ramp(first int, column string, b page.Border) *page.Border {
	for _, r := range g.ramps[first:] {
		if r.column == column && r.From == b.From && r.To == b.To {
			return r.Border
		}
	}
	half := float64((b.To - b.From) / 2)
	b.At = b.From + half
	g.ramps = append(g.ramps, &pageRamp{Border: &b, column: column, unit: half})
	return &b
}

// part moves the ends of ramps apart, into the range of their column, and those that overlap with another border of a rule off it.
func (g *pageGraph) part() {
	for _, r := range g.ramps {
		r.From = min(max(r.From, r.low), r.high-r.least())
		r.To = max(min(r.To, r.high), r.From+r.least())
	}
	g.meet(0.5)
}

// least returns the least width.
func (r *pageRamp) least() float64 { return r.unit / 5 }

// meet makes ramps that overlap with another border of a rule end there, of two ramps at this share of the overlap.
func (g *pageGraph) meet(share float64) {
	for _, pg := range g.pages {
		for _, rule := range pg.Rules {
			for _, c := range rule.Conditions {
				a, b := c.Above, c.AtMost
				if a == nil || b == nil || a.To <= b.From {
					continue
				}
				at := a.To + float64(share*(b.From-a.To))
				switch {
				case a.From == a.To:
					at = a.To
				case b.From == b.To || share == 1:
					at = b.From
				}
				for _, r := range g.ramps {
					switch r.Border {
					case a:
						r.From, r.To = min(r.From, at-r.least()), at
					case b:
						r.From, r.To = at, max(r.To, at+r.least())
					}
				}
			}
		}
	}
}

// rounded returns the pages with round ends of ramps.
func (g *pageGraph) rounded() []*page.Page {
	next := &pageGraph{}
	for _, pg := range g.pages {
		next.pages = append(next.pages, next.copied(pg))
	}
	for _, r := range next.ramps {
		*r.Border = pages.RoundRamp(r.From, r.To)
	}
	next.meet(1)
	for _, r := range next.ramps {
		r.At = min(max(r.At, r.From), r.To)
	}
	return next.pages
}
