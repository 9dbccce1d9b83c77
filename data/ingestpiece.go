package data

import (
	"context"
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"math"
)

// PieceOptions sets how a piece is ingested.
type PieceOptions struct {
	Members  int    // K, the number of members of a committee that train on rows of their own; see Partial.Member
	Complete bool   // keep SampleRows rows of each sample whatever the number of rows of the piece, see ErrScarce
	Parts    *Parts // divides the rows as these parts, which have all rows, in place of the source; nil: the source does

	// Each is called with each number of a numeric feature, target or weight of a row that is kept: with the place of its part in
	// PartNames, and that of its column in Statistics. Nil: nothing is called.
	Each func(part, column int, v float64)
}

// ingestPiece is Sharded.Ingest.
func ingestPiece(ctx context.Context, s *Sharded, p Piece, prior *Prior, o PieceOptions) (_ *Partial, err error) {
	re, err := s.reading()
	if err != nil {
		return nil, err
	}
	r, err := s.open(p)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.T.Close()) }()
	g := newIngest(re, r, assignmentOf(s, prior, o.Parts))
	if prior != nil {
		g.kept, r.Numbered = prior.Before, prior.Groups
		table.Teach(r.Columns(), prior.Found)
	}
	most := limits(s, p, o)
	for i, one := range g.shards {
		t := newTotals(r.Columns())
		if o.Each != nil {
			t.each = func(column int, v float64) { o.Each(i, column, v) }
		}
		one.moments, one.sample.most = t, most[i]
	}
	for range o.Members {
		g.members = append(g.members, reservoir{most: most[trainShard]})
	}
	before := g.kept
	if err := g.read(ctx); err != nil {
		if ctx.Err() != nil {
			err = table.Interrupted(ctx)
		}
		return nil, err
	}
	return partialOf(g, p, before), p.complete(r)
}

// assignmentOf returns that of the rows to parts.
func assignmentOf(s *Sharded, prior *Prior, of *Parts) assignment {
	a := assignment{Split: s.split()}
	if prior != nil {
		a.rows = prior.Kept
	}
	if of != nil {
		a.listed = map[int]int{}
		for at, d := range of.byShard() {
			if d != nil {
				for _, row := range d.Rows {
					a.listed[row] = at
				}
			}
		}
	}
	return a
}

// limits returns how many rows of the sample of each part a piece keeps: more than its share of a random sample. Merge finds out if it is
// too few, as it may be where the parts are not random or the groups of very different size.
func limits(s *Sharded, p Piece, o PieceOptions) (most [shardCount]int) {
	sp := s.split()
	train := sp.train()
	part := [shardCount]float64{train * (1 - sp.Calibration), train * sp.Calibration, sp.Validation, 1 - train - sp.Validation}
	for i := range most {
		share := float64(p.Rows) / float64(max(1, s.Rows))
		switch {
		case sp.Kind == splitColumn:
			share *= 10
		case sp.Kind == splitChronological:
			share /= max(part[i], 1e-9)
		case s.Source.Group != "":
			share *= 2
		}
		expected := float64(SampleRows * min(1, share))
		most[i] = min(SampleRows, int(expected+float64(8*math.Sqrt(expected)))+100)
		if o.Complete {
			most[i] = SampleRows
		}
	}
	return most
}
