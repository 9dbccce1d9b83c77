// Package xlsx writes a model as a workbook for Excel and LibreOffice: a sheet that predicts from typed
// inputs, the rules in words, and a sheet for each member that calculates its response step by step,
// a formula of a few cells each.
//
// An empty input is missing, [export.Blanks] around a text do not count, and so is a category of an ordinal column that
// training did not have. Instead of a prediction the workbook says so where an input of numbers is a text, TRUE or FALSE. Texts of
// tables are written as texts, never as formulas. LibreOffice and Excel calculate with 64 bits, and both round
// differences to zero where 48 bits or more agree: predictions differ by about 1e-12 of the target's range.
package xlsx

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/xuri/excelize/v2"
)

func init() {
	export.Register(export.Target{Title: "excel", Meaning: "an .xlsx workbook that predicts from typed inputs by formulas",
		File: "model.xlsx", Writing: Write})
}

// Sizes of a workbook.
const (
	mostColumns = 16_000  // Excel has 16384
	mostCells   = 500_000 // of conditions and weights, for a workbook that opens in seconds
)

// Write writes the workbook.
func Write(f *export.Form, _ export.Options) (*export.Result, error) {
	cells := 0
	for _, m := range f.Members {
		if columns := len(m.Rules) * m.Outputs; columns > mostColumns {
			return nil, export.Refuse("excel", "the rules have %d outputs, and a sheet %d columns: train or prune the model to fewer rules",
				columns, mostColumns)
		}
		for _, r := range m.Rules {
			cells += len(r.If)*(len(m.Grade.Steps)+len(m.Join.Steps)+m.Parameters+4) + len(r.Weights)*len(r.Weights[0])
		}
	}
	if cells > mostCells {
		return nil, export.Refuse("excel",
			"the workbook would have about %d cells of conditions and weights, and %d are the most: train or prune the model to fewer rules, "+
				"or export a member of a committee", cells, mostCells)
	}
	w, err := newWorkbook(f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.file.Close() }() // of a file in memory
	if err := w.write(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := w.file.Write(&b); err != nil {
		return nil, err
	}
	return &export.Result{Files: []export.File{{Data: b.Bytes()}}}, nil
}

// workbook is a workbook that is written.
type workbook struct {
	file                       *excelize.File
	form                       *export.Form
	err                        error
	bold, title, input, output int // styles
}

func newWorkbook(f *export.Form) (*workbook, error) {
	w := &workbook{file: excelize.NewFile(), form: f}
	border := []excelize.Border{{Type: "left", Color: "A0A0A0", Style: 1}, {Type: "right", Color: "A0A0A0", Style: 1},
		{Type: "top", Color: "A0A0A0", Style: 1}, {Type: "bottom", Color: "A0A0A0", Style: 1}}
	for _, s := range []struct {
		id    *int
		style excelize.Style
	}{
		{&w.bold, excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"},
			Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E8EDF3"}}}},
		{&w.title, excelize.Style{Font: &excelize.Font{Bold: true, Size: 16}}},
		{&w.input, excelize.Style{Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF6D6"}}, Border: border,
			Alignment: &excelize.Alignment{Horizontal: "right"}}},
		{&w.output, excelize.Style{Font: &excelize.Font{Bold: true},
			Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E2F2E5"}}, Border: border,
			Alignment: &excelize.Alignment{Horizontal: "right"}}},
	} {
		id, err := w.file.NewStyle(&s.style)
		if err != nil {
			return nil, err
		}
		*s.id = id
	}
	return w, w.file.SetSheetName("Sheet1", predictionSheet)
}

// sheet adds a sheet with columns of widths.
func (w *workbook) sheet(name string, widths ...float64) *sheet {
	s := &sheet{w.file, name, &w.err}
	_, err := w.file.NewSheet(name)
	s.keep(err)
	for i, width := range widths {
		column, _, _ := strings.Cut(cell(i+1, 1), "1")
		s.keep(w.file.SetColWidth(name, column, column, width))
	}
	return s
}

// write writes all sheets.
func (w *workbook) write() error {
	p := &prediction{sheet: w.sheet(predictionSheet, 32, 18, 12, 14, 14, 52), workbook: w}
	p.inputs()
	if err := w.rules(); err != nil {
		return err
	}
	p.categories()
	var responses [][]string
	for k := range w.form.Members {
		name := "Calculation"
		if len(w.form.Members) > 1 {
			name = fmt.Sprint(name, " ", k+1)
		}
		c := &calculation{sheet: w.sheet(name, 26, 16, 16, 16, 16, 16, 12, 12, 12, 16), form: w.form, m: &w.form.Members[k], bold: w.bold}
		responses = append(responses, c.write(p.feature))
	}
	p.outputs(responses)
	p.texts()
	return w.err
}

// rules writes the sheet of the rules in words.
func (w *workbook) rules() error {
	s := w.sheet("Rules", 120)
	mono, err := w.file.NewStyle(&excelize.Style{Font: &excelize.Font{Family: "Consolas", Size: 10}})
	s.keep(err)
	lines := w.form.Words()
	for i, line := range lines {
		s.text(1, i+1, line)
	}
	s.style(1, 1, 1, len(lines), mono)
	return nil
}

// sheet is a sheet of a workbook, which keeps the first error.
type sheet struct {
	file *excelize.File
	name string
	err  *error
}

// cell returns the name of a cell, column and row from 1.
func cell(column, row int) string {
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		panic(err) // rows and columns are counted before
	}
	return name
}

// fixed returns the name of a cell on this sheet for formulas of any sheet.
func (s *sheet) fixed(column, row int) string {
	return "'" + s.name + "'!" + cell(column, row)
}

// span returns the cells of a column from row to row.
func span(column, from, to int) string { return cell(column, from) + ":" + cell(column, to) }

// text writes a text, which is never read as a formula. Names of columns are escaped.
func (s *sheet) text(column, row int, text string) {
	text = escape.Text(text)
	for utf8.RuneCountInString(text) > excelize.TotalCellChars {
		text = text[:len(text)/2]
	}
	s.keep(s.file.SetCellStr(s.name, cell(column, row), text))
}

// number writes a number.
func (s *sheet) number(column, row int, v float64) {
	s.keep(s.file.SetCellFloat(s.name, cell(column, row), v, -1, 64))
}

// formula writes a formula without the sign of equality.
func (s *sheet) formula(column, row int, formula string) {
	s.keep(s.file.SetCellFormula(s.name, cell(column, row), formula))
}

// header writes texts in a row as the header of a table.
func (s *sheet) header(row, style int, texts ...string) {
	for i, text := range texts {
		s.text(i+1, row, text)
	}
	s.style(1, row, len(texts), row, style)
}

// style gives cells a style.
func (s *sheet) style(column, row, lastColumn, lastRow, style int) {
	s.keep(s.file.SetCellStyle(s.name, cell(column, row), cell(lastColumn, lastRow), style))
}

func (s *sheet) keep(err error) {
	if *s.err == nil {
		*s.err = err
	}
}

// quoted returns a text in a formula.
func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
