package sql

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Limits of the query.
const (
	columnLimit = 1600 // PostgreSQL's limit is 1664, SQLite's 2000
	perStage    = 400  // columns that a stage adds
	longest     = 80   // characters of an expression that is written twice
	deepest     = 100  // nesting of an expression; SQLite's limit is 1000
)

// query is a chain of common table expressions, its stages: each computes columns of those of the
// stage before it. Stage 0 has the features.
type query struct {
	columns []column
	stages  map[string]int // stage of each column by its name
	full    []int          // number of columns that each stage adds
	numbers map[string]int // of columns by prefix
	first   int            // stage of the next columns, at least
}

// column is a column that a stage adds.
type column struct {
	name, text string
	stage      int
}

var names = regexp.MustCompile(`\b[a-z]+[0-9]+\b`)

// refs returns the columns in an expression.
func refs(text string) []string { return names.FindAllString(text, -1) }

// stageOf returns the first stage that can compute an expression.
func (q *query) stageOf(text string) int {
	stage := max(1, q.first)
	for _, name := range refs(text) {
		stage = max(stage, q.stages[name]+1)
	}
	return stage
}

// column returns an expression as a column, whose name is the prefix and a number.
func (q *query) column(prefix string, e expr) expr {
	stage := q.stageOf(e.text)
	for stage < len(q.full) && q.full[stage] >= perStage {
		stage++
	}
	for stage >= len(q.full) {
		q.full = append(q.full, 0)
	}
	q.full[stage]++
	q.numbers[prefix]++
	name := fmt.Sprint(prefix, q.numbers[prefix])
	q.stages[name] = stage
	q.columns = append(q.columns, column{name, e.typed(), stage})
	e.text, e.number, e.nesting = name, false, 0
	return e
}

// barrier keeps the number of columns that wait for others small: after many columns, the next ones
// are of later stages.
func (q *query) barrier() {
	added := 0
	for _, n := range q.full[min(q.first, len(q.full)):] {
		added += n
	}
	if added > perStage {
		q.first = len(q.full)
	}
}

// short returns an expression that can be written several times: a long one as a column.
func (q *query) short(e expr) expr {
	if len(e.text) > longest {
		return q.column("t", e)
	}
	return e
}

// shallow returns an expression that can be nested: a deep one as a column.
func (q *query) shallow(e expr) expr {
	if e.nesting > deepest {
		return q.column("t", e)
	}
	return e
}

// lastUses returns the last stage that reads each column, of the stages and the final texts.
func (q *query) lastUses(final []string) map[string]int {
	last := map[string]int{}
	for _, c := range q.columns {
		for _, name := range refs(c.text) {
			last[name] = max(last[name], c.stage)
		}
	}
	for _, text := range final {
		for _, name := range refs(text) {
			last[name] = len(q.full)
		}
	}
	return last
}

// write writes the stages after that of features, which the final texts read from the last one.
// It returns the largest number of columns of a stage.
func (q *query) write(b *strings.Builder, prefix string, features []string, final []string) (most int) {
	last := q.lastUses(final)
	live := slices.Clone(features)
	for stage := 1; stage < len(q.full); stage++ {
		fmt.Fprintf(b, ",\n%s%d AS MATERIALIZED (\n  SELECT id", prefix, stage)
		live = slices.DeleteFunc(live, func(name string) bool { return last[name] <= stage })
		if len(live) > 0 {
			fmt.Fprintf(b, ", %s", strings.Join(live, ", "))
		}
		for _, c := range q.columns {
			if c.stage == stage {
				fmt.Fprintf(b, ",\n    %s AS %s", c.text, c.name)
				live = append(live, c.name)
			}
		}
		fmt.Fprintf(b, "\n  FROM %s%d\n)", prefix, stage-1)
		most = max(most, 1+len(live))
	}
	return most
}

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
