package pages

import (
	"cmp"
	"math"
	"slices"
)

const (
	mostMain    = 4    // terms of the leaf itself that scores of splits take into account
	mostOther   = 4    // terms whose slopes differ most between the sides of a split
	scoring     = 10   // all of them
	rowsToCheck = 1000 // rows that these differences are found on
)

// residuals are what the model of a node leaves of the target.
type residuals struct {
	rows     []int32     // some of the node's, of the matrix
	products [][]float64 // [whole terms][rows] of the residual and the term
	total    float64     // weight of all rows of the node
	spread   []float64   // [whole terms] variance of the term in the node
}

func (s *search) residuals(n *node) *residuals {
	r := &residuals{products: make([][]float64, len(s.whole)), spread: make([]float64, len(s.whole))}
	P, width := s.m.terms, s.m.width
	for _, row := range n.rows {
		root := s.m.x[int(row)*width+P]
		r.total += float64(root * root)
	}
	for _, i := range sample(len(n.rows), rowsToCheck) {
		r.rows = append(r.rows, n.rows[i])
	}
	left := make([]float64, len(r.rows))
	for i, row := range r.rows {
		x := s.m.x[int(row)*width:][:width]
		left[i] = x[P+1] - float64(n.fit.about*x[P])
		for k, t := range n.fit.terms {
			left[i] -= float64(n.fit.slopes[k] * x[t])
		}
	}
	for k, t := range s.whole {
		r.spread[k], r.products[k] = n.fit.spread[t]/r.total, make([]float64, len(left))
		for i, row := range r.rows {
			r.products[k][i] = left[i] * s.m.x[int(row)*width+t]
		}
	}
	return r
}

// interactions returns how much each whole term would explain if its slopes differed between the sides of the best split of column j, of a
// category between all levels.
func (r *residuals) interactions(s *search, j int) []float64 {
	c := &s.f.columns[j]
	gain, sum, count := make([]float64, len(s.whole)), make([]float64, c.bins), make([]float64, c.bins)
	all := float64(len(r.rows))
	for _, row := range r.rows {
		count[s.codes[j][row]]++
	}
	for k, products := range r.products {
		clear(sum)
		total := 0.0
		for i, row := range r.rows {
			sum[s.codes[j][row]] += products[i]
			total += products[i]
		}
		below, n := 0.0, 0.0
		for b, v := range sum {
			if c.isCategory() && !c.Ordered {
				gain[k] += float64(v*v) / (count[b] + 5)
				continue
			}
			below, n = below+v, n+count[b]
			if n >= 0.04*all && n <= 0.96*all {
				gain[k] = max(gain[k], float64(below*below)/n+float64((total-below)*(total-below))/(all-n))
			}
		}
		if r.spread[k] < leastSpread {
			gain[k] = 0
		}
		gain[k] /= max(r.spread[k], leastSpread)
	}
	return gain
}

// scoringTerms returns the terms that the scores of splits of n by column j take into account: those chosen, those with different slopes
// on the sides of a split, the column itself, and what else explains most; and which of them has the most different slopes, -1 if none.
func (s *search) scoringTerms(n *node, different []float64, j int) (terms []int, first int) {
	terms = slices.Concat(n.fit.terms, n.fit.also)
	terms = terms[:min(len(terms), mostMain)]
	add := func(k, most int) {
		if len(terms) < most && !slices.Contains(terms, k) {
			terms = append(terms, k)
		}
	}
	for _, t := range s.whole {
		if s.f.terms[t].column == j && s.f.terms[t].level < 0 {
			add(t, scoring)
		}
	}
	by := sample(len(s.whole), len(s.whole))
	slices.SortStableFunc(by, func(a, b int32) int { return cmp.Compare(different[b], different[a]) })
	most := len(terms) + mostOther
	for _, k := range by {
		if different[k] > 0 {
			add(s.whole[k], min(most, scoring))
		}
	}
	for len(terms) < scoring {
		best, top := -1, math.Inf(-1)
		for k, v := range n.fit.rest {
			if v > top && !slices.Contains(terms, k) {
				best, top = k, v
			}
		}
		if best < 0 || top <= 0 {
			break
		}
		terms = append(terms, best)
	}
	if len(by) == 0 || different[by[0]] <= 0 {
		return terms, -1
	}
	return terms, slices.Index(terms, s.whole[by[0]])
}
