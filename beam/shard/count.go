package shard

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/data/table/csv"
	"github.com/tskgraph/tskgraph/internal/base/decompress"
)

// count counts the records of an interval, as far as they are needed.
func (o Options) count(ctx context.Context, v interval) (interval, error) {
	switch {
	case v.Kind == delimited:
		v.Returns = v.Beginning.Returns
		v.Start = max(v.Start, v.Beginning.Marks)
		r, err := v.read(ctx)
		if err != nil {
			return v, err
		}
		v.Counts, err = countAll(r, false) // read has ended the lines
		return v, unreadable(v.File, errors.Join(err, r.Close()))
	case v.Kind == compressed && o.Rows:
		return o.countCompressed(ctx, v)
	}
	return v, nil
}

// countAll counts a text, in which carriage returns may end lines.
func countAll(r io.Reader, returns bool) (csv.Counts, error) {
	var c csv.Counter
	for b := make([]byte, 256<<10); ; {
		n, err := r.Read(b)
		if returns {
			csv.EndLines(b[:n])
		}
		_, _ = c.Write(b[:n])
		if err == io.EOF {
			return c.Counts(), nil
		}
		if err != nil {
			return c.Counts(), err
		}
	}
}

// countCompressed counts the rows of a compressed text, which is read twice.
func (o Options) countCompressed(ctx context.Context, v interval) (_ interval, err error) {
	open := func(do func(io.Reader) error) error {
		r, err := files.Open(ctx, v.File)
		if err != nil {
			return unreadable(v.File, err)
		}
		text := decompress.Reader(r)
		return unreadable(v.File, errors.Join(do(text), text.Close(), r.Close()))
	}
	begin := func(r io.Reader) (err error) {
		v.Beginning, err = csv.Begin(v.File, r, 0)
		return err
	}
	if err := open(begin); err != nil {
		return v, err
	}
	return v, open(func(r io.Reader) (err error) {
		if _, err = io.CopyN(io.Discard, r, v.Beginning.Marks); err != nil {
			return err
		}
		v.Counts, err = countAll(r, v.Beginning.Returns)
		return err
	})
}

// merge returns the shards of a file by its intervals, which it sorts.
func merge(all []interval) (shards []Shard) {
	slices.SortFunc(all, func(a, b interval) int { return cmp.Compare(a.Index, b.Index) })
	if first := all[0]; first.Counts.Bytes == 0 { // not counted
		for _, v := range all {
			shards = append(shards, v.Shard)
		}
		return shards
	}
	var borders csv.Borders
	begun := all[0].Beginning
	last := all[0].Shard
	last.Start = 0
	before := int64(begun.Records) // records before the last shard
	next := func(at csv.Border) {
		last.End, last.Rows = at.Offset+begun.Marks, at.Records-before
		shards = append(shards, last)
		last.Start, last.Header, last.LinesBefore = last.End, begun.Header, int(at.Lines)-begun.Lines()
		before = at.Records
	}
	for _, v := range all {
		text := v.Size - begun.Marks
		if at, ok := borders.Add(v.Counts); ok && v.Index > 0 && at.Records >= int64(begun.Records) && at.Offset < text {
			next(at)
		}
	}
	next(borders.End())
	for i := range shards {
		shards[i].Index, shards[i].Of = i, len(shards)
		if len(shards) == 1 { // read as it is, whatever it is
			shards[i].End, shards[i].Returns = last.Size, false
		}
	}
	return shards
}
