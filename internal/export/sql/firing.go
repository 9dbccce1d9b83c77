package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// negligible is a share in the prediction that changes no number.
const negligible = 1e-130

// levels returns the levels [R] of the rules.
func (q *query) levels(m *export.Member, u []expr) []expr {
	var all []expr
	for _, rule := range m.Rules {
		q.barrier()
		var grades []expr
		for i, at := range rule.If {
			arguments := []expr{u[at]}
			for _, v := range rule.Params[i] {
				arguments = append(arguments, number(v))
			}
			grades = append(grades, q.program(m.Grade, arguments...))
		}
		level := q.join(m, grades)
		switch {
		case m.Weight != nil && m.LogSpace:
			level = q.program(m.Weight, level)
		case m.Weight != nil:
			level = q.short(level)
			weight := q.exp(q.program(m.Weight, q.log(level)))
			level = joined(fmt.Sprintf("(CASE WHEN %s < %s THEN 0e0 ELSE %s END)", level.text, literal(export.LeastLevel), weight.text), 0,
				weight.hi, weight.least, weight)
		}
		all = append(all, q.column("l", level))
	}
	return all
}

// join returns the level of a rule with grades: t-norms are associative, and a tree is less deep.
func (q *query) join(m *export.Member, grades []expr) expr {
	if len(grades) == 0 {
		return number(m.Start())
	}
	for len(grades) > 1 {
		var next []expr
		for pair := range slices.Chunk(grades, 2) {
			if len(pair) == 2 {
				pair[0] = q.shallow(q.program(m.Join, pair[0], pair[1]))
			}
			next = append(next, pair[0])
		}
		grades = next
	}
	return grades[0]
}

// shares returns the shares [R] of the rules in the prediction and the condition for their being
// any: "" for always.
func (q *query) shares(m *export.Member, levels []expr) (shares []expr, covered string) {
	if m.LogSpace {
		return q.softmax(levels, &covered), covered
	}
	total := q.column("s", q.sum(levels))
	covered = fmt.Sprintf("%s > %s", total.text, literal(export.MinFiring))
	for _, l := range levels {
		text := fmt.Sprintf("(CASE WHEN %s THEN CASE WHEN %s / %s >= %s THEN %[2]s / %[3]s ELSE 0e0 END ELSE 0e0 END)", covered, l.text,
			total.text, literal(negligible))
		shares = append(shares, q.column("w", joined(text, 0, 1, negligible)))
	}
	return shares, covered
}

// softmax returns the exponentials of values divided by their sum, and the condition for the
// largest value to be finite.
func (q *query) softmax(values []expr, finite *string) []expr {
	top := q.greatest(values)
	if top.lo <= -huge/10 {
		*finite = fmt.Sprintf("%s > %s", top.text, literal(-huge/10))
	}
	var powers []expr
	for _, v := range values {
		below := "(" + v.text + " - " + top.text + ")"
		text := fmt.Sprintf("(CASE WHEN %s < (-300e0) THEN 0e0 ELSE exp(%[1]s) END)", below)
		powers = append(powers, q.column("e", joined(text, 0, 1, negligible)))
	}
	total := q.column("s", q.sum(powers))
	var all []expr
	for _, e := range powers {
		all = append(all, q.column("w", joined("("+e.text+" / "+total.text+")", 0, 1, negligible)))
	}
	return all
}

// greatest returns the greatest of values, which are columns.
func (q *query) greatest(values []expr) expr {
	const width = 8
	for len(values) > 1 {
		var next []expr
		for len(values) > 0 {
			n := min(width, len(values))
			next, values = append(next, q.greatestOf(values[:n])), values[n:]
		}
		values = next
	}
	return values[0]
}

// greatestOf returns the greatest of a few columns as a column.
func (q *query) greatestOf(values []expr) expr {
	if len(values) == 1 {
		return values[0]
	}
	lo, hi := values[0].lo, values[0].hi
	for _, v := range values {
		lo, hi = max(lo, v.lo), max(hi, v.hi)
	}
	return q.column("t", joined("("+first(values, func(i int) string { return values[i].text })+")", lo, hi, 0))
}

// first returns a CASE of the result for the first of the greatest of values.
func first(values []expr, result func(i int) string) string {
	var b strings.Builder
	b.WriteString("CASE")
	for i, v := range values[:len(values)-1] {
		var tests []string
		for _, other := range values[i+1:] {
			tests = append(tests, v.text+" >= "+other.text)
		}
		fmt.Fprintf(&b, " WHEN %s THEN %s", strings.Join(tests, " AND "), result(i))
	}
	fmt.Fprintf(&b, " ELSE %s END", result(len(values)-1))
	return b.String()
}
