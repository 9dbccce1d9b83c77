package predicting

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// Note prints a note, which is no part of the results.
func Note(w io.Writer, format string, a ...any) { fmt.Fprintf(w, "note: "+format+"\n", a...) }

// NoteCommas reports which columns of a table were read with decimal commas.
func NoteCommas(w io.Writer, table string, columns []string) {
	if len(columns) > 0 {
		Note(w, "%s: numbers with a decimal comma in %s", escape.Text(table), escape.List(columns))
	}
}

// NoteWeightless reports how many rows of a table have weight zero.
func NoteWeightless(w io.Writer, table string, d *data.Dataset) {
	if d.Weightless > 0 {
		Note(w, "%s: rows of weight zero in %s: %d; they are left out", escape.Text(table), escape.Quote(d.Schema.Weight), d.Weightless)
	}
}

// NoteTables reports what was found in the tables of the parts of a source.
func NoteTables(w io.Writer, s *data.Source, parts *data.Parts) {
	NoteCommas(w, s.Path, parts.Train.Commas)
	NoteWeightless(w, s.Path, parts.Train)
	if s.TestPath != "" {
		NoteCommas(w, s.TestPath, parts.Test.Commas)
		NoteWeightless(w, s.TestPath, parts.Test)
	}
}

// NoteStrange reports the missing cells and unknown categories of a table, and the first of them. imputeMeans is that of the model.
func NoteStrange(w io.Writer, imputeMeans bool, m data.Missing) {
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
	Note(w, "%s; the first: %s", strings.Join(parts, "; "), m.First)
}

// byColumn lists counts by column, in parentheses.
func byColumn(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", escape.Quote(name), counts[name]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Summary returns the counts of predictions as a line of text.
func Summary(c model.TableCounts) string {
	rows := "rows"
	if c.Rows == 1 {
		rows = "row"
	}
	return fmt.Sprintf("%d %s predicted; %d outside the training range, %d that no rule covers, %d limited", c.Rows, rows, c.OutOfRange, c.Uncovered, c.Limited)
}
