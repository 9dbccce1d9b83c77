// Package table is the face of tables for those who write a format: what package data reads from, and the registry of formats. The
// formats are the packages below this one; a program imports those whose tables it reads.
package table

import "github.com/tskgraph/tskgraph/internal/data/table"

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

// NumberText writes a number of a column of numbers as its cell, which has the number exactly; a missing one, NaN, is blank.
func NumberText(v float64) string { return table.NumberText(v) }
