package data

import "github.com/tskgraph/tskgraph/data/table"

// What is known of a table and its columns, see package table.
type (
	Schema   = table.Schema
	Column   = table.Column
	Encoding = table.Encoding
	Other    = table.Other
	NA       = table.NA
	Missing  = table.Missing
	Error    = table.Error
	KeyError = table.KeyError
)

// The encodings of a column.
const (
	Numeric = table.Numeric
	OneHot  = table.OneHot
	Ordinal = table.Ordinal
)

// How a table is named and read, see package table.
type (
	Input         = table.Input
	Options       = table.Options
	Coding        = table.Coding
	Reader        = table.Reader
	ReaderOptions = table.ReaderOptions
	Batch         = table.Batch
	Marks         = table.Marks
)

// NewReader is [table.NewReader].
func NewReader(in Input, schema Schema, o ReaderOptions) (*Reader, error) {
	return table.NewReader(in, schema, o)
}
