package words

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// group is the inputs of the rules from one column: one input, or one per level.
type group struct {
	column data.Column
	first  int             // the column's first feature
	inputs []int           // of the rulebase
	from   []int           // index of the feature of each input
	seen   []model.Feature // feature of each input
	ranged bool            // conditions name the values by their borders alone
	known  trainingValues  // of a column of numbers
}

// groups returns the columns that a model without components uses. values are the distinct
// training values of each feature, nil if they are unknown.
func groups(m *model.Model, values [][]float64) []group {
	var all []group
	feature, input := 0, 0
	for _, c := range m.Schema.Parts() {
		g := group{column: c, first: feature, ranged: ranged(m.RuleBase)}
		f := m.Features[feature]
		distinct := slices.Compact(slices.Clone(f.Quantiles))
		if values != nil {
			distinct = values[feature]
		}
		g.known = newKnown(distinct, f.SD)
		g.known.all, g.known.strict, g.known.round = values != nil, g.ranged, isRounded(m)
		for range c.Width() {
			if f := m.Features[feature]; !f.Constant {
				g.inputs, g.from, g.seen = append(g.inputs, input), append(g.from, feature), append(g.seen, f)
				input++
			}
			feature++
		}
		if len(g.inputs) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// levelsOf returns the levels of a column, or the values of a column with few distinct numbers
// in n training samples (see [model.Feature.FewValues]); nil for any other column. Of the missing cells of numbers they are "missing" and
// "known".
func levelsOf(g group, n int) []columnLevel {
	var all []columnLevel
	f := g.seen[0]
	for k, name := range g.column.Levels {
		values := g.column.Values(k)
		place, seen := values[0], values[0] >= f.Min && values[0] <= f.Max
		if g.column.Nominal() {
			place, seen = float64(k), slices.Contains(g.from, g.first+k)
		}
		if !seen {
			continue
		}
		one := columnLevel{name: name, place: place}
		for _, feature := range g.from {
			one.features = append(one.features, values[feature-g.first])
		}
		all = append(all, one)
	}
	if g.column.Beside() {
		return append(all, columnLevel{name: "known", place: -1, features: []float64{0}})
	}
	if !g.column.Numbers() {
		return all
	}
	few := f.FewValues(n)
	occurring := few
	if g.known.all {
		occurring = f.Occurring(n, g.known.values)
	}
	for _, v := range occurring {
		_, frequent := slices.BinarySearch(few, v)
		all = append(all, columnLevel{exactly(v), v, []float64{v}, !frequent})
	}
	return all
}

// ranged reports whether conditions on numbers name the values by their borders alone, such as "at least 3.4": those of rules that divide
// the range of a column, because they come from a tree or their shape has borders.
func ranged(rb *rules.RuleBase) bool {
	_, bordered := rb.Shape.(membership.Bordered)
	return bordered || rb.Splits != nil
}

// borders returns the borders of the function of rule r on an input, in the feature's unit; nil if no training value is beyond. It returns
// false if the shape has no borders, or if training moved one across the other.
func borders(m *model.Model, r, input int, f model.Feature) (from, to *float64, ok bool) {
	shape, ok := m.RuleBase.Shape.(membership.Bordered)
	if !ok {
		return nil, nil, false
	}
	lower, upper := shape.Borders()
	params := m.RuleBase.Shape.Params()
	at := func(of []int) float64 {
		sum, n := 0.0, 0.0 // of the positions: the ends of a ramp have the border in their middle
		for _, j := range of {
			if params[j].Kind == membership.Position {
				sum, n = sum+m.RuleBase.Antecedents[j][r][input], n+1
			}
		}
		return f.Unscaled(sum / n)
	}
	low, high := at(lower), at(upper)
	if low > f.Min {
		from = &low
	}
	if high < f.Max {
		to = &high
	}
	return from, to, low < high
}

const (
	profilePoints = 100 // number of quantiles that represent the training values of a feature
	profileEdge   = 3   // number of these on either side that count as outliers

	// flatShare: a condition whose least grade is at least this share of its largest is nearly constant and has no words.
	flatShare = 0.8

	// slightShare replaces flatShare in a rule that has no other condition.
	slightShare = 0.95

	// coreShare: the words name the values whose grade is at least this share of the largest.
	coreShare = 0.5
)

// profile is the grades of a rule over the training values of a column, as shares of the
// largest one except outliers: a constant factor tells nothing about the column.
type profile struct {
	values []float64                 // ascending, in the column's unit; nil for levels
	shares []float64                 // grade of each value or level
	rare   []bool                    // whether each level is rare; nil for values
	logs   func(u []float64) float64 // sum of the logarithms of the grades, given the inputs of the IF parts
	top    float64                   // largest value of logs, except outliers
	scale  func(v float64) []float64 // inputs of the IF parts for a value

	from, to *float64 // see borders
	bordered bool
}

// newProfile returns the profile of rule r on the column g: on its levels or, without levels, on the quantiles of a column of numbers.
func newProfile(g group, m *model.Model, r int, levels []columnLevel) profile {
	var p profile
	var points [][]float64 // [.][inputs]
	for _, l := range levels {
		points, p.rare = append(points, l.features), append(p.rare, l.rare)
	}
	if !g.column.Nominal() {
		p.from, p.to, p.bordered = borders(m, r, g.inputs[0], g.seen[0])
	}
	edge := 0
	if levels == nil {
		edge = profileEdge
		whole := g.seen[0].Whole()
		for i := range profilePoints {
			v := g.seen[0].Quantile((float64(i) + 0.5) / profilePoints)
			if whole {
				v = math.Round(v)
			}
			p.values, points = append(p.values, v), append(points, []float64{v})
		}
	}
	params, grade := make([]float64, len(m.RuleBase.Antecedents)), make([]float64, 1)
	p.logs = func(u []float64) float64 {
		level := []float64{0}
		for _, i := range g.inputs {
			logGrades(m.RuleBase.Shape, m.RuleBase.Function(params, r, i), grade, u[i:i+1])
			joinLogs(m.RuleBase.TNorm, level, grade)
		}
		return level[0]
	}
	u := make([]float64, m.RuleBase.Features())
	see := func(values []float64) []float64 {
		for k, f := range g.seen {
			u[g.inputs[k]] = f.Antecedent((values[k] - f.Mean) / f.SD)
		}
		return u
	}
	var grades []float64
	for _, values := range points {
		grades = append(grades, p.logs(see(values)))
	}
	p.top = slices.Max(grades[edge : len(grades)-edge])
	if math.IsInf(p.top, -1) {
		p.top = slices.Max(grades)
	}
	p.scale = func(v float64) []float64 { return see([]float64{v}) }
	for _, values := range points {
		p.shares = append(p.shares, p.share(see(values)))
	}
	return p
}

// share returns the grade for the inputs u of the IF parts, as a share of the largest.
func (p profile) share(u []float64) float64 {
	if math.IsInf(p.top, -1) {
		return 0
	}
	return math.Exp(p.logs(u) - p.top)
}

// logGrades writes the logarithms of the grades of x to dst: minus infinity for a grade that is not a positive number.
func logGrades(shape membership.Function, p, dst, x []float64) {
	s, logSpace := shape.(membership.LogFunction)
	if logSpace {
		s.LogGrades(dst, x, p)
	} else {
		shape.Grades(dst, x, p)
	}
	for n, g := range dst {
		if !logSpace {
			g = math.Log(g)
		}
		if math.IsNaN(g) {
			g = math.Inf(-1)
		}
		dst[n] = g
	}
}

// joinLogs writes the logarithm of T(e^f[n], e^g[n]) to f[n].
func joinLogs(t inference.TNorm, f, g []float64) {
	if log, ok := inference.OrProduct(t).(inference.LogTNorm); ok {
		log.JoinLogs(f, g)
		return
	}
	for n := range f {
		level := []float64{math.Exp(f[n])}
		t.Join(level, []float64{math.Exp(g[n])})
		f[n] = math.Log(level[0])
	}
}

// least returns the least share, except outliers and rare levels.
func (p profile) least() float64 {
	if p.values == nil {
		least := 1.0
		for k, share := range p.shares {
			if !p.rare[k] {
				least = min(least, share)
			}
		}
		return least
	}
	return slices.Min(p.shares[profileEdge : len(p.shares)-profileEdge])
}

// within returns the levels within the borders of the function, and the others; none if it has no borders.
func (p profile) within(levels []columnLevel) (in, out []columnLevel) {
	if !p.bordered {
		return nil, nil
	}
	for _, l := range levels {
		if (p.from == nil || l.place >= *p.from) && (p.to == nil || l.place <= *p.to) {
			in = append(in, l)
		} else {
			out = append(out, l)
		}
	}
	return in, out
}

// core returns the first and the last of the values whose share is at least share; false if there is none.
func (p profile) core(share float64) (first, last int, ok bool) {
	first = -1
	for i, s := range p.shares {
		if s >= share {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	return first, last, first >= 0
}

// ends returns the bounds of a core in the column's unit; nil if only outliers lie beyond.
func (p profile) ends(first, last int, share float64) (from, to *float64) {
	end := func(in, out float64) *float64 {
		for range 40 {
			if middle := in + float64((out-in)/2); p.share(p.scale(middle)) >= share {
				in = middle
			} else {
				out = middle
			}
		}
		return &in
	}
	if first >= profileEdge {
		from = end(p.values[first], p.values[first-1])
	}
	if last < len(p.values)-profileEdge {
		to = end(p.values[last], p.values[last+1])
	}
	return from, to
}
