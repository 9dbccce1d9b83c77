package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/data/table/parquet"
)

// Open opens the shard as a table with the header of its file. Faults name the file, and lines and rows as the file has
// them. Closing the closer, which is not nil, closes the file. A file of another size than planned is a *data.Error, and so is one
// that cannot be read.
func (s Shard) Open(ctx context.Context) (data.Input, io.Closer, error) {
	in, file, err := s.open(ctx)
	if err != nil {
		return in, none{}, unreadable(s.File, err)
	}
	return in, file, nil
}

func (s Shard) open(ctx context.Context) (in data.Input, file io.Closer, err error) {
	size, err := files.Size(ctx, s.File)
	if err != nil {
		return in, nil, err
	}
	if size != s.Size {
		return in, nil, &data.Error{File: s.File,
			Message: fmt.Sprintf("it has %d bytes, and had %d when the job began: start the job when the file is complete", size, s.Size)}
	}
	in = data.Input{Name: s.File, LinesBefore: s.LinesBefore}
	switch {
	case s.Whole() && files.IsLocal(s.File):
		return in, none{}, nil // package data opens it, and finds out if it changes meanwhile
	case s.Whole():
		r, err := files.Open(ctx, s.File)
		in.Reader = r
		return in, r, err
	case s.To > 0:
		groups, err := openGroups(ctx, s)
		if err != nil {
			return in, nil, err
		}
		in.Reader = &parquet.Excerpt{SectionReader: io.NewSectionReader(groups, 0, s.Size), From: s.From, To: s.To}
		return in, groups, nil
	}
	r, err := s.read(ctx)
	if err != nil {
		return in, nil, err
	}
	in.Reader = io.MultiReader(strings.NewReader(s.Header), r)
	return in, r, nil
}

// read opens the bytes of a range.
func (s Shard) read(ctx context.Context) (io.ReadCloser, error) {
	r, err := files.OpenRange(ctx, s.File, s.Start, s.Bytes())
	if err != nil {
		return nil, err
	}
	return &exactly{r, s.Bytes(), s.Returns}, nil
}

// exactly reads so many bytes of a text; fewer are an error.
type exactly struct {
	io.ReadCloser
	left    int64
	returns bool // line feeds stand for carriage returns
}

var errShort = errors.New("it has become shorter since the job began")

func (e *exactly) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	if e.left -= int64(n); err == io.EOF && e.left > 0 {
		err = errShort
	}
	if e.returns {
		csv.EndLines(p[:n])
	}
	return n, err
}

// none closes nothing.
type none struct{}

func (none) Close() error { return nil }
