package sql

import "math"

// Sizes of sums: databases take time of the square of the length of an expression.
const (
	sumTerms = 32
	sumText  = 3000 // characters
)

// sum returns a sum of at least one expression. Parts of a long sum become columns.
func (q *query) sum(terms []expr) expr {
	for len(terms) > 1 {
		var next []expr
		for len(terms) > 0 {
			n, size := 0, 0
			for n < len(terms) && n < sumTerms && (n < 2 || size < sumText) {
				size += len(terms[n].text)
				n++
			}
			part := chain(terms[:n])
			if n < len(terms) && size > sumText/4 {
				part = q.column("t", part)
			}
			next, terms = append(next, part), terms[n:]
		}
		terms = next
	}
	return terms[0]
}

// solid returns a sum that is zero or large enough to be multiplied.
func (q *query) solid(terms []expr, constant float64) expr {
	if math.Abs(constant) < mite {
		constant = mite
	}
	if len(terms) == 0 {
		return number(constant)
	}
	return add(q.sum(terms), number(constant))
}
