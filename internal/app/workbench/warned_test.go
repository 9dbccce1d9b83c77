package workbench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWarnings: a run whose model is no better than the mean says so in the list; a good one does not.
func TestWarnings(t *testing.T) {
	b := bench(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var table strings.Builder
	table.WriteString("x,z,y\n")
	for range 120 {
		fmt.Fprintf(&table, "%.3f,%.3f,%.3f\n", rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
	}
	if _, err := b.Upload("noise.csv", strings.NewReader(table.String())); err != nil {
		t.Fatal(err)
	}
	good, _ := ask[trained](t, b, "train", small)
	noise, _ := ask[trained](t, b, "train", strings.Replace(small, "heating.csv", "noise.csv", 1))
	listed, _ := ask[[]listed](t, b, "runs", "")
	for _, r := range listed {
		switch r.Run {
		case good.Run:
			if strings.Contains(strings.Join(r.Warnings, " "), "no better than") {
				t.Errorf("heating: %q", r.Warnings)
			}
		case noise.Run:
			if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "no better than the training mean on the test part") {
				t.Errorf("noise: %q", r.Warnings)
			}
		}
	}
	if len(listed) != 2 {
		t.Errorf("%d runs", len(listed))
	}
}
