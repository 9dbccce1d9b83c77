package text

import (
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// TestRaceColumns: the table of a race has the keys in which its settings differ, and the
// fidelity of settings that have one.
func TestRaceColumns(t *testing.T) {
	s := &report.Summary{Race: []tskgraph.RaceScore{
		{Setting: recipe.Setting{"membership": "gaussian", "iterations": 40, "batch": 8}, Metric: "RMSE", Loss: 2.5, Fidelity: 1.0625, Splits: 3, Chosen: true},
		{Setting: recipe.Setting{"membership": "sigmoid", "iterations": 40, "l2": 0.1}, Metric: "RMSE", Loss: 2, Fidelity: math.NaN(), Splits: 1},
	}}
	var b strings.Builder
	if err := writeRace(&b, s); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(b.String()) {
		if strings.HasPrefix(line, "│") {
			got = append(got, strings.Join(strings.Fields(line), " "))
		}
	}
	want := []string{
		"│ race │ membership │ l2 │ splits │ fidelity │ held-out RMSE │",
		"│ setting 1, chosen │ gaussian │ - │ 3 │ 1.06 │ 2.5 │",
		"│ setting 2 │ sigmoid │ 0.1 │ 1, left │ - │ 2 │",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
