package words

import (
	"math"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// Half is the range of values where a membership grade is at least 1/2; a null end is
// unbounded.
type Half struct {
	From *float64 `json:"from"`
	To   *float64 `json:"to"`
}

// antecedent describes a membership function of a feature.
func antecedent(shape membership.Function, p []float64, f model.Feature) Antecedent {
	a := Antecedent{Feature: f.Name}
	for j, param := range shape.Params() {
		open := membership.IsOpen(param, p[j])
		switch {
		case f.Power == nil:
			a.Parameters = append(a.Parameters, Parameter{param.Name, f.InUnits(p[j], param.Kind), open})
		case param.Kind == membership.Position:
			if v := f.Unscaled(p[j]); !math.IsInf(v, 0) {
				a.Parameters = append(a.Parameters, Parameter{param.Name, v, open})
			}
		}
	}
	if f.Power != nil {
		a.Half = half(shape, p, f)
		for j, param := range shape.Params() {
			a.Transformed = append(a.Transformed, Parameter{param.Name, p[j], membership.IsOpen(param, p[j])})
		}
	}
	return a
}

// half returns the range from the lowest to the highest value of a transformed feature whose
// grade is at least 1/2; nil if there is none.
func half(shape membership.Function, p []float64, f model.Feature) *Half {
	const reach, steps = 10, 4000 // in the antecedents' scale
	grade := func(u float64) float64 {
		g := []float64{u}
		shape.Grades(g, g, p)
		return g[0]
	}
	at := func(i int) float64 { return float64(reach * (2*float64(i)/steps - 1)) }
	first, last := -1, -1
	for i := range steps + 1 {
		if grade(at(i)) >= 0.5 {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return nil
	}
	// end returns the value between an inner and an outer point whose grade is 1/2.
	end := func(inner, outer int) *float64 {
		if outer < 0 || outer > steps {
			return nil
		}
		in, out := at(inner), at(outer)
		for range 40 {
			if middle := float64((in + out) / 2); grade(middle) >= 0.5 {
				in = middle
			} else {
				out = middle
			}
		}
		v := f.Unscaled(in)
		if math.IsInf(v, 0) {
			return nil
		}
		return &v
	}
	return &Half{end(first, first-1), end(last, last+1)}
}

// String returns the range in words.
func (h *Half) String() string {
	switch {
	case h.From == nil && h.To == nil:
		return "half or more everywhere"
	case h.From == nil:
		return "half or more up to " + number(*h.To)
	case h.To == nil:
		return "half or more from " + number(*h.From)
	}
	return "half or more from " + number(*h.From) + " to " + number(*h.To)
}
