package pages

import (
	"math"
	"slices"
)

// version is a draft with some of its terms and knots.
type version struct {
	*draft
	w       []float64 // of the unknowns, zero of those that are taken out
	in      []bool
	numbers int // of the page

	factors [][]float64 // values of the tables at the points of their parts; nil: they are summands
}

// counts are the numbers on a page that an unknown and the tables need.
type counts struct {
	leaves int     // conditions, and what the rules say "about"
	terms  int     // in the model
	inner  [][]int // of each table the unknowns in the model: of numbers the knots, without the first ramp; of a category the groups
	line   []int   // of each table of numbers the unknown of the first ramp, -1: taken out, or a category
}

// path takes terms and knots out of a solved draft, each time the one whose loss per number on the page is least, and returns the first
// version within each of the budgets, which descend; nil where no version is.
func (s *solved) path(budgets []int) []*version {
	c, signs := s.counts(), s.signs()
	out := make([]*version, len(budgets))
	at := 0
	for {
		s.hold(&c, signs)
		n := s.numbers(&c)
		var v *version
		for at < len(budgets) && n <= budgets[at] && s.compiled(&c) <= mostRules {
			if v == nil {
				v = s.version(n)
			}
			out[at] = v
			at++
		}
		if at == len(budgets) {
			return out
		}
		k := s.cheapest(&c)
		if k < 0 {
			return out
		}
		sweep(s.a, s.width, k)
		c.remove(s, k)
	}
}

func (s *solved) version(numbers int) *version {
	v := &version{draft: s.draft, w: s.weights(), in: make([]bool, s.width-1), numbers: numbers}
	for k := range v.in {
		v.in[k] = s.a[k*s.width+k] < 0
	}
	if s.factored != nil {
		return v.withFactors()
	}
	return v
}

// counts counts what the solved draft has.
func (s *solved) counts() counts {
	c := counts{inner: make([][]int, len(s.tables)), line: make([]int, len(s.tables))}
	for l, leaf := range s.tree {
		c.leaves += 1 + s.f.conditionNumbers(leaf.path)
		for k := s.first[l] + 1; k < s.first[l+1]; k++ {
			if s.a[k*s.width+k] < 0 {
				c.terms++
			}
		}
	}
	at := len(s.to)
	for t, table := range s.tables {
		c.line[t] = -1
		for g := range table.groups {
			switch k := at + g; {
			case g == 0 && s.parts[table.part].knots != nil:
				c.line[t] = k
			case s.a[k*s.width+k] < 0:
				c.inner[t] = append(c.inner[t], k)
			}
		}
		at += len(table.groups)
	}
	return c
}

// conditionNumbers counts the numbers of the conditions that a path's sides amount to.
func (f *frame) conditionNumbers(path []side) (n int) {
	var seen [][2]int
	for _, s := range path {
		kind := [2]int{s.column, 0}
		if s.right && !f.columns[s.column].isCategory() {
			kind[1] = 1
		}
		if !slices.Contains(seen, kind) {
			seen = append(seen, kind)
		}
	}
	return len(seen)
}

// numbers counts the numbers on the page.
func (s *solved) numbers(c *counts) int {
	n := c.leaves + 2*c.terms
	for t := range s.tables {
		n += s.tableNumbers(c, t)
	}
	return n
}

// tableNumbers counts those of a table. A line, or one level, is a term of all rules.
func (s *solved) tableNumbers(c *counts, t int) int {
	inner := len(c.inner[t])
	switch {
	case s.factored != nil:
		return 2 * s.entries(c, t)
	case c.line[t] >= 0 && inner == 0:
		return 2
	case c.line[t] >= 0:
		return 2 * (inner + 2)
	case inner == 0:
		return 0
	case inner == 1 && s.single(c.inner[t][0]):
		return 2
	}
	return 2 * (inner + 1)
}

// entries counts the entries of a table of factors.
func (s *solved) entries(c *counts, t int) int {
	switch inner := len(c.inner[t]); {
	case c.line[t] >= 0:
		return inner + 2
	case inner > 0:
		return inner + 1
	}
	return 0
}

// compiled counts the rules that the page compiles to, if its tables are factors.
func (s *solved) compiled(c *counts) int {
	if s.factored == nil {
		return 0
	}
	n := len(s.tree)
	for t := range s.tables {
		n *= max(1, s.entries(c, t))
	}
	return n
}

// single reports whether an unknown of a table stands for one level.
func (s *solved) single(k int) bool {
	k -= len(s.to)
	for _, t := range s.tables {
		if k < len(t.groups) {
			return len(t.groups[k]) == 1
		}
		k -= len(t.groups)
	}
	return false
}

// cheapest returns the unknown that may be taken out at the least loss per number; -1 if none may.
func (s *solved) cheapest(c *counts) int {
	best, least := -1, math.Inf(1)
	try := func(k, saved int) {
		d := s.a[k*s.width+k]
		if d >= 0 || saved < 1 {
			return
		}
		w := s.a[k*s.width+s.width-1]
		if loss := -float64(w*w) / d / float64(saved); loss < least {
			best, least = k, loss
		}
	}
	many := s.compiled(c) > mostRules
	for l := range s.tree {
		for k := s.first[l] + 1; k < s.first[l+1] && !many; k++ {
			try(k, 2)
		}
	}
	for t := range s.tables {
		now := s.tableNumbers(c, t)
		if len(c.inner[t]) == 0 && c.line[t] >= 0 {
			try(c.line[t], now)
		}
		for i, k := range c.inner[t] {
			if s.borders(t, k) {
				continue
			}
			rest := *c
			rest.inner = slices.Clone(c.inner)
			rest.inner[t] = slices.Delete(slices.Clone(c.inner[t]), i, i+1)
			try(k, now-s.tableNumbers(&rest, t))
		}
	}
	return best
}

// remove notes that unknown k is taken out.
func (c *counts) remove(s *solved, k int) {
	if k < len(s.to) {
		c.terms--
		return
	}
	for t := range c.inner {
		if c.line[t] == k {
			c.line[t] = -1
		}
		if i := slices.Index(c.inner[t], k); i >= 0 {
			c.inner[t] = slices.Delete(c.inner[t], i, i+1)
		}
	}
}

// predict returns the value of the version at the rows of a frame with the same columns, of which parts have the places and leaf the
// leaves.
func (v *version) predict(f *frame, parts []part, leaf []int) []float64 {
	out := v.rulesAt(f, leaf)
	if v.factored != nil {
		for i := range out {
			value := out[i] + v.offset
			for t, values := range v.factors {
				value = float64(value * parts[v.tables[t].part].value(values, i))
			}
			out[i] = value - v.offset
		}
		return out
	}
	for t, table := range v.tables {
		points, p := v.points(t, v.w), &parts[table.part]
		for i := range out {
			out[i] += p.value(points, i)
		}
	}
	return out
}

// rulesAt returns the values of the rules alone.
func (v *version) rulesAt(f *frame, leaf []int) []float64 {
	out := make([]float64, f.n)
	for i, l := range leaf {
		at := v.first[l]
		sum := v.w[at]
		for k, term := range v.tree[l].terms {
			t := &f.terms[term]
			sum += float64(v.w[at+1+k] * t.standardised(&f.columns[t.column], i))
		}
		out[i] = sum
	}
	return out
}
