package fit

import (
	"encoding/json"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
)

// StatisticsFile is the name of the file of a run with the statistics of the table.
const StatisticsFile = "statistics.json"

// Statistics are those of all rows of a table. They do not depend on the shards, to the bit.
type Statistics struct {
	Rows int `json:"rows"` // of the table
	// the rows of positive weight without a missing target or weight or, with data.missing drop, feature
	Kept          int          `json:"kept"`
	Missing       data.Missing `json:"missing"`        // cells
	QuantileError float64      `json:"quantile_error"` // the largest relative error of a quantile
	Parts         []Part       `json:"parts"`          // that have rows

	Notes   []string `json:"notes,omitempty"` // what was found in the table and in training
	Summary []string `json:"summary"`         // lines of the run's summary as tskgraph train prints it
}

// Part is the statistics of a part.
type Part struct {
	data.PartStatistics
	Columns []Column `json:"columns"`
}

// Column is the statistics of a column.
type Column struct {
	data.ColumnStatistics
	Quantiles map[string]float64 `json:"quantiles,omitempty"` // of numbers, not weighted
}

// quantiles are those of Statistics.
var quantiles = []float64{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}

// statistics returns those of the table.
func (t *gathered) statistics() (*Statistics, error) {
	s := &Statistics{Rows: t.Read(), Kept: t.Kept(), Missing: t.Missing(), QuantileError: QuantileError}
	for at, part := range t.Statistics() {
		if part.Rows == 0 {
			continue
		}
		one := Part{PartStatistics: part}
		one.PartStatistics.Columns = nil
		for k, c := range part.Columns {
			column := Column{ColumnStatistics: c}
			if c.Mean != nil {
				var err error
				if column.Quantiles, err = t.quantiles(at, k, c); err != nil {
					return nil, err
				}
			}
			one.Columns = append(one.Columns, column)
		}
		s.Parts = append(s.Parts, one)
	}
	return s, nil
}

// quantiles returns those of the numbers of a column.
func (t *gathered) quantiles(part, k int, c data.ColumnStatistics) (map[string]float64, error) {
	sketch, err := t.numbers.of(part, k)
	if err != nil {
		return nil, err
	}
	values, err := sketch.GetValuesAtQuantiles(quantiles)
	if err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for i, q := range quantiles {
		all[fmt.Sprint(q)] = max(*c.Min, min(*c.Max, values[i]))
	}
	return all, nil
}

// json returns the content of StatisticsFile.
func (s *Statistics) json() ([]byte, error) {
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}
