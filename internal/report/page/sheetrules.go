package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// sheetRule is a rule in a sentence, with what is true of the rows that it decides.
type sheetRule struct {
	Name, Share, If, Then string

	rows int
}

// Limits of the sheet.
const (
	mostConditions = 4
	mostEffects    = 2
	effectRows     = 60  // rows of a rule that its effects are means over
	mostChanged    = 15  // columns, the most important, of which effects are measured
	mostLetters    = 120 // of a condition
)

// newSheetRules returns the rules that decide most rows of a part, as many as there is room for, and what to say of the others.
func newSheetRules(v *view, of *decisions, part Part, room float64) (all []sheetRule, cut string, err error) {
	set, lines, decided := v.RuleSets[0], 0.0, 0
	total, pages, alone := len(set.Shown)+len(set.Idle), v.Model.Pages, []string(nil)
	only := v.Confusion == nil && len(pages) == total // a formula each: of quantiles, that of the middle one
	for _, r := range set.Shown {
		var one sheetRule
		if _, c := of.place(r.Said.Numbers[0]); len(pages) > 1 && len(pages[c].Rules) == 1 {
			switch {
			case only && c == v.Model.Words().Start:
				one, err = newSheetRule(v, of, part, r)
			case v.Confusion == nil:
				alone = append(alone, brief(pages[c].Target))
				continue
			default:
				one, err = v.formula(part, c)
				one.Name = cutTo(r.Name(), 60)
			}
		} else {
			one, err = newSheetRule(v, of, part, r)
		}
		if err != nil {
			return nil, "", err
		}
		lines += 0.3 + linesOf(ruleLetters, one.Name+one.Share+one.If+one.Then+", of the rows: , then .")
		if lines > room-1 && all != nil {
			break
		}
		all, decided = append(all, one), decided+one.rows
	}
	if n := total - len(all) - len(alone); n > 0 && len(pages) > 1 {
		cut = fmt.Sprintf("These are %d of %d rules; the report has the others.", len(all), total)
	} else if n > 0 {
		cut = fmt.Sprintf("These are the %d of %d rules that decide %s of the rows; the report has the others.", len(all), total,
			percent(float64(decided)/float64(part.Len())))
	}
	if alone != nil {
		cut = strings.TrimSpace(cut + " By one formula for all rows: " + list(alone) + ".")
	}
	return all, cut, nil
}

func newSheetRule(v *view, of *decisions, part Part, r ruleShown) (s sheetRule, err error) {
	rows := of.rows(r.Said.Numbers)
	s = sheetRule{Name: r.Name(), rows: len(rows), Share: percentOf(len(rows), part.Len()), If: "always"}
	var conditions []string
	for _, c := range r.Said.If[:min(mostConditions, len(r.Said.If))] {
		conditions = append(conditions, cutTo(c, mostLetters))
	}
	switch {
	case len(conditions) > 0:
		if s.If = "if " + strings.Join(conditions, " and "); len(conditions) < len(r.Said.If) {
			s.If += ", with " + numeric.Counted(len(r.Said.If)-len(conditions), "further condition")
		}
	case r.Otherwise:
		s.If = "otherwise"
	}
	if len(rows) == 0 {
		s.Then = "it decides no row"
		return s, nil
	}
	if v.Model.Schema.Classes != nil {
		s.Then = fmt.Sprintf("%s is %s", brief(v.Target), of.variables[0].common(rows))
		return s, nil
	}
	low, high, mean := of.variables[0].middleHalf(rows)
	s.Then = fmt.Sprintf("%s is %s on average, for half of the rows %s to %s", brief(v.Target), v.amount(mean), threeDigits(low),
		v.amount(high))
	effects, err := v.effects(part, rows, v.Model.Words().Start)
	if effects != "" {
		s.Then += "; " + effects
	}
	return s, err
}

// formula says what the only rule of a class does: it gives the score of all rows.
func (v *view) formula(part Part, class int) (s sheetRule, err error) {
	rows := make([]int, part.Len())
	for n := range rows {
		rows[n] = n
	}
	effects, err := v.effects(part, rows, class)
	s = sheetRule{Share: percentOf(1, 1), If: "always", rows: len(rows),
		Then: fmt.Sprintf("the probability of %s is %s", brief(v.Model.Schema.Classes[class]), effects)}
	if effects == "" {
		s.Then = fmt.Sprintf("nothing alone moves the probability of %s", brief(v.Model.Schema.Classes[class]))
	}
	return s, err
}

