package page

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
)

// RaceColumns are the options that the settings of the race set.
func (v *view) RaceColumns() []string {
	var columns []string
	for _, s := range raceSettings(tskgraph.RaceScore{}) {
		if slices.ContainsFunc(v.race(), func(r tskgraph.RaceScore) bool { return slices.ContainsFunc(raceSettings(r), s.sets) }) {
			columns = append(columns, s.Key)
		}
	}
	return columns
}

// sets reports whether another setting is of the same key and has a value.
func (s setting) sets(other setting) bool { return other.Key == s.Key && other.Value != "" }

// raceRow is a setting of the race.
type raceRow struct {
	tskgraph.RaceScore
	Values []string // by RaceColumns
}

// RaceRows lists the settings of the race.
func (v *view) RaceRows() []raceRow {
	columns := v.RaceColumns()
	var rows []raceRow
	for _, r := range v.race() {
		row := raceRow{RaceScore: r}
		for _, s := range raceSettings(r) {
			if slices.Contains(columns, s.Key) {
				row.Values = append(row.Values, cmp.Or(s.Value, "\u2013"))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// race is that of the run; one setting is none.
func (v *view) race() []tskgraph.RaceScore {
	if v.Summary == nil || len(v.Summary.Race) < 2 {
		return nil
	}
	return v.Summary.Race
}

// raceSettings lists the options of a setting; one that it leaves as it is has no
// value.
func raceSettings(r tskgraph.RaceScore) []setting {
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return []setting{
		{"init", r.Init}, {"iterations", number(float64(r.Iterations))}, {"batch", number(float64(r.Batch))},
		{"features per rule", number(r.Antecedents)}, {"droprule", number(r.DropRule)}, {"l2", number(r.L2)},
		{"learning rate", number(r.LearningRate)}, {"rate of THEN parts", number(r.ConsequentRate)}, {"uniform", number(r.Uniform)}, {"splits", number(float64(r.Splits))},
	}
}
