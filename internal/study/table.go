package study

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/report/text"
)

// Table is a table of a study: exact values for programs, and a layout for people.
type Table struct {
	Name    string // of its files, without the extension
	Caption string

	Columns []string // of the CSV file; the keys of the JSON objects
	Rows    [][]any  // string, int, float64, *float64 or nil, one per column

	Heads []string   // of the layout; empty: the table has no layout
	Words int        // number of left-aligned columns of text, the first ones
	Cells [][]string // of the layout
}

// CSV returns the table with a header. Numbers have all their digits; unknown values are
// empty.
func (t *Table) CSV() ([]byte, error) {
	records := [][]string{t.Columns}
	for _, row := range t.Rows {
		record := make([]string, len(row))
		for i, v := range row {
			record[i] = exact(v)
		}
		records = append(records, record)
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(records)
	return b.Bytes(), err
}

// exact formats a value of a row with all its digits.
func exact(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case *float64:
		if v == nil {
			return ""
		}
		return exact(*v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// JSON returns the table as an array of objects, whose keys are in the order of the
// columns.
func (t *Table) JSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("[")
	for i, row := range t.Rows {
		b.WriteString(strings.Repeat(",", min(i, 1)) + "\n  {")
		for j, v := range row {
			value, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("report: %s: %s: %w", t.Name, t.Columns[j], err)
			}
			fmt.Fprintf(&b, "%s%q: %s", strings.Repeat(", ", min(j, 1)), t.Columns[j], value)
		}
		b.WriteString("}")
	}
	b.WriteString("\n]\n")
	return b.Bytes(), nil
}

// Write writes the caption and the layout.
func (t *Table) Write(w io.Writer) error {
	var b strings.Builder
	table := text.NewTable(&b, t.Words)
	table.Header(each(t.Heads, escape.Text))
	for _, cells := range t.Cells {
		if err := table.Append(each(cells, escape.Text)); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\n%s", t.Caption, &b)
	return err
}

// Markdown returns the caption and the layout.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString(t.Caption + "\n\n")
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(each(t.Heads, escape.Markdown))
	rule := make([]string, len(t.Heads))
	for i := range rule {
		if rule[i] = "---:"; i < t.Words {
			rule[i] = "---"
		}
	}
	line(rule)
	for _, cells := range t.Cells {
		line(each(cells, escape.Markdown))
	}
	return b.String()
}

// each returns the escaped texts.
func each(texts []string, escaped func(string) string) []string {
	to := make([]string, len(texts))
	for i, text := range texts {
		to[i] = escaped(text)
	}
	return to
}
