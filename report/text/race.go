package text

import (
	"cmp"
	"io"
	"strconv"

	"github.com/tskgraph/tskgraph/internal/texttable"
	"github.com/tskgraph/tskgraph/report"
)

// writeRace writes what the settings of a race scored. Without one it writes
// nothing.
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
		t.Append(name, cmp.Or(r.Init, "-"), orDash(r.Antecedents), orDash(float64(r.Iterations)), orDash(r.DropRule), orDash(r.L2), orDash(float64(r.Splits)), score)
	}
	return t.Render()
}

// orDash writes a number, or a dash for zero: as in the options.
func orDash(v float64) string {
	if v == 0 {
		return "-"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
