package text

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/texttable"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// raceKeys are the keys, by their own names, that the table of a race shows if the settings
// differ in them: those of the rules, and few others, since a line has to fit a terminal.
var raceKeys = []string{"rules", "membership", "init", "antecedents", "curves", "softness", "agreement", "iterations", "droprule", "l2"}

// raceColumns returns the keys of the columns of a race.
func raceColumns(race []tskgraph.RaceScore) []recipe.Key {
	return slices.DeleteFunc(recipe.RaceKeys(), func(k recipe.Key) bool {
		return !slices.Contains(raceKeys, k.Own()) || !slices.ContainsFunc(race, func(s tskgraph.RaceScore) bool {
			return s.Setting.Text(k.Own()) != race[0].Setting.Text(k.Own())
		})
	})
}

// writeRace writes the scores of the settings of a race; nothing without a race.
func writeRace(w io.Writer, s *report.Summary) error {
	if len(s.Race) < 2 {
		return nil
	}
	columns := raceColumns(s.Race)
	t, header := texttable.New(w, 1), []any{"race"}
	for _, k := range columns {
		header = append(header, k.Heading())
	}
	t.Header(append(header, "splits", "fidelity", "held-out "+s.Race[0].Metric)...)
	for i, r := range s.Race {
		name, score := "setting "+strconv.Itoa(i+1), figure(r.Loss)
		if r.Chosen {
			name += ", chosen"
		}
		if r.Failed != "" {
			score = "failed"
		}
		row := []any{name}
		for _, k := range columns {
			row = append(row, cmp.Or(r.Setting.Text(k.Own()), "-"))
		}
		fidelity := "-"
		if r.Fidelity > 0 { // not NaN
			fidelity = strconv.FormatFloat(r.Fidelity, 'f', 2, 64)
		}
		t.Append(append(row, cmp.Or(report.SplitsOf(r, s.Race), "-"), fidelity, score)...)
	}
	return t.Render()
}
