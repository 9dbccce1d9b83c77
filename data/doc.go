// Package data turns tables into samples: a Dataset of N rows of M numeric features (X) and a target (Y), divided
// into parts for training, validation and test.
//
// # The main path
//
// A Source says where the data come from and how they are divided; Load does it, and WriteParts leaves a copy of
// the rows of each part, so that a run can be repeated and checked.
//
//	source := data.Source{
//		Path:    "concrete.csv",
//		Options: data.Options{Target: "strength", Ignore: []string{"id"}},
//		Split:   data.Split{Train: 0.7, Seed: 1},
//	}
//	parts, err := source.Load()         // parts.Train, parts.Validation, parts.Test
//	err = source.WriteParts(dir, parts) // train.csv, validation.csv, test.csv
//
// The pieces stand alone too: ReadCSV reads a table and Dataset.Split divides it, New takes slices from memory,
// Builtin generates data sets of the literature. A model keeps the Schema it was trained on; ReadCSVAs reads
// another table by it, and a Reader streams the rows of a table of any size to be predicted.
//
// # Tables
//
// A table is text in UTF-8: a header of unique names, then rows of as many cells, separated by comma, semicolon or
// tab (by default the one that is most frequent in the header, or that a line such as sep=; before it names), lines
// ended by LF, CRLF or CR. A cell may be quoted, a quote within it doubled. Blanks around a cell do not count; empty
// lines are skipped; byte order marks at the start are removed. Files compressed by gzip or zstd are read as well. A column without a name is not used: the first one
// may hold names of rows, others must be blank.
//
// A number is a plain finite decimal: 12, -0.5, .5, 1., 6e-3. There are no hexadecimals and no thousands separators, and
// 1e309 is too large; what is too small for a float64 is read as 0. In a table that is separated by semicolons or tabs,
// the numbers of a column may have decimal commas, all of them, whatever other columns or tables have: Dataset.Commas
// and Reader.Commas name such columns.
//
// A column in which each cell begins with a letter is categorical, and has a feature of 0 or 1 for each of its
// levels (at most 50), sorted. A column with anything else in it is numeric, so that its first cell that is no
// number is an error. Options.Categorical codes a column otherwise: as one-hot or ordinal (1, 2, ...) whatever is
// in it, or as numeric. The levels are those of the whole table, all parts of it; another one in
// a test file or a table to predict is an error, unless it is read Lenient (see ReaderOptions). The target is always numeric.
//
// A cell that is blank, says NA, N/A, NaN, null or ? in any case, or what Options.NA lists, is missing. Options.Missing
// says what then:
//
//	error   an error at the first (the default)
//	drop    the row is left out and counted
//	mean    the cell's features are NaN in X, for the model to fill with the training mean, and counted; a row
//	        whose target or weight is missing is left out
//
// # Errors
//
// A fault of the data is an *Error with file, line, column and cell; errors.As tells it from a fault of the
// options. Reading never panics, whatever is in the file, and keeps beside the numbers a block of about 128 KiB, or
// one record of at most 16 MiB. A file that changes while it is read is an error.
package data
