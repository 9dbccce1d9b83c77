package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
)

// Own has what is true of the rows of which a rule of a page has the largest grade: those that meet its IF part.
type Own struct {
	Rows   int     `json:"rows"`
	Mean   float64 `json:"mean"`   // of the target
	Lower  float64 `json:"lower"`  // quartile of the target
	Upper  float64 `json:"upper"`  // quartile of the target
	Within float64 `json:"within"` // the quantile of level 0.9 of the absolute errors

	// Counts are those of the targets in bins of equal width from From to To, the 1% and 99% quantiles of the targets of all
	// rows; those beyond are in the first and the last bin. A target of few whole numbers has a bin for each from From to To. Null if these
	// quantiles are equal.
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Counts []int   `json:"counts,omitempty"`

	Below *float64 `json:"below,omitempty"` // of a page of a quantile: the share of the rows that do not exceed it

	Effects []Effect `json:"effects"` // of the rule's terms, in their order
}

// Effect is the change of a term from From to To, the 5% and 95% quantiles of a column of numbers among the rows; of a level from
// the rows without it to those with it.
type Effect struct {
	Column string  `json:"column"`
	Level  string  `json:"level,omitempty"`
	Unit   string  `json:"unit,omitempty"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Change float64 `json:"change"`
	Total  float64 `json:"total"` // with the terms of all rules and the tables of the column, unless these are factors

	spread float64
}

// pictureBins is the number of bins of a picture.
const pictureBins = 40

// observePage sets Local of the rules of pages to what they are on their own rows.
func observePage(d *Description, m *model.Model, samples *data.Dataset) error {
	samples, err := samples.Weighed()
	if err != nil {
		return err
	}
	predicted, err := m.WithoutNeighbours().Predict(samples.X)
	if err != nil || samples.Len() == 0 {
		return err
	}
	all := predicted.All()
	first := len(all) - len(m.Pages) // of two classes the page is that of the second
	for c, pg := range m.Pages {
		rows := make([][]int, len(pg.Rules))
		for n, x := range samples.X {
			if r := strongestOf(pageGrades(pg, pageRow(m, pg, x))); r >= 0 {
				rows[r] = append(rows[r], n)
			}
		}
		of := *samples
		of.Y = m.Observed(samples, first+c)
		for r, one := range observed(pg, m, &of, all[first+c], rows) {
			if len(rows[r]) > 0 {
				e := example(m, samples, one.central)
				if e.Predicted, e.Firing = predicted.Values[one.central], 1; !d.Response.IsZero() {
					e.Response = responseOf(predicted, one.central)
				}
				one.Nearest = e
			}
			d.Rules[d.paged[c].before+r].Local = one.Local
		}
	}
	return nil
}

// ofRule is a rule of a page on its own rows.
type ofRule struct {
	*Local
	central int // the row nearest to the centre
}

// observed returns what the rules of a page are on their own rows; samples have the values of its output as targets, predicted are those of
// the model.
func observed(pg *page.Page, m *model.Model, samples *data.Dataset, predicted []float64, rows [][]int) (rules []ofRule) {
	all := numeric.SortedByValue(samples.Y, samples.Weights)
	low, high := numeric.Quantile(all, 0.01), numeric.Quantile(all, 0.99)
	if m.Schema.Classes != nil {
		low, high = 0, 0 // no picture
	}
	whole := !slices.ContainsFunc(all, func(v float64) bool { return v != math.Trunc(v) })
	for r := range pg.Rules {
		own := samples.Subset(rows[r])
		l := &Local{Samples: len(rows[r]), Own: &Own{Rows: len(rows[r]), From: low, To: high, Effects: effectsOf(m, pg, pg.Rules[r], own)}}
		rules = append(rules, ofRule{l, -1})
		if l.Samples == 0 {
			continue
		}
		var errors []float64
		squares, below := 0.0, 0.0
		for i, n := range rows[r] {
			e, w := math.Abs(predicted[n]-samples.Y[n]), numeric.WeightAt(own.Weights, i)
			errors = append(errors, e)
			if squares += float64(w * float64(e*e)); samples.Y[n] <= predicted[n] {
				below += w
			}
		}
		weight := numeric.WeightSum(own.Weights, own.Len())
		l.Own.measure(own, errors, whole)
		switch {
		case m.Ordered():
			l.Own.Below = numeric.OrNil(below / weight)
		case m.Schema.Classes == nil:
			l.RMSE = numeric.OrNil(math.Sqrt(squares / weight))
		}
		rules[r].central = rows[r][centralRow(m, pg, own)]
		l.Output = numeric.OrNil(l.Own.Mean)
	}
	return rules
}

// measure sets the figures of the target and of absolute errors on a rule's own rows; whole: all targets are whole numbers.
func (o *Own) measure(own *data.Dataset, errors []float64, whole bool) {
	y := numeric.SortedByValue(own.Y, own.Weights)
	o.Mean, o.Lower, o.Upper = numeric.WeightedMean(own.Y, own.Weights), numeric.Quantile(y, 0.25), numeric.Quantile(y, 0.75)
	o.Within = numeric.Quantile(numeric.SortedByValue(errors, own.Weights), 0.9)
	for i, v := range y {
		y[i] = min(max(v, o.From), o.To)
	}
	half, bins := 0.0, pictureBins
	if o.To-o.From < pictureBins && whole {
		half, bins = 0.5, int(o.To-o.From)+1
	}
	if o.From < o.To {
		o.Counts = numeric.Histogram(y, o.From-half, o.To+half, bins)
	}
}

// effectsOf returns the effects of the terms of a rule on its own rows.
func effectsOf(m *model.Model, pg *page.Page, rule page.Rule, own *data.Dataset) []Effect {
	all := []Effect{}
	for _, t := range rule.Terms {
		column, first := schemaColumn(m, t.Column, t.Level != "")
		e := Effect{Column: t.Column, Level: t.Level, Unit: column.Unit, To: 1, Change: t.Yes - t.No, spread: m.Features[first].SD}
		if t.Level == "" {
			e.From, e.To, e.Change = 0, 0, 0
			if values := numbersOf(m, own, first); len(values) > 0 {
				slices.Sort(values)
				e.From, e.To = numeric.Quantile(values, 0.05), numeric.Quantile(values, 0.95)
				e.Change = termChange(pg, t, e.From, e.To)
			}
		}
		e.Total = e.Change + sharedChange(pg, e)
		all = append(all, e)
	}
	return all
}

// sharedChange returns the change, over the range of an effect, of the terms of all rules and the tables of its column of numbers.
func sharedChange(p *page.Page, e Effect) float64 {
	if e.Level != "" {
		return 0
	}
	sum := 0.0
	for _, t := range p.Terms {
		if t.Column == e.Column {
			sum += termChange(p, t, e.From, e.To)
		}
	}
	for _, t := range p.Tables {
		if t.Column == e.Column && !p.Factors {
			c := pageColumn(p, t.Column)
			sum += t.Entry(c.Within(e.To), "") - t.Entry(c.Within(e.From), "")
		}
	}
	return sum
}

// numbersOf returns the values of a feature, with its mean for missing ones.
func numbersOf(m *model.Model, d *data.Dataset, feature int) []float64 {
	values := make([]float64, d.Len())
	for n, x := range d.X {
		if values[n] = x[feature]; math.IsNaN(values[n]) {
			values[n] = m.Features[feature].Mean
		}
	}
	return values
}

// centralRow returns the row nearest to the centre of some in the columns that the page mentions: by the sum of the squared
// distances to their means, in standard deviations of the training part.
func centralRow(m *model.Model, pg *page.Page, own *data.Dataset) int {
	distance := make([]float64, own.Len())
	for _, c := range pg.Columns {
		column, first := schemaColumn(m, c.Name, false)
		for k := range column.Width() {
			values, sd := numbersOf(m, own, first+k), m.Features[first+k].SD
			mean := numeric.WeightedMean(values, own.Weights)
			for n, v := range values {
				if d := (v - mean) / sd; sd > 0 {
					distance[n] += float64(d * d)
				}
			}
		}
	}
	return slices.Index(distance, slices.Min(distance))
}

// picture returns the counts as a line of blocks, the highest for the largest count; a bin without rows is blank.
func (o *Own) picture() string {
	blocks, largest := []rune("▁▂▃▄▅▆▇█"), max(1, slices.Max(append([]int{1}, o.Counts...)))
	var b strings.Builder
	for _, n := range o.Counts {
		if n == 0 {
			b.WriteRune(' ')
		} else {
			b.WriteRune(blocks[(n*len(blocks)-1)/largest])
		}
	}
	return b.String()
}

// effectOf returns the effect of a term in words, such as "-0.9 from 0 to 67"; empty for a level.
func (o *Output) effectOf(e Effect) string {
	if e.Level != "" {
		return ""
	}
	if e.From == e.To {
		return "none: it is " + withUnit(trimmed(near(e.From, e.spread)), e.Unit) + " for nearly all rows"
	}
	return fmt.Sprintf("%s from %s to %s", slight(e.Change, o.spread), trimmed(near(e.From, e.spread)),
		withUnit(trimmed(near(e.To, e.spread)), e.Unit))
}

// aboutRows returns lines on the rows that meet the IF part of a rule of a page, with the effects of its terms there if asked.
func (d Description) aboutRows(r Rule, withEffects bool) []string {
	rule, c, _ := d.rule(r)
	o, own := &d.of[c], r.Local.Own
	if own.Rows == 0 {
		return []string{"no row meets its IF part"}
	}
	amount := func(v float64) string { return near(v, o.spread) }
	var lines []string
	said := rule.Described() && (d.Pages[c].Class != "" || d.Pages[c].Below) // by the rule
	switch all := d.Response.Values; {
	case d.Response.Classes != nil && said:
	case d.Response.Classes != nil:
		lines = []string{fmt.Sprintf("%s is %s in %s of its %s", plain(d.Target), plain(all[len(all)-len(d.Pages)+c].Name), percent(own.Mean),
			numeric.Counted(own.Rows, "row"))}
	default:
		within := func(v float64) string { return near(v, min(o.spread, own.Upper-own.Lower)) }
		lines = []string{fmt.Sprintf("the middle half of its rows is from %s to %s", within(own.Lower), withUnit(within(own.Upper), o.Unit))}
		if !rule.Described() {
			lines[0] = fmt.Sprintf("%s, mean %s; %s; the page is within %s in 9 of 10", numeric.Counted(own.Rows, "row"), amount(own.Mean), lines[0],
				withUnit(near(own.Within, o.spread/10), o.Unit))
		}
	}
	if own.Below != nil && !said {
		lines = append(lines, percent(*own.Below)+" of its rows are at most the predicted quantile")
	}
	var effects []string
	for _, e := range own.Effects {
		own := e.Change
		e.Change = e.Total
		if text := o.effectOf(e); text != "" {
			if own != e.Total {
				text += fmt.Sprintf(" (%s by the rule's term, %s for all rules)", slight(own, o.spread), slight(e.Total-own, o.spread))
			}
			effects = append(effects, plain(e.Column)+": "+text)
		}
	}
	if effects != nil && withEffects {
		if d.Pages[c].Factors {
			effects[0] = "without the tables: " + effects[0]
		}
		lines = append(lines, strings.Join(effects, "; "))
	}
	if e := r.Local.Nearest; e != nil {
		var values []string
		for _, c := range e.Values {
			if mentions(*rule, c.Column) {
				values = append(values, c.text())
			}
		}
		lines = append(lines, fmt.Sprintf("nearest to its centre is row %d: %s", e.Row,
			strings.Join(append(values, d.Response.observed(e)...), ", ")))
	}
	return lines
}

// mentions reports whether a rule has a condition on a column, or a term of it.
func mentions(r page.Rule, column string) bool {
	return slices.ContainsFunc(r.Conditions, func(c page.Condition) bool { return c.Column == column }) ||
		slices.ContainsFunc(r.Terms, func(t page.Term) bool { return t.Column == column })
}
