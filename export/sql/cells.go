package sql

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/export"
)

// writeCells writes the stages up to that of the features: the cells with their texts, the forms of
// the texts of numeric columns, and the features, NULL where a value is missing.
func writeCells(b *strings.Builder, prefix string, f *export.Form, table, key string) (features []string) {
	cells, forms, values := []string{"t." + identifier(key) + " AS id"}, []string{"id"}, []string{"id"}
	for i, c := range f.Columns {
		name := "t." + identifier(c.Name) // a name with a table is never read as a text by SQLite
		text := "trim(CAST(" + name + " AS TEXT))"
		if c.Encoding == data.Numeric {
			cells = append(cells, fmt.Sprintf("%s AS c%d, lower(%s) AS s%[2]d", name, i+1, text))
			forms = append(forms, fmt.Sprintf("c%d, s%[1]d, %s AS f%[1]d", i+1, form(fmt.Sprint("s", i+1))))
		} else {
			cells = append(cells, fmt.Sprintf("%s AS s%d", text, i+1))
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
	write(prefix+"cells", cells, table+" AS t")
	b.WriteString(",\n")
	write(prefix+"forms", forms, prefix+"cells")
	b.WriteString(",\n")
	write(prefix+"0", values, prefix+"forms")
	return features
}

// form returns a text with each run of digits as one zero.
func form(text string) string {
	for digit := '1'; digit <= '9'; digit++ {
		text = fmt.Sprintf("replace(%s, '%c', '0')", text, digit)
	}
	for range 7 { // each halves the runs: 2^7 digits
		text = fmt.Sprintf("replace(%s, '00', '0')", text)
	}
	return text
}

// numberForms are the forms of unsigned numbers.
const numberForms = "'0', '0.', '.0', '0.0', '0e0', '0.e0', '.0e0', '0.0e0', '0e-0', '0.e-0', '.0e-0', '0.0e-0', '0e+0', '0.e+0', '.0e+0', '0.0e+0'"

// missingTexts are the texts that mark a missing value of a category, in lower case, as in tables that
// `tskgraph predict` reads.
const missingTexts = "'', '?', 'na', 'n/a', 'nan', 'null'"

// columnFeatures returns the features of column i.
func columnFeatures(c export.Column, i int) []string {
	switch c.Encoding {
	case data.Numeric:
		return []string{fmt.Sprintf("CASE WHEN CASE WHEN substr(f%d, 1, 1) IN ('+', '-') THEN substr(f%[1]d, 2) ELSE f%[1]d END IN (%s)\n"+
			"      THEN CAST(c%[1]d AS DOUBLE PRECISION)\n"+
			"      WHEN s%[1]d IN ('inf', '+inf', '-inf', 'infinity', '+infinity', '-infinity') THEN 1e308 END", i, numberForms)}
	case data.Ordinal:
		var b strings.Builder
		for k, level := range c.Levels {
			fmt.Fprintf(&b, " WHEN %s THEN %s", text(level), literal(float64(k+1)))
		}
		return []string{fmt.Sprintf("CAST(CASE s%d%s END AS DOUBLE PRECISION)", i, b.String())}
	}
	var all []string
	for _, level := range c.Levels {
		all = append(all, fmt.Sprintf("CAST(CASE WHEN lower(s%d) NOT IN (%s) THEN CASE s%[1]d WHEN %[3]s THEN 1e0 ELSE 0e0 END END AS DOUBLE PRECISION)", i, missingTexts, text(level)))
	}
	return all
}
