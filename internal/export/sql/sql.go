// Package sql writes a model as one SELECT that PostgreSQL 12, SQLite 3.35 with its mathematical
// functions, and DuckDB 1.2 or newer versions run unchanged.
//
// The query reads the table that [export.Options] names and returns a row for each of its rows, in no
// particular order, with these columns: the key, under its name; prediction; or for several
// targets one prediction_TARGET each; for several quantiles prediction, which is the one nearest
// to the median, and one prediction_qLEVEL each; for classes prediction, the name of the most
// probable one, and one probability_CLASS each. The prediction is NULL where a number is
// infinite, or 1e100 standard deviations or more from its mean in training.
//
// Names are quoted: upper and lower case count in PostgreSQL. A column of numbers has a numeric
// type or is text; NULL, NaN and the texts of [export.Missing] are missing, and the prediction is
// also NULL where another text is not a number. A category is compared as text, without
// [export.Blanks] around it; NULL and the same texts are missing.
//
// Each stage of the query, a materialised common table expression, has expressions of the columns
// of the stage before it: no expression is evaluated twice, nested deeply or grouped by the key,
// which need not be unique.
//
//	x  features             w  shares of the rules, which add up to one
//	z  z-scores             h  weights of the knots of curves
//	u  inputs of IF parts   y  outputs of the rules
//	l  levels, or their     p  responses
//	   logarithms           e, s, t  exponentials, sums and other intermediate values
//
// PostgreSQL raises an error where a number overflows, or underflows to zero. The bounds of each
// expression are therefore calculated, and where they allow either, a CASE avoids it.
package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// long is the length of a query that databases are slow to prepare.
const long = 200_000

func init() {
	export.Register(export.Target{Title: "sql", Meaning: "one SELECT for PostgreSQL, SQLite and DuckDB", File: "model.sql",
		Options: []string{export.OptionTable, export.OptionKey}, Writing: Write})
}

// Write writes the query.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Table == "" {
		return nil, &export.OptionError{Option: export.OptionTable, Message: "missing: name the table that the query reads"}
	}
	if o.Key == "" {
		return nil, &export.OptionError{Option: export.OptionKey,
			Message: "missing: name the column of the table that identifies its rows in the result"}
	}
	table, err := tableName(o.Table)
	if err != nil {
		return nil, err
	}
	names := results(f)
	// SQLite and DuckDB ignore case
	if slices.ContainsFunc(append(names, "prediction"), func(name string) bool { return strings.EqualFold(name, o.Key) }) {
		return nil, &export.OptionError{Option: export.OptionKey, Message: escape.Quote(o.Key) +
			" is the name of a column of the result: rename the column, in a view for example"}
	}
	q := &query{stages: map[string]int{}, numbers: map[string]int{}}
	far := farthestOf(f)
	final := q.predict(f, far, names)
	var b strings.Builder
	writeHeader(&b, f)
	prefix := stagePrefix(o.Table)
	b.WriteString("WITH ")
	features := writeCells(&b, prefix, f, table, o.Key)
	if most := q.write(&b, prefix, features, final); most > columnLimit {
		return nil, export.Refuse("sql",
			"a stage of the query has %d columns, and PostgreSQL allows 1664: train or prune the model to fewer rules and inputs, or export a "+
				"member of a committee", most)
	}
	fmt.Fprintf(&b, "\nSELECT id AS %s", identifier(o.Key))
	for _, column := range final {
		fmt.Fprintf(&b, ",\n  %s", column)
	}
	fmt.Fprintf(&b, "\nFROM %s%d;\n", prefix, len(q.full)-1)
	result := &export.Result{Files: []export.File{{Data: []byte(b.String())}}}
	if b.Len() > long {
		result.Notes = []string{"the query is long: SET jit = off in PostgreSQL and PRAGMA disable_optimizer in DuckDB make it start much faster"}
	}
	return result, nil
}

// predict adds the stages of a form, and returns the columns of the result after the key.
func (q *query) predict(f *export.Form, far []float64, names []string) []string {
	usable := q.usable(far)
	var responses [][]expr
	for k := range f.Members {
		responses = append(responses, q.member(&f.Members[k], far))
		q.first = len(q.full)
	}
	p := q.mean(f, responses)
	result := func(value, name string) string {
		return fmt.Sprintf("CASE WHEN %s = 1e0 THEN %s END AS %s", usable.text, value, identifier(name))
	}
	var all []string
	switch {
	case f.Kind == export.Classes:
		all = append(all, result(first(p, func(i int) string { return text(f.Outputs[i].Name) }), "prediction"))
	case f.Kind == export.Quantiles && len(p) > 1:
		all = append(all, result(p[f.Median()].text, "prediction"))
	}
	for j, v := range p {
		all = append(all, result(v.text, names[j]))
	}
	return all
}

// writeHeader writes comments about the model.
func writeHeader(b *strings.Builder, f *export.Form) {
	fmt.Fprintf(b, "-- Written by tskgraph %s for PostgreSQL, SQLite and DuckDB: predicts %s.\n-- Columns of the table:\n",
		buildinfo.Version, escape.Text(f.Target))
	for _, c := range f.Columns {
		fmt.Fprintf(b, "--   %s\n", escape.Text(c.Name))
	}
	for _, line := range f.Words() {
		fmt.Fprintf(b, "-- %s\n", line)
	}
}

// identifier quotes the name of a column.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// text quotes a text.
func text(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// tableName quotes the name of a table. A period separates it from its schema, unless it stands
// within double quotes, of which two stand for one.
func tableName(name string) (string, error) {
	var parts []string
	part, quoted := "", false
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' && quoted && strings.HasPrefix(name[i+1:], `"`):
			part += `"`
			i++
		case c == '"':
			quoted = !quoted
		case c == '.' && !quoted:
			parts, part = append(parts, part), ""
		default:
			part += string(c)
		}
	}
	parts = append(parts, part)
	for i, p := range parts {
		if p == "" || quoted {
			return "", &export.OptionError{Option: export.OptionTable,
				Message: "want the name of a table, or SCHEMA.TABLE; a name with a period stands in double quotes"}
		}
		parts[i] = identifier(p)
	}
	return strings.Join(parts, "."), nil
}

// results returns the names of the columns of outputs in the result, after that of the prediction,
// which only several targets do not have.
func results(f *export.Form) []string {
	var all []string
	for _, o := range f.Outputs {
		name := "prediction"
		switch {
		case f.Kind == export.Classes:
			name = "probability_" + o.Name
		case f.Kind == export.Quantiles && len(f.Outputs) > 1:
			name = "prediction_q" + strings.TrimSuffix(literal(o.Level), "e0")
		case len(f.Outputs) > 1:
			name = "prediction_" + o.Name
		}
		all = append(all, name)
	}
	return all
}

// stagePrefix returns a prefix of names of stages that is none of the table's name, which a
// stage of that name would hide.
func stagePrefix(table string) string {
	prefix := "tsk_"
	for strings.Contains(strings.ToLower(table), prefix) {
		prefix += "_"
	}
	return prefix
}