// percentOf returns a part of a number as a whole percentage.
func percentOf(n, of int) string { return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(max(1, of))) }

// middleHalf returns the quartiles and the mean of the target of some rows.
func (v variable) middleHalf(rows []int) (low, high, mean float64) {
	y, weights := make([]float64, len(rows)), []float64(nil)
	for i, n := range rows {
		if y[i] = v.y[n]; v.weights != nil {
			weights = append(weights, v.weights[n])
		}
	}
	sorted := numeric.SortedByValue(y, weights)
	return numeric.Quantile(sorted, 0.25), numeric.Quantile(sorted, 0.75), numeric.WeightedMean(y, weights)
}

// effects says how an output of the model changes, on average over the rows that a rule decides, with the important columns that change it
// most: numbers from their lower to their upper tenth among these rows, categories from the most to the second most frequent.
func (v *view) effects(part Part, rows []int, output int) (string, error) {
	type effect struct {
		text   string
		change float64
	}
	var all []effect
	for _, i := range v.Importance[:min(mostChanged, len(v.Importance))] {
		c := v.content.Columns[i.Column]
		low, high, text := v.ends(part, rows, c)
		if text == "" {
			continue
		}
		before, err := v.meanAt(part, rows, c, low, output)
		if err != nil {
			return "", err
		}
		after, err := v.meanAt(part, rows, c, high, output)
		if err != nil {
			return "", err
		}
		change, more := after-before, "more"
		if change < 0 {
			change, more = -change, "less"
		}
		all = append(all, effect{fmt.Sprintf("%s %s %s", v.amount(change), more, text), change})
	}
	slices.SortStableFunc(all, func(a, b effect) int { return cmp.Compare(b.change, a.change) })
	var texts []string
	for _, e := range all[:min(mostEffects, len(all))] {
		if e.change > 0 {
			texts = append(texts, e.text)
		}
	}
	return strings.Join(texts, ", "), nil
}

// ends returns the cells of a column that an effect is between, and names them; no text if there are not two.
func (v *view) ends(part Part, rows []int, c inputColumn) (low, high float64, text string) {
	if c.Levels != nil {
		encoded, counts, order := v.encoding(c), make([]int, len(c.Levels)), make([]int, len(c.Levels))
		for _, n := range rows {
			if k := encoded.Level(part.X[n][c.Feature : c.Feature+c.Width]); k >= 0 {
				counts[k]++
			}
		}
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return counts[b] - counts[a] })
		if len(order) < 2 || counts[order[1]] < len(rows)/20+1 {
			return 0, 0, ""
		}
		return float64(order[0]), float64(order[1]),
			fmt.Sprintf("if %s is %s instead of %s", brief(c.Name), brief(c.Levels[order[1]]), brief(c.Levels[order[0]]))
	}
	values := make([]float64, 0, len(rows))
	for _, n := range rows {
		if x := part.X[n][c.Feature]; !math.IsNaN(x) {
			values = append(values, x)
		}
	}
	if len(values) == 0 {
		return 0, 0, ""
	}
	slices.Sort(values)
	low, high = values[len(values)/10], values[len(values)*9/10]
	from, to := value(numeric.Round(low, 4)), withUnit(value(numeric.Round(high, 4)), c.Unit)
	return low, high, fmt.Sprintf("as %s goes from %s to %s", brief(c.Name), from, to)
}

// meanAt returns the mean of an output for some rows with a column at a number or the index of a level.
func (v *view) meanAt(part Part, rows []int, c inputColumn, at float64, output int) (mean float64, err error) {
	var x [][]float64
	for _, i := range numeric.Some(len(rows), effectRows) {
		x = append(x, v.with(part.X[rows[i]], c, at))
	}
	p, err := v.Model.WithoutNeighbours().Predict(x)
	if err != nil {
		return 0, err
	}
	for _, y := range p.All()[output] {
		mean += y / float64(len(x))
	}
	return mean, nil
}

// encoding returns the column of the schema that an input is.
func (v *view) encoding(c inputColumn) data.Column {
	return v.Model.Schema.Columns[slices.IndexFunc(v.content.Columns, func(o inputColumn) bool { return o.Feature == c.Feature })]
}

// with returns a row with a column at a number or the index of a level.
func (v *view) with(row []float64, c inputColumn, at float64) []float64 {
	row = slices.Clone(row)
	of := row[c.Feature : c.Feature+c.Width]
	clear(of) // of a number, the second feature says that it is missing
	if of[0] = at; c.Levels != nil {
		copy(of, v.encoding(c).Values(int(at)))
	}
	return row
}
