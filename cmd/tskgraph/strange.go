package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/report"
)

// addStrict adds the flag that refuses cells which readTable would fill in.
func addStrict(cmd *cobra.Command, strict *bool) {
	cmd.Flags().BoolVar(strict, "strict", false, "refuse a table with missing cells or categories unknown to the model")
}

// readTable reads a table for a model, of a large one a sample. If Lenient, missing cells and unknown categories are filled in and
// reported.
func readTable(cmd *cobra.Command, m *model.Model, path string, how data.Options) (*data.Dataset, error) {
	parts, err := loadTable(cmd, m, path, how)
	if err != nil {
		return nil, err
	}
	if w := parts.Test.Whole; w != nil {
		note(cmd.ErrOrStderr(), "%s: a random sample of %d of %d rows is read", escape.Text(path), parts.Test.Len(), w.Len())
	}
	return parts.Test.WithoutWhole(), parts.Close()
}

// loadTable is readTable of all rows of a table of any size, the test part.
func loadTable(cmd *cobra.Command, m *model.Model, path string, how data.Options) (*data.Parts, error) {
	parts, err := data.LoadAs(cmd.Context(), path, m.Schema, how)
	if err != nil {
		return nil, err
	}
	d := parts.Test
	noteCommas(cmd.ErrOrStderr(), path, d.Commas)
	noteWeightless(cmd.ErrOrStderr(), path, d)
	noteStrange(cmd.ErrOrStderr(), m.ImputeMeans, d.Missing)
	parts.Test = m.Fill(d)
	return parts, nil
}

// noteStrange reports the missing cells and unknown categories of a table, and the first of them. imputeMeans is that of the model.
func noteStrange(w io.Writer, imputeMeans bool, m data.Missing) {
	if m.First == "" {
		return
	}
	missing, unknown := report.StandIn(imputeMeans)
	var parts []string
	if m.Imputed > 0 {
		parts = append(parts, fmt.Sprintf("missing cells%s: %s", byColumn(m.Columns), missing))
	}
	if len(m.Unknown) > 0 {
		parts = append(parts, fmt.Sprintf("categories unknown to the model%s: read as %s", byColumn(m.Unknown), unknown))
	}
	if m.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("rows left out: %d", m.Dropped))
	}
	note(w, "%s; the first: %s", strings.Join(parts, "; "), m.First)
}

// strangeIn counts the missing cells and unknown categories of one row, as a Lenient reader encodes them.
func strangeIn(m *model.Model, x []float64, place string) data.Missing {
	row := data.Missing{Policy: "mean"}
	for _, c := range m.Schema.Columns {
		features := x[:c.Width()]
		x = x[c.Width():]
		column := map[string]int{c.Name: 1}
		switch {
		case c.Unused:
		case math.IsNaN(features[0]):
			what := "missing"
			if c.Encoding == data.Ordinal {
				what += ", or no known level"
			}
			row.Add(data.Missing{Cells: 1, Imputed: 1, Columns: column, First: fmt.Sprintf("%s: column %s: %s", place, escape.Quote(c.Name), what)})
		case c.Encoding == data.OneHot && !slices.Contains(features, 1):
			row.Add(data.Missing{Unknown: column, First: fmt.Sprintf("%s: column %s: no known category", place, escape.Quote(c.Name))})
		}
	}
	return row
}

// byColumn lists counts by column, in parentheses.
func byColumn(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", escape.Quote(name), counts[name]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
