// Package shard divides tables into shards, which workers read independently: whole files, ranges of rows of large files of
// delimited text, and row groups of large Parquet files. The shards depend on the files and on Options only, never on the workers.
//
// Quotes make the borders of records in the middle of a text ambiguous. So a large text is first divided into ranges of equal size, in
// each of which line ends and quotes are counted for both cases, the range begins within quotes or not (package
// data/table/csv); the counts in order give each range its case, and with it the first border in it, the line and the
// number of the row there. A shard goes from the first border in its range to that of the next range that has one.
// Compressed texts, and small files, are not divided.
package shard

import (
	"fmt"

	"github.com/tskgraph/tskgraph/beam/files"
)

// Shard is a part of a file that one worker reads. The shards of a file in their order have the rows of the file in their order.
type Shard struct {
	File  string // path or URL
	Order int    // number of the file, from 0
	Size  int64  // of the file in bytes

	Index, Of int // the number of the shard in the file, from 0, and how many there are; of 1, it is the whole file

	Start, End int64 // bytes of the file that have the rows; of a range from the start of the file, what is before them too
	From, To   int   // of a Parquet file in several shards: the row groups, without To

	Header  string // of a range that does not begin the file: what comes before its rows in the file
	Returns bool   // of a range: carriage returns end lines

	LinesBefore int   // added to the lines (of Parquet, the numbers) of rows as the shard has them, see data.Input
	Rows        int64 // -1: not counted, see Options.Rows
	FirstRow    int64 // rows of all files before the first of the shard; -1: not counted
}

// Whole reports whether the shard is a whole file.
func (s Shard) Whole() bool { return s.Of == 1 }

// Bytes returns the bytes that have the rows.
func (s Shard) Bytes() int64 { return s.End - s.Start }

// String names the shard for people: the path, and the number if the file has several.
func (s Shard) String() string {
	if s.Whole() {
		return s.File
	}
	return fmt.Sprintf("%s, part %d of %d", s.File, s.Index+1, s.Of)
}

// Number makes a shard a cluster.Numbered.
func (s Shard) Number() int { return s.Order + s.Index }

// Options say how files are divided.
type Options struct {
	Split     int64  // a file of more bytes is divided into shards of about so many; 0: no file is
	Delimiter string // of delimited text, as data.ReaderOptions has it
	Rows      bool   // count the rows of whole files too: those of delimited text are read for it
}

// file is a file to divide.
type file struct {
	Path  string
	Order int
	Size  int64
}

func filesOf(in []files.Info) []file {
	out := make([]file, len(in))
	for i, f := range in {
		out[i] = file{f.Path, i, f.Size}
	}
	return out
}
