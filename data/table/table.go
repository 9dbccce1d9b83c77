// Package table is the face of tables for those who write a format or name files: what package data reads from, and the registry of
// formats. The formats are the packages below this one; a program imports those whose tables it reads.
package table

import (
	"io"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// What a format gives, and is given.
type (
	Input     = table.Input
	Format    = table.Format
	RowSource = table.RowSource
	Decoder   = table.Decoder
	Locator   = table.Locator
	Header    = table.Header
	Block     = table.Block
	Values    = table.Values
	Place     = table.Place
	RowSink   = table.RowSink
	Field     = table.Field
	Error     = table.Error
)

// MaxRow bounds the bytes of a row, as text, and of each of its cells: a [RowSource] refuses longer ones.
const MaxRow = table.MaxRow

// Register makes a format known. It panics if one of this name is registered, and must only be called by init functions.
func Register(f Format) { table.Register(f) }

// FormatOf returns the name of the format of a file by its name and its first bytes, 8 or all there are; empty if no registered
// format reads it.
func FormatOf(name string, head []byte) string { return table.FormatOf(name, head) }

// Writable returns the format that writes a file of this name by its extension; nil for delimited text.
func Writable(name string) *Format { return table.Writable(name) }

// Conversion says how [Convert] reads delimited text.
type Conversion = table.Conversion

// Convert writes a table to w in another format, which must be [Writable]. A cell of a column of numbers that is none is an *Error.
func Convert(w io.Writer, to *Format, in Input, o Conversion) error {
	return table.Convert(w, to, in, o)
}

// Files returns the files of a table by its name: the file itself, those that match a pattern (part-*.csv) in the order of their names,
// or those of a list in braces ({a.csv,b.csv}).
func Files(name string) ([]string, error) { return table.Files(name) }

// Names returns the names of a list in braces, or the name itself. [List] joins them.
func Names(name string) []string { return table.Names(name) }

// List returns the name of the table of several files; no name may have a comma, and none of several be empty.
func List(names []string) string { return table.List(names) }

// HashFile returns the SHA-256 of the bytes of a file, or of standard input (-), in hexadecimal. The error is an *Error.
func HashFile(path string) (string, error) { return table.HashFile(path) }

// Tasks returns the values of the option Task.
func Tasks() []string { return table.Tasks() }

// Delimiter returns the delimiter that a value of the option Delimiter names; 0 for auto.
func Delimiter(option string) byte { return table.Delimiter(option) }

// NumberText writes a number of a column of numbers as its cell, which has the number exactly; a missing one, NaN, is blank.
func NumberText(v float64) string { return table.NumberText(v) }

// SafeCell returns a cell with a ' wherever a spreadsheet would begin to read a formula other than a number.
func SafeCell(cell string) string { return table.SafeCell(cell) }
