package config

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestInitLeaks: the parts of a total and copies of the target are left out, with a note; what only rises with it, and what
// nothing would be left without, stays.
func TestInitLeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	table := func(header string, row func(a, b float64) []float64) string {
		text := header + "\n"
		for range 120 {
			a, b := float64(rng.IntN(1000)), float64(rng.IntN(500))
			text += strings.Trim(strings.ReplaceAll(fmt.Sprint(row(a, b)), " ", ","), "[]") + "\n"
		}
		return write(t, text)
	}
	for _, c := range []struct {
		path   string
		ignore []string
		note   string
	}{
		{table("temp,casual,registered,cnt", func(a, b float64) []float64 { return []float64{a + rng.NormFloat64(), a, b, a + b} }),
			[]string{"casual", "registered"}, `a leak: "cnt" = "casual" + "registered" in every row: left out (data.ignore)`},
		{table("a,euro,cent", func(a, b float64) []float64 { return []float64{b, a / 100, a} }),
			[]string{"euro"}, `a leak: "cent" = 100 "euro" in every row: left out (data.ignore)`},
		{table("a,log,y", func(a, b float64) []float64 { return []float64{b, math.Log1p(a), a} }),
			nil, `a leak? "log" rises wherever "y" does, in every row. Leave out what is not known before the target is: data.ignore: [log]`},
		{table("half,y", func(a, b float64) []float64 { return []float64{a / 2, a} }),
			nil, `a leak? "y" = 2 "half" in every row. Leave out`},
		{table("a,b,y", func(a, b float64) []float64 { return []float64{a, b, a + b + rng.NormFloat64()} }), nil, ""},
	} {
		initial, err := Init(data.Input{Name: c.path}, InitOptions{Preset: "robust"})
		if err != nil {
			t.Fatal(err)
		}
		got, err := load(t, string(initial.YAML), nil, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, initial.YAML)
		}
		told := strings.Join(initial.Notes, "\n")
		if !slices.Equal(got.Data.Ignore, c.ignore) || !strings.Contains(told, c.note) || strings.Contains(told, "leak") != (c.note != "") {
			t.Errorf("ignored %v, want %v; notes\n%s\nwant %s", got.Data.Ignore, c.ignore, told, c.note)
		}
	}
}
