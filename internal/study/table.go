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

	Layout text.Table // for people; none without a Head
}

// CSV returns the table with a header. Numbers have all their digits; unknown values are empty.
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

// JSON returns the table as an array of objects, whose keys are in the order of the columns.
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
	shown := text.Table{Head: each(t.Layout.Head), Left: t.Layout.Left}
	for _, cells := range t.Layout.Rows {
		shown.Add(each(cells)...)
	}
	_, err := fmt.Fprintf(w, "%s\n%s", t.Caption, &shown)
	return err
}

// Markdown returns the caption and the layout.
func (t *Table) Markdown() string { return t.Caption + "\n\n" + t.Layout.Markdown() }

// each returns the texts, escaped for a terminal.
func each(texts []string) []string {
	to := make([]string, len(texts))
	for i, text := range texts {
		to[i] = escape.Text(text)
	}
	return to
}
