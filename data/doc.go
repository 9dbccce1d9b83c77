// Package data turns tables into samples: a Dataset of N rows of M numeric features (X) and a target (Y) or several (Others), divided
// into parts for training, validation and test.
//
// # The main path
//
// A Source describes a table and how to split it; Load reads and splits it, and WriteParts writes a copy of the rows of
// each part, so that a run can be repeated and checked.
//
//	source := data.Source{
//		Path:    "concrete.csv",
//		Options: data.Options{Target: "strength", Ignore: []string{"id"}},
//		Split:   data.Split{Train: 0.7, Seed: 1},
//	}
//	parts, err := source.Load(ctx)      // parts.Train, parts.Validation, parts.Test
//	defer parts.Close()
//	err = source.WriteParts(dir, parts) // train.csv, validation.csv, test.csv
//
// The steps can be used alone: Read reads a table and Dataset.Split divides it, New takes slices from memory,
// Builtin generates data sets of the literature. A model keeps the Schema it was trained on; ReadAs reads
// another table by it, and a Reader streams the rows of a table of any size for prediction.
//
// # Large tables
//
// Load ingests a table of more than SampleRows rows in one pass: each part is a random sample of at most SampleRows rows, whose
// Dataset.Whole gives exact moments and all rows, bucket by bucket. The rows are in memory up to Options.Memory, and beyond
// it in a scratch file that no other process sees. What is read does not depend on Memory, to the bit.
//
// A Sharded table is ingested in pieces, by several processes say: the parts are the same samples, and statistics of all rows are
// exact sums, which do not depend on the division into pieces, to the bit.
//
// # Tables and formats
//
// A format reads a table as a RowSource: columns by name, and blocks of rows in which a column is numbers, where the format
// has them, or text. The following holds for both: the meaning of a cell is decided here, not in the format.
//
// A format registers itself when its package is imported (see table.Format). Package data imports none, so that a program which
// only predicts samples links neither parsers nor decompressors; package tskgraph imports data/table/csv, the format of
// delimited text, so that programs that train can read it. Other programs import it themselves:
//
//	import _ "github.com/tskgraph/tskgraph/data/table/csv"
//
// Reading a table that no registered format claims is an *Error.
//
// Blanks around a cell are ignored. A column without a name is not used.
//
// A number is a plain finite decimal: 12, -0.5, .5, 1., 6e-3. Hexadecimals and thousands separators are errors, and so is
// 1e309, which is too large; a number too small for a float64 is read as 0. In a table that is separated by semicolons or tabs,
// all numbers of a column may have decimal commas, independently of other columns and tables: Dataset.Commas
// and Reader.Commas name such columns.
//
// A column in which each cell begins with a letter is categorical, and has a feature of 0 or 1 for each of its
// levels (at most 50), sorted. A column with any other cell is numeric, so that its first cell that is not
// a number is an error. Options.Categorical sets another coding: one-hot or ordinal (1, 2, ...) for any cells, or
// numeric. The levels are those of the whole table with all its parts; another level in
// a test file or a table to predict is an error, unless it is read Lenient (see ReaderOptions).
//
// A target is numeric, or a class where its first cell begins with a letter; Options.Task says otherwise. Y is then the index of
// the class in Schema.Classes, at most 1000 of at least 3 rows each. Whole numbers that are classes are compared as numbers: 1,
// 01 and 1.0 are one class. In another table a class that is not in the schema is always an error.
//
// A cell that is blank, says NA, N/A, NaN, null or ? in any case, or what Options.NA lists, is missing. Options.Missing
// is one of
//
//	error   the first one is an error (the default)
//	drop    the row is left out and counted
//	mean    the cell's features are NaN in X, for the model to fill with the training mean, and counted; a row
//	        whose target or weight is missing is left out
//
// # Errors
//
// An error in the data is an *Error with file, line, column and cell; errors.As distinguishes it from an error in the
// options. Reading never panics, for any file, and holds one block in memory besides the numbers.
// A file that changes while it is read is an error.
package data

import (
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// What is known of a table and its columns, see package table.
type (
	Schema   = table.Schema
	Column   = table.Column
	Encoding = table.Encoding
	Other    = table.Other
	Offset   = table.Offset
	NA       = table.NA
	Limits   = table.Limits
	Missing  = table.Missing
	Clock    = series.Clock
	Error    = table.Error
	KeyError = table.KeyError
)

// The encodings of a column.
const (
	Numeric = table.Numeric
	OneHot  = table.OneHot
	Ordinal = table.Ordinal
	Ranked  = table.Ranked
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
	Finding       = table.Finding
)

// NewReader is [table.NewReader].
func NewReader(in Input, schema Schema, o ReaderOptions) (*Reader, error) {
	return table.NewReader(in, schema, o)
}
