package data

import "github.com/tskgraph/tskgraph/data/table"

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
		t := s.moments.(*totals)
		part := PartStatistics{Name: name, Rows: s.n, Weight: s.weight}
		for k, c := range t.columns {
			part.Columns = append(part.Columns, t.column(k, c, s.n))
		}
		all = append(all, part)
	}
	return all
}

// column returns the statistics of column k of a part of so many rows.
func (t *totals) column(k int, c *table.Coder, rows int) ColumnStatistics {
	s := ColumnStatistics{Name: c.Name}
	if c.Encoding != table.Numeric {
		s.Levels = t.levelCounts(k, c)
		for _, l := range s.Levels {
			s.Values += l.Rows
		}
	} else if of := t.Numbers[k].moments(); of.N > 0 {
		s.Values, s.Mean, s.SD, s.Min, s.Max = of.N, &of.Mean, &of.SD, &of.Min, &of.Max
	}
	s.Missing = rows - s.Values
	return s
}

// levelCounts returns the rows of each level, in the order that column.finish gives them, or else that of appearance.
func (t *totals) levelCounts(k int, c *table.Coder) []LevelCount {
	counts := make([]LevelCount, len(c.Levels))
	for i, level := range c.Levels {
		counts[i].Name = level
	}
	for n := range t.Levels[k] {
		at := n
		if c.Rank != nil {
			at = c.Rank[n]
		}
		l := &t.Levels[k][n]
		counts[at].Rows = l.N
		counts[at].Weight, _ = l.weight().Float64()
	}
	return counts
}
