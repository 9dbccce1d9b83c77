// Package shard divides tables into shards, which workers read independently: whole files, ranges of rows of large files of
// delimited text, and row groups of large Parquet files. The shards depend on the files and on Options only.
package shard

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
)

// Shard is a part of a file that one worker reads. The shards of a file in their order have the rows of the file in their order.
type Shard struct {
	File string // path or URL
	Size int64  // of the file in bytes

	Index, Of int // the number of the shard, from 0, and how many the file has; of 1, it is the whole file

	Start, End int64 // bytes of the file: of a range, of all rows of the shard; of a Parquet file, of its row groups

	Rows     int64 // -1: not counted; see Options.Rows
	FirstRow int64 // rows of the files before and of this file that are before the shard; -1: not counted
}

// Whole reports whether the shard is a whole file.
func (s Shard) Whole() bool { return s.Of == 1 }

// String names the shard for people: the path, and the number if the file has several.
func (s Shard) String() string {
	if s.Whole() {
		return s.File
	}
	return fmt.Sprintf("%s, part %d of %d", s.File, s.Index+1, s.Of)
}

// Options say how files are divided.
type Options struct {
	Split     int64  // a file of more bytes is divided into shards of about so many; 0: no file is
	Delimiter string // of delimited text, as data.ReaderOptions has it
	Rows      bool   // count the rows of whole files too: those of delimited text are read for it
}

// Plan divides files, in their order, which is that of the rows.
func Plan(_ context.Context, in []files.Info, _ Options) ([]Shard, error) {
	var shards []Shard
	for _, file := range in {
		shards = append(shards, Shard{File: file.Path, Size: file.Size, Of: 1, End: file.Size, Rows: -1, FirstRow: -1})
	}
	return shards, nil
}

// Open opens the shard as a table with the header of its file. Faults name the file, and lines and rows as the file has
// them. Closing the closer, which is not nil, closes the file. A file of another size than planned is an error.
func (s Shard) Open(ctx context.Context) (data.Input, io.Closer, error) {
	size, err := files.Size(ctx, s.File)
	if err == nil && size != s.Size {
		err = &data.Error{File: s.File, Message: fmt.Sprintf("it has %d bytes, and had %d when the job began: let it be complete before", size, s.Size)}
	}
	if err != nil {
		return data.Input{}, none{}, err
	}
	if !strings.Contains(s.File, "://") {
		return data.Input{Name: s.File}, none{}, nil
	}
	r, err := files.Open(ctx, s.File)
	if err != nil {
		return data.Input{}, none{}, err
	}
	return data.Input{Name: s.File, Reader: r}, r, nil
}

// none closes nothing.
type none struct{}

func (none) Close() error { return nil }
