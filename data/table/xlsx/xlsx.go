// Package xlsx writes tables as workbooks for Excel and LibreOffice. Importing it registers the format:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/xlsx"
//
// A workbook has one sheet, whose first row has the names of the columns. Texts are texts, never formulas, and missing cells are empty.
// Workbooks are not read: their sheets have no schema.
package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

func init() {
	table.Register(table.Format{Name: "xlsx", Extensions: []string{".xlsx"}, Create: create})
}

// Limits of Excel.
const (
	mostRows    = 1_048_576 // with the names
	mostColumns = 16_384
	mostText    = 32_767 // characters of a cell
)

const (
	head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	from = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	kind = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// parts are the files of a workbook besides its sheet.
var parts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="` + kind + `sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + kind + `worksheet+xml"/></Types>`},
	{"_rels/.rels", relation("officeDocument", "xl/workbook.xml")},
	{"xl/workbook.xml", `<workbook xmlns="` + main + `" xmlns:r="` + from +
		`"><sheets><sheet name="table" sheetId="1" r:id="r1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")},
}

// relation returns the relationships of a part, of which there is one.
func relation(to, target string) string {
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="r1" Type="` + from + "/" + to + `" Target="` + target + `"/></Relationships>`
}

// sink writes the rows of a sheet.
type sink struct {
	archive *zip.Writer
	sheet   io.Writer
	rows    int
	row     bytes.Buffer
}

// create begins a workbook with the names of the columns.
func create(w io.Writer, columns []table.Field) (table.RowSink, error) {
	if len(columns) > mostColumns {
		return nil, fmt.Errorf("%d columns: a sheet has at most %d: write delimited text or Parquet", len(columns), mostColumns)
	}
	s := &sink{archive: zip.NewWriter(w)}
	for _, part := range parts {
		f, err := s.archive.Create(part[0])
		if err == nil {
			_, err = io.WriteString(f, head+part[1])
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	if s.sheet, err = s.archive.Create("xl/worksheets/sheet1.xml"); err != nil {
		return nil, err
	}
	if _, err = io.WriteString(s.sheet, head+`<worksheet xmlns="`+main+`"><sheetData>`); err != nil {
		return nil, err
	}
	return s, s.add(len(columns), func(c int) error { return s.text(columns[c].Name) })
}

// add writes a row of cells, each of which a function adds to s.row.
func (s *sink) add(columns int, cell func(column int) error) error {
	if s.rows++; s.rows > mostRows {
		return fmt.Errorf("more than %d rows: a sheet has no more: write delimited text or Parquet", mostRows-1)
	}
	s.row.Reset()
	s.row.WriteString("<row>")
	for c := range columns {
		if err := cell(c); err != nil {
			return err
		}
	}
	s.row.WriteString("</row>")
	_, err := s.sheet.Write(s.row.Bytes())
	return err
}

// escaped matches what Excel reads as the code of a character.
var escaped = regexp.MustCompile(`_(x[0-9A-Fa-f]{4}_)`)

// text adds a cell with a text.
func (s *sink) text(cell string) error {
	if cell == "" {
		s.row.WriteString("<c/>")
		return nil
	}
	if n := utf8.RuneCountInString(cell); n > mostText {
		return fmt.Errorf("row %d: a cell of %d characters: a workbook has at most %d: write delimited text or Parquet", s.rows-1, n, mostText)
	}
	s.row.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
	s.row.WriteString(html.EscapeString(strings.Map(inXML, escaped.ReplaceAllString(cell, "_x005F_$1"))))
	s.row.WriteString("</t></is></c>")
	return nil
}

// inXML returns a character, or the mark of an unknown one for those that XML does not have.
func inXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return utf8.RuneError
	}
	return r
}

// number adds a cell with a number; an empty one if it is missing.
func (s *sink) number(v float64) error {
	if !numeric.Finite(v) {
		return s.text("")
	}
	s.row.WriteString("<c><v>")
	s.row.Write(numeric.AppendShortest(s.row.AvailableBuffer(), v))
	s.row.WriteString("</v></c>")
	return nil
}

// Write implements table.RowSink.
func (s *sink) Write(b *table.Block) error {
	for n := range b.Rows {
		err := s.add(len(b.Columns), func(c int) error {
			if v := &b.Columns[c]; v.Numbers != nil {
				return s.number(v.Numbers[n])
			}
			return s.text(b.Columns[c].Cell(n))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Close implements table.RowSink.
func (s *sink) Close() error {
	if _, err := io.WriteString(s.sheet, "</sheetData></worksheet>"); err != nil {
		return err
	}
	return s.archive.Close()
}
