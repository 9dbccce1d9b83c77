package data

import (
	"bytes"
	"encoding/gob"
	"github.com/tskgraph/tskgraph/data/table"
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
	Totals  totals
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
	out := partial{Rows: r.T.Row - p.Row, Kept: g.kept - before, Weightless: r.Weightless, Blanks: g.blanks, Missing: r.Missing, Found: table.FoundIn(r.Columns())}
	for i, s := range g.shards {
		part := partialPart{N: s.n, Sample: s.sample.chosen(), Totals: *s.moments.(*totals)}
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

// Member returns the partial with the rows of member k, from 0, of a committee as the training part, and without the samples of the calibration
// and test parts. The members share the rows of the training part, or its groups, at random; their statistics are those of all rows.
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
