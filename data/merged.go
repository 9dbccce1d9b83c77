package data

import (
	"context"
	"errors"
	"slices"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// ErrScarce is the error of Merge of pieces that kept too few rows of a sample, since the rows of a part or the groups are spread unevenly:
// ingest the pieces as PieceOptions.Complete says.
var ErrScarce = errors.New("data: the pieces kept too few rows of the sample")

// Merged is a table that was ingested piece by piece.
type Merged struct {
	*ingest
	read   int
	member bool // see Partial.Member
}

// Merge merges the partials of all pieces, in the order of the table. A fault of the table that its pieces do not show is an
// *Error; see also [ErrScarce].
func (s *Sharded) Merge(partials []*Partial) (*Merged, error) {
	re, err := s.reading()
	if err != nil {
		return nil, err
	}
	r, err := s.rows(headerOnly{s.Header}, 0)
	if err != nil {
		return nil, err
	}
	m := &Merged{ingest: newIngest(re, r, assignment{Split: s.split()})}
	for _, part := range m.shards {
		part.moments = newStatistics(r.Columns(), true)
	}
	var bounds [shardCount]uint64 // 0: all rows are here
	for _, p := range partials {
		if err := m.add(&p.partial, &bounds); err != nil {
			return nil, err
		}
	}
	for at, part := range m.shards {
		part.weight, _ = part.moments.Rows.weight().Float64()
		if bounds[at] == 0 {
			continue
		}
		if !part.sample.knows(bounds[at]) {
			return nil, ErrScarce
		}
	}
	r.Late = nil
	return m, m.finish()
}

// add adds a partial, and lowers the bounds of the samples to its own.
func (m *Merged) add(p *partial, bounds *[shardCount]uint64) error {
	r := m.rows
	numbers, err := table.Learn(r.Columns(), p.Found)
	if err != nil {
		return err
	}
	m.read, m.kept, m.blanks, m.member = m.read+p.Rows, m.kept+p.Kept, m.blanks || p.Blanks, p.Member
	r.Weightless += p.Weightless
	r.Missing.Add(p.Missing)
	for at, s := range m.shards {
		part := p.Parts[at]
		s.n += part.N
		s.moments.merge(&part.Totals, numbers)
		if b := part.Sample.Bound; b != 0 && (bounds[at] == 0 || b < bounds[at]) {
			bounds[at] = b
		}
		for _, row := range part.Sample.Rows {
			if s.sample.admits(row.Hash) {
				s.sample.add(row.renumbered(numbers))
			}
		}
		for _, row := range part.Classes.Rows {
			one := row.renumbered(numbers)
			if class := int(one.values[len(r.Features)]); s.classes.lack(class, one.hash) {
				s.classes[class] = one
			}
		}
	}
	return nil
}

// renumbered returns the row with the numbers of its levels in the table, see learn.
func (r partialRow) renumbered(numbers [][]int) sampledRow {
	copied := false
	for k, v := range r.Values {
		if numbers[k] == nil || v != v {
			continue
		}
		if !copied {
			r.Values, copied = slices.Clone(r.Values), true
		}
		r.Values[k] = float64(numbers[k][int(v)])
	}
	return r.sampled()
}

// Read is the number of rows of the table, Kept that of the rows that a reading keeps.
func (m *Merged) Read() int { return m.read }
func (m *Merged) Kept() int { return m.kept }

// Missing counts the missing cells of the table.
func (m *Merged) Missing() table.Missing { return m.rows.Missing }

// Parts returns the parts: the samples that those of Source.Load have, and the exact statistics of all training rows, by which features and
// targets are scaled. Of a training part of more rows than its sample, Train.Whole has the rows of the sample only;
// other parts have no Whole. The test part is the table at TestPath, if that is set, of this process's source, whose
// Memory and Scratch count too. It is called once.
func (m *Merged) Parts(ctx context.Context, s Source) (*Parts, error) {
	if m.assign.listed == nil {
		if err := m.check(); err != nil {
			return nil, err
		}
	}
	p := &Parts{Train: m.part(trainShard, "train"), Validation: m.part(validationShard, "validation")}
	if !m.member {
		p.Calibration, p.Test = m.part(calibrationShard, "calibration"), m.part(testShard, "test")
	}
	for _, d := range p.byShard() {
		if d == nil || d.Whole == nil {
			continue
		}
		exact := d.Whole
		if d.Whole = nil; d == p.Train {
			d.Whole = describedBy(d, exact, m.assign.Seed)
		}
	}
	if s.TestPath == "" || m.member {
		return p, nil
	}
	test, err := loadTest(ctx, table.Input{Name: s.TestPath}, p.Train.Schema, s.Options)
	if err != nil {
		return nil, inFile(err, s.TestPath)
	}
	p.Test, p.stores = test.Test, test.stores
	return p, nil
}

// PartStatistics are exact statistics of the rows of a part. Each number is the float64 nearest to the exact one, however the table
// was divided into pieces.
type PartStatistics struct {
	Name    string             `json:"name"` // of PartNames
	Rows    int                `json:"rows"`
	Weight  float64            `json:"weight"` // the sum of the weights as given; Rows without weights
	Columns []ColumnStatistics `json:"columns"`
}

// ColumnStatistics are those of a feature, a target or the weights.
type ColumnStatistics struct {
	Name    string       `json:"name"`
	Values  int          `json:"values"`           // cells that are not missing
	Missing int          `json:"missing"`          // cells that are
	Mean    *float64     `json:"mean,omitempty"`   // of numbers, weighted; nil without a value
	SD      *float64     `json:"sd,omitempty"`     // of numbers, weighted, divisor N-1
	Min     *float64     `json:"min,omitempty"`    // of numbers
	Max     *float64     `json:"max,omitempty"`    // of numbers
	Levels  []LevelCount `json:"levels,omitempty"` // of categories and classes, in the order of the schema
}

// LevelCount is the number of rows of a level.
type LevelCount struct {
	Name   string  `json:"name"`
	Rows   int     `json:"rows"`
	Weight float64 `json:"weight"`
}

// Statistics returns those of each part, in the order of PartNames.
func (m *Merged) Statistics() (all []PartStatistics) {
	for at, name := range PartNames() {
		s := m.shards[at]
		part := PartStatistics{Name: name, Rows: s.n, Weight: s.weight}
		for k, c := range s.moments.columns {
			part.Columns = append(part.Columns, s.moments.column(k, c, s.n))
		}
		all = append(all, part)
	}
	return all
}

// column returns the statistics of column k of a part of so many rows.
func (t *statistics) column(k int, c *table.Coder, rows int) ColumnStatistics {
	s := ColumnStatistics{Name: c.Name}
	if !c.Numbers() {
		s.Levels = t.levelCounts(k, c)
		for _, l := range s.Levels {
			s.Values += l.Rows
		}
	} else if of := t.number(k); of.N > 0 {
		s.Values, s.Mean, s.SD, s.Min, s.Max = of.N, &of.Mean, &of.SD, &of.Min, &of.Max
	}
	s.Missing = rows - s.Values
	return s
}

// levelCounts returns the rows of each level, in the order that table.Coder.Finish gives them, or else that of appearance.
func (t *statistics) levelCounts(k int, c *table.Coder) []LevelCount {
	counts := make([]LevelCount, len(c.Levels))
	for i, level := range c.Levels {
		counts[i].Name = level
	}
	for n := range t.known(k) {
		at := n
		if c.Rank != nil {
			at = c.Rank[n]
		}
		l := &t.known(k)[n]
		counts[at].Rows = l.N
		counts[at].Weight, _ = l.weight().Float64()
	}
	return counts
}
