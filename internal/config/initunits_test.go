package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestInitUnits: names end in units where they do so clearly, those that are given hold, and the configuration can be read.
func TestInitUnits(t *testing.T) {
	want := map[string]string{"Length (mm)": "mm", "speed(m/s)": "m/s", "Temp [°C]": "°C", "PM ( µg/m3 )": "µg/m3", "share (%)": "%",
		"Flow [l/min]": "l/min", "rate (1/min)": "1/min", "weight_kg": "kg", "cost per kg (€)": "€", "power (W/m²)": "W/m²",
		"wall (s)": "s", "Item(s)": "", "T (min)": "", "T (max)": "", "knee (m)": "", "knee (f)": "", "Count (N)": "",
		"x (a.u.)": "", "flow (in)": "", "log (kg)": "",
		"log_weight_kg": "", "price_per_kg": "", "foo_bar": "", "kg": "", "(kg)": "", "words (kg)": "", "constant (kg)": "",
		"given (m)": "", "own": "°F",
		"class (m)": ""}
	names := slices.Sorted(maps.Keys(want))
	lines := []string{strings.Join(names, ",")}
	for i := range 60 {
		var cells []string
		for k, name := range names {
			cell := fmt.Sprint(float64(i*i*(k+3)*7%(29+k)) + 0.5)
			switch name {
			case "words (kg)":
				cell = "w" + fmt.Sprint(i%3)
			case "constant (kg)":
				cell = "1"
			case "class (m)":
				cell = fmt.Sprint(i % 2)
			}
			cells = append(cells, cell)
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	path := write(t, strings.Join(lines, "\n"))
	initial := testenv.Must(Init(data.Input{Name: path}, InitOptions{Preset: "readable", Targets: []string{"class (m)"},
		Units: map[string]string{"own": "°F", "given (m)": ""}}))
	c, err := load(t, string(initial.YAML), nil, nil)
	testenv.OK(t, err)
	for name, unit := range want {
		testenv.Equal(t, c.Data.Units[name], unit, name)
	}
	note := `units from the names of columns (data.units): "Flow [l/min]", "Length (mm)", "PM ( µg/m3 )", "Temp [°C]", "cost per kg (€)"`
	if !strings.Contains(strings.Join(initial.Notes, "\n"), note) {
		t.Errorf("notes: %q, want %s", initial.Notes, note)
	}
}
