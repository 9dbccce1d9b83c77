package fis

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// columns returns the columns of the inputs. The functions of a column with a transform become those
// of its shape.
func columns(s *system, used []use) ([]byhand.Column, error) {
	var all []byhand.Column
	seen := map[string]bool{}
	for i := range s.inputs {
		v := &s.inputs[i]
		if seen[v.feature()] {
			return nil, s.fault(v.line, "two inputs have the name %s", escape.Quote(v.feature()))
		}
		seen[v.feature()] = true
		c := byhand.Column{Name: v.name, Line: v.line}
		if v.column != nil {
			c.Name, c.Unit, c.Levels, c.Ordered = v.column.Name, v.column.Unit, v.column.Levels, v.column.Ordered
			if len(c.Levels) > 0 && !c.Ordered && !slices.Contains(c.Levels, v.column.Level) {
				return nil, s.fault(v.line, "the comment of %s says that it is one for %s, which is not a level of its column", escape.Quote(v.name), escape.Quote(v.column.Level))
			}
		}
		if c.Levels == nil {
			c.Range = v.limits()
			if v.column != nil && v.column.SD > 0 {
				c.Mean, c.SD = v.column.Mean, v.column.SD
			}
		}
		if err := transform(s, &c, v, used); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(all, func(have byhand.Column) bool { return have.Name == c.Name }) {
			all = append(all, c)
		}
	}
	return all, nil
}

const (
	powered  = "tskyj" // begins the names of functions of a transformed column
	ofScale  = 5       // their first parameters: lambda, mean, SD, and mean and SD of the column
	ofShapes = "tsk"   // begins the names of functions in the parameters of a shape
)

// transform sets the transform of a column by its functions, and removes it from them.
func transform(s *system, c *byhand.Column, v *variable, used []use) error {
	var scale []*big.Rat
	plain := false
	for _, u := range used {
		if u.variable != v {
			continue
		}
		f := u.function
		shape, ok := strings.CutPrefix(f.kind, powered)
		if !ok || len(f.params) < ofScale {
			plain = true
			continue
		}
		if shape == "mf" {
			shape = membership.Gaussian{}.Name() + shape
		}
		if scale == nil {
			scale = f.params[:ofScale]
		}
		if !slices.EqualFunc(scale, f.params[:ofScale], func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			return s.fault(f.line, "%s of %s has another transform than the function before it", escape.Quote(f.name), escape.Quote(v.name))
		}
		f.kind, f.params = ofShapes+shape, f.params[ofScale:]
	}
	if scale == nil {
		return nil
	}
	var at [ofScale]float64
	for i, p := range scale {
		at[i] = nearest(p)
	}
	if plain || at[2] <= 0 || at[4] <= 0 || c.Levels != nil {
		return s.fault(v.line, "%s has functions with a transform: all must have it, with positive standard deviations, and the column be one of numbers", escape.Quote(v.name))
	}
	c.Power, c.Mean, c.SD = &model.Power{Lambda: at[0], Mean: at[1], SD: at[2]}, at[3], at[4]
	return nil
}
