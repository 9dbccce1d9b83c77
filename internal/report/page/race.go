package page

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// RaceColumns returns the headings of the keys that some setting of the race sets.
func (v *view) RaceColumns() []string {
	var columns []string
	for _, s := range raceSettings(tskgraph.RaceScore{}, nil) {
		if slices.ContainsFunc(v.race(), func(r tskgraph.RaceScore) bool { return slices.ContainsFunc(raceSettings(r, v.race()), s.sets) }) {
			columns = append(columns, s.Key)
		}
	}
	return columns
}

// sets reports whether another setting has the same key and a value.
func (s setting) sets(other setting) bool { return other.Key == s.Key && other.Value != "" }

// raceRow is a setting of the race.
type raceRow struct {
	tskgraph.RaceScore
	Values []string // by RaceColumns
}

// RaceRows returns the rows of the settings of the race.
func (v *view) RaceRows() []raceRow {
	columns := v.RaceColumns()
	var rows []raceRow
	for _, r := range v.race() {
		row := raceRow{RaceScore: r}
		for _, s := range raceSettings(r, v.race()) {
			if slices.Contains(columns, s.Key) {
				row.Values = append(row.Values, cmp.Or(s.Value, "\u2013"))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// race returns the scores of the race; nil for fewer than two settings.
func (v *view) race() []tskgraph.RaceScore {
	if v.Summary == nil || len(v.Summary.Race) < 2 {
		return nil
	}
	return v.Summary.Race
}

// raceSettings returns the values of a setting of a race by heading, and its splits and fidelity; empty
// for keys that it does not set.
func raceSettings(r tskgraph.RaceScore, race []tskgraph.RaceScore) []setting {
	var all []setting
	for _, k := range recipe.RaceKeys() {
		all = append(all, setting{k.Heading(), r.Setting.Text(k.Own())})
	}
	fidelity := ""
	if r.Fidelity > 0 { // not NaN
		fidelity = strconv.FormatFloat(r.Fidelity, 'f', 2, 64)
	}
	return append(all, setting{"splits", report.SplitsOf(r, race)}, setting{"fidelity", fidelity})
}
