package text

import (
	"cmp"
	"io"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/texttable"
	"github.com/tskgraph/tskgraph/report"
)

// writeRace writes the scores of the settings of a race; nothing without a race.
func writeRace(w io.Writer, s *report.Summary) error {
	if len(s.Race) < 2 {
		return nil
	}
	t := texttable.New(w, 1)
	t.Header("race", "init", "features per rule", "iterations", "droprule", "l2", "splits", "held-out RMSE")
	for i, r := range s.Race {
		name, score := "setting "+strconv.Itoa(i+1), figure(r.RMSE)
		if r.Chosen {
			name += ", chosen"
		}
		if r.Failed != "" {
			score = "failed"
		}
		row := []any{name}
		for _, key := range []string{"init", "antecedents", "iterations", "droprule", "l2"} {
			row = append(row, cmp.Or(r.Setting.Text(key), "-"))
		}
		splits := "-"
		if r.Splits > 0 {
			splits = strconv.Itoa(r.Splits)
		}
		t.Append(append(row, splits, score)...)
	}
	return t.Render()
}
