package data

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"math"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// PartNames returns the names of the parts of a table.
func PartNames() []string { return []string{"train", "calibration", "validation", "test"} }

// Partial is what a piece contributes to the parts of a table.
type Partial struct{ partial }

// partial has exported fields for encoding/gob.
type partial struct {
	Rows, Kept, Weightless int
	Blanks                 bool
	Missing                table.Missing
	Found                  []table.Finding // [K]
	Parts                  [shardCount]partialPart
	Members                []chosen // of the training part
	Member                 bool     // see Partial.Member
}

// partialPart is what a piece contributes to a part.
type partialPart struct {
	N       int
	Sample  chosen
	Classes chosen // a row of each class
	Totals  statistics
}

// chosen are rows of a sample: those of least hash, of which no row of the piece has one up to Bound and is left out.
type chosen struct {
	Rows  []partialRow
	Bound uint64 // 0: no row is left out
}

// partialRow is a sampledRow.
type partialRow struct {
	Hash   uint64
	Row    int
	Values []float64
	Member int
	Record string
}

// partialOf returns what was ingested of a piece, after so many rows that were kept.
func partialOf(g *ingest, p Piece, before int) *Partial {
	r := g.rows
	out := partial{Rows: r.T.Row - p.Row, Kept: g.kept - before, Weightless: r.Weightless, Blanks: g.blanks, Missing: r.Missing,
		Found: table.FoundIn(r.Columns())}
	for i, s := range g.shards {
		part := partialPart{N: s.n, Sample: s.sample.chosen(), Totals: *s.moments}
		for _, row := range s.classes {
			part.Classes.Rows = append(part.Classes.Rows, row.partial())
		}
		out.Parts[i] = part
	}
	for i := range g.members {
		out.Members = append(out.Members, g.members[i].chosen())
	}
	return &Partial{out}
}

// chosen returns the rows of the sample.
func (r *reservoir) chosen() (s chosen) {
	r.cut()
	for _, row := range r.rows {
		s.Rows = append(s.Rows, row.partial())
	}
	s.Bound = r.bound
	return s
}

func (s sampledRow) partial() partialRow {
	return partialRow{s.hash, s.row, s.values, s.member, s.record}
}
func (s partialRow) sampled() sampledRow {
	return sampledRow{s.Hash, s.Row, s.Values, s.Member, s.Record}
}

// Rows is the number of rows of the piece, Kept that of the rows that a reading keeps.
func (p *Partial) Rows() int { return p.partial.Rows }
func (p *Partial) Kept() int { return p.partial.Kept }

// Member returns the partial with the rows of member k, from 0, of a committee as the training part, and without the
// samples of the calibration and test parts. The members share the rows of the training part, or its groups, at random;
// their statistics are those of all rows.
func (p *Partial) Member(k int) *Partial {
	one := p.partial
	one.Parts[trainShard].Sample, one.Members, one.Member = one.Members[k], nil, true
	for _, at := range []int{calibrationShard, testShard} {
		one.Parts[at].Sample, one.Parts[at].Classes = chosen{}, chosen{}
	}
	return &Partial{one}
}

// WithoutMembers returns the partial without the rows of members.
func (p *Partial) WithoutMembers() *Partial {
	one := p.partial
	one.Members = nil
	return &Partial{one}
}

// MarshalBinary and UnmarshalBinary encode a Partial, by encoding/gob as well.
func (p *Partial) MarshalBinary() ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(&p.partial)
	return b.Bytes(), err
}

// UnmarshalBinary replaces p by an encoded Partial.
func (p *Partial) UnmarshalBinary(from []byte) error {
	p.partial = partial{}
	return gob.NewDecoder(bytes.NewReader(from)).Decode(&p.partial)
}

// PieceOptions sets how a piece is ingested.
type PieceOptions struct {
	Members  int    // K, the number of members of a committee that train on rows of their own; see Partial.Member
	Complete bool   // keep SampleRows rows of each sample whatever the number of rows of the piece, see ErrScarce
	Parts    *Parts // divides the rows as these parts, which have all rows, in place of the source; nil: the source does

	// Each is called with each number of a numeric feature, target or weight of a row that is kept: with the place of its part in
	// PartNames, and that of its column in Statistics. Nil: nothing is called.
	Each func(part, column int, v float64)
}

// Ingest reads a piece. The prior is nil unless the table is Outlined.
func (s *Sharded) Ingest(ctx context.Context, p Piece, prior *Prior, o PieceOptions) (_ *Partial, err error) {
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
		t := newStatistics(r.Columns(), true)
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
