package shard

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/data/table/parquet"
	"github.com/tskgraph/tskgraph/internal/base/decompress"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Kinds of files.
const (
	delimited  = "csv"
	compressed = "compressed"
	groups     = "parquet"
)

// interval is a range of a file before it is known where records end in it, and what was counted in it.
type interval struct {
	Shard
	Kind      string
	Beginning csv.Beginning // of delimited text that is counted

	Counts csv.Counts // of delimited text
}

// divide divides a file into intervals. Those of delimited text are not yet counted, all others are shards.
func (o Options) divide(ctx context.Context, f file) ([]interval, error) {
	whole := interval{Shard: Shard{File: f.Path, Order: f.Order, Size: f.Size, Of: 1, End: f.Size, Rows: -1, FirstRow: -1}}
	large := o.Split > 0 && f.Size > o.Split
	if !large && !o.Rows {
		return []interval{whole}, nil
	}
	head, err := readAt(ctx, f, 0, min(8, f.Size))
	if err != nil {
		return nil, err
	}
	switch format := table.FormatOf(f.Path, head); {
	case format == groups:
		return o.rowGroups(ctx, f, whole)
	case format != delimited || decompress.Compressed(head):
		whole.Kind = compressed
		return []interval{whole}, nil
	}
	whole.Kind = delimited
	if whole.Beginning, err = o.begin(ctx, f); err != nil {
		return nil, err
	}
	if !large {
		return []interval{whole}, nil
	}
	return o.equal(whole), nil
}

// begin reads the beginning of delimited text.
func (o Options) begin(ctx context.Context, f file) (csv.Beginning, error) {
	r, err := files.Open(ctx, f.Path)
	if err != nil {
		return csv.Beginning{}, unreadable(f.Path, err)
	}
	begun, err := csv.Begin(f.Path, r, table.Delimiter(o.Delimiter))
	return begun, errors.Join(err, r.Close())
}

// equal divides delimited text into intervals of equal size.
func (o Options) equal(whole interval) []interval {
	text := whole.Size - whole.Beginning.Marks
	n := int((text + o.Split - 1) / o.Split)
	all := make([]interval, n)
	for i := range all {
		all[i] = whole
		all[i].Index, all[i].Of = i, n
		all[i].Start = whole.Beginning.Marks + text/int64(n)*int64(i)
		if i > 0 {
			all[i-1].End = all[i].Start
		}
	}
	return all
}

// rowGroups divides a Parquet file at its row groups.
func (o Options) rowGroups(ctx context.Context, f file, whole interval) ([]interval, error) {
	in := remote{ctx, f.Path}
	all, apart, err := parquet.Groups(f.Path, in, f.Size)
	if err != nil {
		return nil, err
	}
	whole.Kind, whole.Rows = groups, 0
	for _, g := range all {
		whole.Rows += g.Rows
	}
	if !apart || o.Split <= 0 || f.Size <= o.Split {
		return []interval{whole}, nil
	}
	var parts []interval
	rows := int64(0)
	for i, g := range all {
		if n := len(parts); n == 0 || parts[n-1].Bytes()+g.End-g.Start > o.Split {
			next := whole
			next.Index, next.Start, next.End, next.From, next.Rows, next.LinesBefore = n, g.Start, g.Start, i, 0, int(rows)
			parts = append(parts, next)
		}
		last := &parts[len(parts)-1]
		last.Start, last.End, last.To = min(last.Start, g.Start), max(last.End, g.End), i+1
		last.Rows += g.Rows
		rows += g.Rows
	}
	if len(parts) < 2 {
		return []interval{whole}, nil
	}
	for i := range parts {
		parts[i].Of = len(parts)
	}
	return parts, nil
}

// readAt reads n bytes at an offset of a file.
func readAt(ctx context.Context, f file, offset, n int64) ([]byte, error) {
	b := make([]byte, n)
	_, err := remote{ctx, f.Path}.ReadAt(b, offset)
	return b, unreadable(f.Path, err)
}

// remote reads a file at any offset.
type remote struct {
	ctx  context.Context
	path string
}

func (r remote) ReadAt(b []byte, offset int64) (int, error) {
	in, err := files.OpenRange(r.ctx, r.path, offset, int64(len(b)))
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(in, b)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, errors.Join(err, in.Close())
}

// unreadable is an error of reading a file, which a table has; nil if err is.
func unreadable(path string, err error) error {
	var table *data.Error
	if err == nil || errors.As(err, &table) || errors.Is(err, context.Canceled) {
		return err
	}
	return &data.Error{File: path, Message: fmt.Sprintf("the table cannot be read: %v", err), Err: err}
}
