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
	"math"
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
	usable := q.usable(f, far)
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
		buildinfo.Version, escape.Text(export.Labelled(f.Target, f.Unit)))
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

// writeCells writes the stages up to that of the features: the cells with their texts, the forms of
// the texts of numeric columns, and the features, NULL where a value is missing.
func writeCells(b *strings.Builder, prefix string, f *export.Form, table, key string) (features []string) {
	cells, forms, values := []string{"t." + identifier(key) + " AS id"}, []string{"id"}, []string{"id"}
	for i, c := range f.Columns {
		name := "t." + identifier(c.Name) // a name with a table is never read as a text by SQLite
		trimmed := "trim(CAST(" + name + " AS TEXT), w.blanks)"
		if c.Numbers() {
			cells = append(cells, fmt.Sprintf("%s AS c%d, lower(%s) AS s%[2]d", name, i+1, trimmed))
			forms = append(forms, fmt.Sprintf("c%d, s%[1]d, %s AS f%[1]d", i+1, form(fmt.Sprint("s", i+1))))
		} else {
			cells = append(cells, fmt.Sprintf("%s AS s%d", trimmed, i+1))
			forms = append(forms, fmt.Sprint("s", i+1))
		}
		for k, value := range columnFeatures(c, i+1) {
			features = append(features, fmt.Sprint("x", c.First+k+1))
			values = append(values, value+" AS "+features[len(features)-1])
		}
	}
	write := func(name string, columns []string, from string) {
		fmt.Fprintf(b, "%s AS MATERIALIZED (\n  SELECT %s\n  FROM %s\n)", name, strings.Join(columns, ",\n    "), from)
	}
	write(prefix+"cells", cells, table+" AS t CROSS JOIN (SELECT "+text(export.Blanks)+" AS blanks) AS w")
	b.WriteString(",\n")
	write(prefix+"forms", forms, prefix+"cells")
	b.WriteString(",\n")
	write(prefix+"0", values, prefix+"forms")
	return features
}

// form returns a text without its sign and with each run of digits as one zero.
func form(text string) string {
	text = fmt.Sprintf("CASE WHEN substr(%s, 1, 1) IN ('+', '-') THEN substr(%[1]s, 2) ELSE %[1]s END", text)
	for digit := '1'; digit <= '9'; digit++ {
		text = fmt.Sprintf("replace(%s, '%c', '0')", text, digit)
	}
	for range 7 { // each halves the runs: 2^7 digits
		text = fmt.Sprintf("replace(%s, '00', '0')", text)
	}
	return text
}

// The forms of numbers: without an exponent, with one, and with a negative one.
const (
	plainForms    = "'0', '0.', '.0', '0.0'"
	negativeForms = "'0e-0', '0.e-0', '.0e-0', '0.0e-0'"
	exponentForms = "'0e0', '0.e0', '.0e0', '0.0e0', '0e+0', '0.e+0', '.0e+0', '0.0e+0', " + negativeForms
)

// columnFeatures returns the features of column i. A text that is not a number is too far away for a prediction;
// so is a number of an exponent that might raise an error.
func columnFeatures(c export.Column, i int) []string {
	var quoted []string
	for _, mark := range export.Missing() {
		quoted = append(quoted, text(mark))
	}
	missing := strings.Join(quoted, ", ")
	if c.Numbers() {
		const digits = "substr(s%[1]d, length(rtrim(s%[1]d, '0123456789')) + 1)" // of the exponent
		exponent := fmt.Sprintf("ltrim("+digits+", '0')", i)
		number := fmt.Sprintf("CASE WHEN s%d IN (%[2]s) THEN NULL\n"+
			"      WHEN f%[1]d IN (%[3]s) OR f%[1]d IN (%[4]s) AND length(s%[1]d) < 60 AND (length(%[6]s) < 3 OR length(%[6]s) = 3 AND %[6]s < "+
			"'2')\n"+
			"      THEN CASE WHEN lower(CAST(c%[1]d AS TEXT)) = s%[1]d THEN CAST(c%[1]d AS DOUBLE PRECISION) ELSE CAST(s%[1]d AS DOUBLE "+
			"PRECISION) END\n"+
			"      WHEN f%[1]d IN (%[5]s) THEN 0e0\n"+
			"      WHEN s%[1]d IS NOT NULL THEN %[7]s END", i, missing, plainForms, exponentForms, negativeForms, exponent, literal(noNumber))
		if !c.Missing {
			return []string{number}
		}
		return []string{number, fmt.Sprintf("CASE WHEN s%d NOT IN (%s) THEN 0e0 END", i, missing)}
	}
	var all []string
	for feature, unknown := range c.Values(-1) {
		var b strings.Builder
		for k, level := range c.Levels {
			if v := c.Values(k)[feature]; v != unknown {
				fmt.Fprintf(&b, " WHEN %s THEN %s", text(level), literal(v))
			}
		}
		value := fmt.Sprintf("CASE s%d%s END", i, b.String())
		if !math.IsNaN(unknown) {
			value = fmt.Sprintf("CASE WHEN lower(s%d) NOT IN (%s) THEN CASE s%[1]d%[3]s ELSE %s END END", i, missing, b.String(), literal(unknown))
		}
		all = append(all, "CAST("+value+" AS DOUBLE PRECISION)")
	}
	return all
}
