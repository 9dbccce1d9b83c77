package membershiptest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tskgraph/tskgraph/membership"
)

// projected checks that projecting any finite parameters, with spreads and exponents at
// or above their least values, gives grades in [0, 1], that projecting twice changes
// nothing, and that parameters within the domain do not change.
func projected(f membership.Function, d draw) error {
	s, ok := f.(membership.Projector)
	if !ok {
		return nil
	}
	n := len(d.p)
	for _, p := range [][]float64{d.p, repeated(d.x[:1], n), repeated(d.x, n), repeated([]float64{1e300, -1e300, 0, 1e9}, n)} {
		p = d.floored(f, p)
		once := projection(s, p)
		if twice := projection(s, once); !slices.Equal(once, twice) {
			return fmt.Errorf("%v is projected to %v, again to %v", p, once, twice)
		}
		if err := within(f, d.x, once); err != nil {
			return fmt.Errorf("with projected parameters: %w", err)
		}
	}
	return inside(f, d.p)
}

// floored returns p with every value at or above the least one of its kind.
func (d draw) floored(f membership.Function, p []float64) []float64 {
	q := slices.Clone(p)
	for j, param := range f.Params() {
		q[j] = max(q[j], param.Kind.Least(0.1*d.spread))
	}
	return q
}

// projection returns a projected copy of the parameters.
func projection(s membership.Projector, p []float64) []float64 {
	q := slices.Clone(p)
	s.Project(columns(q))
	return q
}

// repeated returns n values, from the first again after the last.
func repeated(values []float64, n int) []float64 {
	return slices.Repeat(values, n/len(values)+1)[:n]
}

// inside checks that projection does not change p.
func inside(f membership.Function, p []float64) error {
	s, ok := f.(membership.Projector)
	if !ok {
		return nil
	}
	if q := projection(s, p); !slices.Equal(p, q) {
		return fmt.Errorf("%v is in the domain, but projected to %v", p, q)
	}
	return nil
}

// partitioned checks that a partition has as many functions as requested, in the domain
// and in increasing order, and that they cover the open range.
func partitioned(f membership.Function, d draw) error {
	s, ok := f.(membership.Partitioner)
	if !ok {
		return nil
	}
	low, high := d.center-d.spread, d.center+d.spread
	x := make([]float64, 99)
	for i := range x {
		x[i] = low + (high-low)*float64(i+1)/100
	}
	for n := 2; n <= 5; n++ {
		functions := s.Partition(low, high, n)
		if len(functions) != n {
			return fmt.Errorf("%d functions instead of %d", len(functions), n)
		}
		highest, before := make([]float64, len(x)), math.Inf(-1)
		for _, p := range functions {
			if err := inside(f, p); err != nil {
				return err
			}
			g := grades(f, x, p)
			mean := stat.Mean(x, g)
			if !(mean > before) {
				return fmt.Errorf("function %v lies at %v, the one before at %v", p, mean, before)
			}
			before = mean
			for i, v := range g {
				highest[i] = max(highest[i], v)
			}
		}
		if i := slices.IndexFunc(highest, func(v float64) bool { return !(v > 0) }); i >= 0 {
			return fmt.Errorf("no function of %d covers %v, from %v to %v", n, x[i], low, high)
		}
	}
	return nil
}
