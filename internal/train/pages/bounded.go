package pages

import (
	"math"
	"slices"
)

// bounded returns the weights of least squares for the products a [m+1][m+1] of the unknowns and the target, which is last, of which those
// with a sign are bounded by zero: 1 from below, -1 from above, and the sum of squared errors. It overwrites a.
//
// It takes in the bounded unknown that lowers the error most, and moves towards the minimum of those taken in until the first bound, which
// it takes out, as Lawson and Hanson do (Solving Least Squares Problems, 1974, algorithm 23.10).
func bounded(a []float64, sign []int) (w []float64, squares float64) {
	m := len(sign)
	width := m + 1
	w = make([]float64, m)
	own, stuck := make([]float64, m), make([]bool, m)
	for k, s := range sign {
		if own[k] = a[k*width+k]; s == 0 {
			sweep(a, width, k)
		}
	}
	for range 10 * width {
		if out := toward(a, w, sign); out >= 0 {
			sweep(a, width, out)
			continue
		}
		best, most := -1, 0.0
		for k, s := range sign {
			d, q := a[k*width+k], a[k*width+m]
			if s == 0 || stuck[k] || w[k] != 0 || !(d > 1e-9*own[k]) || !(float64(s)*q > 0) {
				continue
			}
			if g := float64(q*q) / d; g > most {
				best, most = k, g
			}
		}
		if best < 0 || !(most > 1e-12*math.Abs(a[m*width+m])) {
			break
		}
		stuck[best] = true // rounding may take it out again at once
		sweep(a, width, best)
		if z := a[best*width+m]; float64(sign[best])*z > 0 {
			clear(stuck)
		}
	}
	return w, a[m*width+m]
}

// toward moves w towards the weights of the unknowns that are swept in, to the first bound that is in the way, and returns the unknown
// whose bound it is; -1: none is.
func toward(a, w []float64, sign []int) (out int) {
	m := len(sign)
	width := m + 1
	in := func(k int) bool { return a[k*width+k] < 0 }
	step, out := 1.0, -1
	for k, s := range sign {
		if z := a[k*width+m]; in(k) && float64(s)*z < 0 {
			if at := w[k] / (w[k] - z); at < step || out < 0 {
				step, out = at, k
			}
		}
	}
	for k := range w {
		if in(k) {
			w[k] += float64(step * (a[k*width+m] - w[k]))
			if out < 0 {
				w[k] = a[k*width+m]
			}
		}
	}
	if out >= 0 {
		w[out] = 0
	}
	return out
}

// segments changes the unknowns first, ... of a, in ascending order ramps (u-k)+ from knots k, to the slopes between these knots.
func segments(a []float64, width int, unknowns []int) {
	for i := 0; i+1 < len(unknowns); i++ {
		k, next := unknowns[i], unknowns[i+1]
		for j := range width {
			a[k*width+j] -= a[next*width+j]
		}
		for j := range width {
			a[j*width+k] -= a[j*width+next]
		}
	}
}

// signs returns the sign of each unknown of the draft; nil: none is bounded. Those of ramps are of the slopes between knots.
func (d *draft) signs() []int {
	if !slices.ContainsFunc(d.f.columns, func(c column) bool { return c.Sign != 0 }) {
		return nil
	}
	all := make([]int, len(d.to))
	for l, leaf := range d.tree {
		for k, term := range leaf.terms {
			all[d.first[l]+1+k] = d.f.columns[d.f.terms[term].column].Sign
		}
	}
	for _, t := range d.tables {
		for range t.groups {
			all = append(all, d.f.columns[d.parts[t.part].column].Sign)
		}
	}
	return all
}

// boundWeights returns the weights of the unknowns in the model, with the signs of their columns.
func (s *solved) boundWeights(w []float64, signs []int) []float64 {
	a, width := s.equations()
	var in, bound []int
	for k := range w {
		if s.a[k*s.width+k] < 0 {
			in, bound = append(in, k), append(bound, signs[k])
		}
	}
	small, n := make([]float64, (len(in)+1)*(len(in)+1)), len(in)+1
	all := append(slices.Clone(in), width-1)
	for i, k := range all {
		for j, l := range all {
			small[i*n+j] = a[k*width+l]
		}
	}
	ramps := s.ramps(in)
	for _, of := range ramps {
		segments(small, n, of)
	}
	v, _ := bounded(small, bound)
	for _, of := range ramps {
		for i := len(of) - 1; i > 0; i-- {
			v[of[i]] -= v[of[i-1]]
		}
	}
	out := make([]float64, len(w))
	for i, k := range in {
		out[k] = v[i]
	}
	return out
}

// ramps returns the places among the unknowns in of those of each table whose column has a sign.
func (s *solved) ramps(in []int) (all [][]int) {
	for t, table := range s.tables {
		if s.f.columns[s.parts[table.part].column].Sign == 0 {
			continue
		}
		var of []int
		for i, k := range in {
			if at := s.place(t); k >= at && k < at+len(table.groups) {
				of = append(of, i)
			}
		}
		all = append(all, of)
	}
	return all
}

// satisfied reports whether weights have the signs of their columns.
func (s *solved) satisfied(w []float64, signs []int) bool {
	for k, v := range w[:len(s.to)] {
		if float64(signs[k])*v < 0 {
			return false
		}
	}
	for t, table := range s.tables {
		at, slope := s.place(t), 0.0
		for k := range table.groups {
			if slope += w[at+k]; float64(signs[at])*slope < 0 {
				return false
			}
		}
	}
	return true
}

// hold takes out of a solved draft the terms, and the lines of all rules, whose slopes have another sign than their column, one by one: the
// others may then change theirs.
func (s *solved) hold(c *counts, signs []int) {
	for signs != nil {
		worst, most := -1, 0.0
		try := func(k int) {
			d, w := s.a[k*s.width+k], s.a[k*s.width+s.width-1]
			if loss := -float64(w*w) / d; d < 0 && float64(signs[k])*w < 0 && loss > most {
				worst, most = k, loss
			}
		}
		for k := range s.to {
			try(k)
		}
		for t, line := range c.line {
			if line >= 0 && len(c.inner[t]) == 0 {
				try(line)
			}
		}
		if worst < 0 {
			return
		}
		sweep(s.a, s.width, worst)
		c.remove(s, worst)
	}
}

// boundGain returns how much of the squared error the table of a part with these functions takes, its slopes of one sign, by the equations
// a of all functions of the part.
func boundGain(a []float64, n int, functions []int, sign int) float64 {
	all := append(slices.Clone(functions), n-1)
	small, m := make([]float64, len(all)*len(all)), len(all)
	for i, k := range all {
		for j, l := range all {
			small[i*m+j] = a[k*n+l]
		}
	}
	of := make([]int, len(functions))
	for i := range of {
		of[i] = i
	}
	before := small[len(small)-1]
	segments(small, m, of)
	_, after := bounded(small, slices.Repeat([]int{sign}, len(functions)))
	return before - after
}
