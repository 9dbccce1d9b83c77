package words

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// Tried has the other pages that training tried: of other samples of the rows, and of other sizes.
type Tried struct {
	Numbers int           `json:"numbers"`         // see [page.Page.Numbers]
	Moved   float64       `json:"moved,omitempty"` // see [page.Page]
	Rules   []*page.Again `json:"rules"`           // [R]; null: unknown
	Sizes   []page.Size   `json:"sizes"`           // ascending
	Measure string        `json:"measure"`         // of their errors, such as RMSE
	Lines   []string      `json:"lines"`           // what it says, a sentence or two each
}

// TriedFor returns what the training of a model tried beside its page; nil without a page, and if nothing is known.
func TriedFor(m *model.Model) *Tried {
	if m.Pages == nil {
		return nil
	}
	t := &Tried{Moved: m.Pages[0].Moved, Sizes: m.Pages[0].Sizes, Measure: measureOf(m.Pages[0])}
	for _, p := range m.Pages {
		t.Numbers += p.Numbers()
		for _, r := range p.Rules {
			t.Rules = append(t.Rules, r.Again)
		}
	}
	if t.Lines = triedLines(m.Pages); t.Lines == nil {
		return nil
	}
	return t
}

// measureOf returns the measure of the errors of the sizes of a page.
func measureOf(p *page.Page) string { return cmp.Or(p.Measure, "RMSE") }

// triedLines says what training tried beside pages.
func triedLines(pages []*page.Page) (lines []string) {
	for _, p := range pages {
		of := ""
		if len(pages) > 1 {
			of = " of " + plain(p.Target)
		}
		lines = append(lines, againLines(p, of)...)
	}
	return append(lines, sizeLines(pages)...)
}

// againLines says how far a page depends on the rows that were drawn; of is the suffix of rule names.
func againLines(p *page.Page, of string) (lines []string) {
	var rare []int
	for r, rule := range p.Rules {
		a := rule.Again
		if a == nil || rule.Conditions == nil {
			continue
		}
		if 2*a.Found < a.Samples {
			rare = append(rare, r+1)
		}
		lines = append(lines, fmt.Sprintf("Rule %d%s: found again in %d of %d samples%s", r+1, of, a.Found, a.Samples, bordersFound(p, rule)))
	}
	switch {
	case p.Moved > 0 && p.Class != "":
		lines = append(lines, fmt.Sprintf("With other rows, values of %s move by %s.", plain(p.Target), exactly(p.Moved)))
	case p.Moved > 0:
		lines = append(lines, fmt.Sprintf("With other rows, %s move by %s standard deviations of the target.",
			cmp.Or(strings.Replace(of, " of ", "predictions of ", 1), "predictions"), exactly(p.Moved)))
	}
	if rare != nil {
		name, depend, them := namedRules(rare), "depends", "it"
		if len(rare) > 1 {
			depend, them = "depend", "them"
		}
		lines = append(lines, fmt.Sprintf("R%s%s %s on the rows that were drawn: fewer than half of the samples have %s.", name[1:], of,
			depend, them))
	}
	return lines
}

// bordersFound says where the borders of a rule of a page are in the samples that have the rule.
func bordersFound(p *page.Page, rule page.Rule) string {
	var places []string
	borders := rule.Again.Borders
	for _, c := range rule.Conditions {
		for _, border := range []*page.Border{c.Above, c.AtMost} {
			if border == nil || len(borders) == 0 {
				continue
			}
			low, high, unit := borders[0][0], borders[0][1], pageColumn(p, c.Column).Unit
			borders = borders[1:]
			at := "at " + withUnit(exactly(low), unit)
			if low < high {
				at = "between " + exactly(low) + " and " + withUnit(exactly(high), unit)
			}
			places = append(places, plain(c.Column)+" "+at)
		}
	}
	switch len(places) {
	case 0:
		return ""
	case 1:
		return "; its border of " + places[0]
	}
	return "; its borders: " + strings.Join(places, ", ")
}

// sizesSaid are the limits of numbers on a page whose least errors are listed.
var sizesSaid = []int{20, 40, 60, 80}

// sizeLines says what pages of other sizes err in cross-validation; nothing of several pages, whose sizes count all together.
func sizeLines(pages []*page.Page) (lines []string) {
	if len(pages) > 1 {
		return nil
	}
	p := pages[0]
	of, ok := p.Size()
	if !ok {
		return nil
	}
	best := p.Sizes[len(p.Sizes)-1]
	error := func(s page.Size) string { return numeric.Grouped(numeric.Show(s.RMSE, 4)) }
	if best.RMSE < of.RMSE {
		more := numeric.Show(100*(of.RMSE/best.RMSE-1), 2)
		lines = append(lines, fmt.Sprintf("This page of %s errs %s%% more in cross-validation than the best page, of %d (%s %s and "+
			"%s).", numeric.Counted(of.Numbers, "number"), more, best.Numbers, measureOf(p), error(of), error(best)))
	} else {
		lines = append(lines, fmt.Sprintf("Of the pages compared in cross-validation, this one of %s errs least (%s %s).",
			numeric.Counted(of.Numbers, "number"), measureOf(p), error(of)))
	}
	var least []string
	last := 0
	for _, most := range sizesSaid {
		if s, ok := p.Within(most); ok && s.Numbers > last {
			last = s.Numbers
			least = append(least, fmt.Sprintf("%d: %s", min(most, max(best.Numbers, of.Numbers)), error(s)))
		}
	}
	if len(least) > 1 {
		lines = append(lines, "Least error by limit of numbers: "+strings.Join(least, ", ")+".")
		if p.Ramped() {
			lines = append(lines, "Pages of other sizes were compared without ramps, which may lower their errors, too.")
		}
	}
	return lines
}
