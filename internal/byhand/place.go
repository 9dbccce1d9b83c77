package byhand

import (
	"math"
	"math/big"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// softness is the rise of the borders of a term in words, in standard deviations of its column, as
// of rules from a tree (model.softness). The flank has the grade 1/2 at the border.
const softness = 0.3

// gaussianHalf is the distance from the center at which a Gaussian with spread one has the grade 1/2.
var gaussianHalf = math.Sqrt(2 * math.Ln2)

// wide is the spread from which a function is flat, and the distance from which a border is open.
const wide = 1e100

// function is a membership function of an input.
type function struct {
	input  int
	params []float64
}

// place returns the functions of a term.
func place(in *inputs, t Term, shape membership.Function) ([]function, error) {
	g, err := in.lookup(t.Column, t.Line)
	if err != nil {
		return nil, err
	}
	wrong := func(want string) error {
		return Errorf(in.file, t.Line, 0, "%s of %s: %s", escape.Text(t.Name), escape.Text(t.Column), want)
	}
	switch {
	case g.column.Nominal() && t.Levels == nil:
		return nil, wrong("the column has levels: list those meant, such as [" + escape.Text(g.levels[0]) +
			"], or give parameters for an input, such as " + escape.Text(t.Column+"="+g.levels[0]))
	case g.column.Nominal():
		return placeLevels(in, t, g, shape)
	case t.Params != nil:
		return []function{{g.inputs[0], parameters(in, t, in.all[g.inputs[0]], shape)}}, nil
	case !g.column.Numbers() && t.Levels == nil:
		return nil, wrong("the column has levels: list those meant, such as [" + escape.Text(g.column.Levels[0]) + "]")
	case t.Levels != nil && g.column.Numbers():
		return nil, wrong(`the column has numbers: want "at most A", "at least A", "A to B" or "about A"`)
	}
	r := t.Range
	if t.Levels != nil {
		if r, err = ranks(in, t, g); err != nil {
			return nil, err
		}
	} else if r.Unit != "" && r.Unit != g.column.Unit {
		unit := "without a unit"
		if g.column.Unit != "" {
			unit = "in " + escape.Text(g.column.Unit)
		}
		return nil, wrong("the unit is " + escape.Quote(r.Unit) + ", but the column is " + unit)
	}
	p, ok := between(shape, in.all[g.inputs[0]], r)
	if !ok {
		return nil, wrong(shape.Name() + " cannot be placed by words: give its parameters")
	}
	return []function{{g.inputs[0], p}}, nil
}

// placeLevels returns functions that exclude the other levels: near one where their indicator is
// zero, and near zero where it is one.
func placeLevels(in *inputs, t Term, g group, shape membership.Function) ([]function, error) {
	if err := checkLevels(in, t, g.column.Levels); err != nil {
		return nil, err
	}
	var all []function
	for k, level := range g.levels {
		if slices.Contains(t.Levels, level) {
			continue
		}
		f := in.all[g.inputs[k]]
		zero, one := -f.Mean/f.SD, (1-f.Mean)/f.SD
		p := shape.Place(zero, softness*(one-zero))
		if s, ok := shape.(membership.Between); ok {
			p = s.Between(math.Inf(-1), (zero+one)/2, 2*gaussianHalf*softness*(one-zero)/4)
		}
		all = append(all, function{g.inputs[k], p})
	}
	return all, nil
}

// checkLevels checks the levels of a term.
func checkLevels(in *inputs, t Term, levels []string) error {
	for _, level := range t.Levels {
		if !slices.Contains(levels, level) {
			return Errorf(in.file, t.Line, 0, "%s has no level %s: it has %s%s", escape.Text(t.Column), escape.Quote(level), escape.List(levels),
				meant(level, levels))
		}
	}
	return nil
}

// ranks returns the range of the numbers of adjacent levels in order.
func ranks(in *inputs, t Term, g group) (*Range, error) {
	if err := checkLevels(in, t, g.column.Levels); err != nil {
		return nil, err
	}
	var at []int
	for i, level := range g.column.Levels {
		if slices.Contains(t.Levels, level) {
			at = append(at, i+1)
		}
	}
	first, last := at[0], at[len(at)-1]
	if last-first >= len(at) {
		return nil, Errorf(in.file, t.Line, 0, "%s of %s: the levels are not adjacent: a term of a column in order is one range of levels",
			escape.Text(t.Name), escape.Text(t.Column))
	}
	r := &Range{}
	if first > 1 {
		from := float64(first) - 0.5
		r.From = &from
	}
	if last < len(g.column.Levels) {
		to := float64(last) + 0.5
		r.To = &to
	}
	return r, nil
}

// parameters scales the parameters of a term for an input.
func parameters(in *inputs, t Term, f model.Feature, shape membership.Function) []float64 {
	own := in.own[f.Name]
	p, params := make([]float64, len(t.Params)), shape.Params()
	for j, v := range t.Params {
		switch {
		case isOpen(v):
			p[j] = openParams(shape)[j]
		case own.Power == nil && f.Power == nil:
			p[j] = scaled(f, params[j].Kind, v)
		case sameScale(own, f):
			p[j] = nearest(v)
		default:
			p[j] = transformed(own, f, params, t.Params, j)
		}
	}
	return p
}

// transformed converts parameter j from the scale of one feature, in units unless it has a Power,
// to that of another. A width is converted at the position that belongs to it.
func transformed(from, to model.Feature, params []membership.Param, values []*big.Rat, j int) float64 {
	at := func(u float64) float64 {
		if from.Power != nil {
			u = from.Unscaled(u)
		}
		return to.Antecedent((u - to.Mean) / to.SD)
	}
	v := nearest(values[j])
	if math.Abs(v) >= wide {
		return v
	}
	half := v
	switch params[j].Kind {
	case membership.Position:
		return at(v)
	case membership.Slope:
		half = 1 / v
	case membership.Spread:
	default:
		return v
	}
	center := nearest(values[positionOf(params, j)])
	half = math.Copysign(max(math.Abs(at(center+half)-at(center-half))/2, 1e-3), half)
	if params[j].Kind == membership.Slope {
		return 1 / half
	}
	return half
}

// positionOf returns the index of the position to which a width belongs: the one before it if the
// parameters begin with a position, else the one behind it.
func positionOf(params []membership.Param, j int) int {
	step := 1
	if params[0].Kind == membership.Position {
		step = -1
	}
	for i := j; i >= 0 && i < len(params); i += step {
		if params[i].Kind == membership.Position {
			return i
		}
	}
	return j
}

// between returns the parameters of a function with the grade 1/2 at the ends of a range; false if the
// shape has none. The spread of flanks is at most a quarter of what the range covers of the column's. Shapes
// without flat tops have their center at the lowest or highest values, save outliers, where the range
// of the term is open. "about A" ends half a standard deviation from A.
func between(shape membership.Function, f model.Feature, r *Range) ([]float64, bool) {
	at := func(v float64) float64 { return f.Antecedent((v - f.Mean) / f.SD) }
	low, high := math.Inf(-1), math.Inf(1)
	if r.From != nil {
		low = at(*r.From)
	}
	if r.To != nil {
		high = at(*r.To)
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	if s, ok := shape.(membership.Between); ok {
		width := min(high, max(at(f.Max), low+0.1)) - max(low, min(at(f.Min), high-0.1))
		return s.Between(low, high, min(2*gaussianHalf*softness, width/4)), true
	}
	if math.IsInf(low, 0) && math.IsInf(high, 0) {
		return shape.Place(0, wide*wide), true
	}
	center, half := float64((low+high)/2), (high-low)/2
	if r.From == nil {
		center = min(at(usual(f, outliers)), high-0.1)
		half = high - center
	} else if r.To == nil {
		center = max(at(usual(f, 1-outliers)), low+0.1)
		half = center - low
	}
	unit, ok := halfWidth(shape)
	return shape.Place(center, half/unit), ok
}

// outliers is the share of the training values at either end of a column that are outliers in words.
const outliers = 0.035

// usual returns a quantile of a feature; the end of the range of one without quantiles.
func usual(f model.Feature, share float64) float64 {
	switch {
	case f.Quantiles != nil:
		return f.Quantile(share)
	case share < 0.5:
		return f.Min
	}
	return f.Max
}

// halfWidth returns the distance from the center at which a function with spread one has half its
// grade there; false if there is none.
func halfWidth(shape membership.Function) (float64, bool) {
	p, g := shape.Place(0, 1), make([]float64, 2)
	share := func(x float64) float64 {
		shape.Grades(g, []float64{0, x}, p)
		return g[1] / g[0]
	}
	in, out := 0.0, 100.0
	if !(share(out) < 0.5) {
		return 1, false
	}
	for range 60 {
		if middle := float64((in + out) / 2); share(middle) >= 0.5 {
			in = middle
		} else {
			out = middle
		}
	}
	return in, true
}
