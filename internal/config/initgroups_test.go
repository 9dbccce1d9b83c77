package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestInitPairs: rows that two columns name together may belong together, if one of both says when; not those that differ by chance.
func TestInitPairs(t *testing.T) {
	for name, c := range map[string]struct {
		head  string
		row   func(i int) string
		group string
		noted bool
	}{
		"panel":         {"firm,year", func(i int) string { return fmt.Sprintf("%d,%d", i/5, 2000+i%5) }, "firm", true},
		"series":        {"firm,year", func(i int) string { return fmt.Sprintf("%d,%d", i/20, 2000+i%20) }, "", false},
		"words":         {"store,week", func(i int) string { return fmt.Sprintf("s%d,%d", i%40, i/40) }, "store", true},
		"dates":         {"shop,when", func(i int) string { return fmt.Sprintf("s%d,2024-%02d-%02d", i%40, 1+i/40, 1+i*i%3) }, "shop", true},
		"by its name":   {"patient,visit", func(i int) string { return fmt.Sprintf("%d,%d", i/4, i%4) }, "patient", false},
		"a grid":        {"pressure,load", func(i int) string { return fmt.Sprintf("%d,%d", i/8, i%8) }, "", false},
		"by chance":     {"cars,day", func(i int) string { return fmt.Sprintf("%d,%d", i*7%151, i*11%149) }, "", false},
		"twice":         {"firm,year", func(i int) string { return fmt.Sprintf("%d,%d", i/8, 2000+max(1, i%8)) }, "", false},
		"only of times": {"month,day", func(i int) string { return fmt.Sprintf("%d,%d", 1+i/28, 1+i%28) }, "", false},
	} {
		lines := []string{c.head + ",x,y"}
		for i := range 320 {
			lines = append(lines, fmt.Sprintf("%s,%d,%d.5", c.row(i), i*i%31, i*i*i%97))
		}
		initial := testenv.Must(Init(data.Input{Name: write(t, strings.Join(lines, "\n"))}, InitOptions{Preset: "readable"}))
		want := c.group != ""
		if got := strings.Contains(string(initial.YAML), fmt.Sprintf("rows of one %s may belong together", c.group)); got != want {
			t.Errorf("%s: data.group is suggested: %t", name, got)
		}
		if noted := strings.Contains(strings.Join(initial.Warnings, "\n"), "no two rows have the same "); noted != c.noted {
			t.Errorf("%s: noted: %t, %q", name, noted, initial.Notes)
		}
	}
}
