package sql

import (
	"fmt"
	"math"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

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
		return []string{fmt.Sprintf("CASE WHEN s%d IN (%[2]s) THEN NULL\n"+
			"      WHEN f%[1]d IN (%[3]s) OR f%[1]d IN (%[4]s) AND length(s%[1]d) < 60 AND (length(%[6]s) < 3 OR length(%[6]s) = 3 AND %[6]s < "+
			"'2')\n"+
			"      THEN CASE WHEN lower(CAST(c%[1]d AS TEXT)) = s%[1]d THEN CAST(c%[1]d AS DOUBLE PRECISION) ELSE CAST(s%[1]d AS DOUBLE "+
			"PRECISION) END\n"+
			"      WHEN f%[1]d IN (%[5]s) THEN 0e0\n"+
			"      WHEN s%[1]d IS NOT NULL THEN 1e308 END", i, missing, plainForms, exponentForms, negativeForms, exponent)}
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
