package xlsx

import (
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

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
