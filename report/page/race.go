package page

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/recipe"
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

// raceSettings lists the values of a setting by their labels; a key that it leaves as it is
// has none.
func raceSettings(r tskgraph.RaceScore) []setting {
	var all []setting
	for _, k := range recipe.RaceKeys() {
		all = append(all, setting{k.Heading(), r.Setting.Text(k.Own())})
	}
	splits := ""
	if r.Splits > 0 {
		splits = strconv.Itoa(r.Splits)
	}
	return append(all, setting{"splits", splits})
}
