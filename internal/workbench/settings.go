package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
)

// settings are what a page says of a training. Pointers and maps that are nil leave the choice to config.Init.
type settings struct {
	Table    string            `json:"table"`
	Preset   string            `json:"preset"` // empty: readable
	Target   []string          `json:"target"`
	LeaveOut *[]string         `json:"leave_out"`
	Units    map[string]string `json:"units"`
	Set      map[string]value  `json:"set"` // by key of the configuration, over all else
}

// value is the value of a key: JSON, or a text as --set takes it.
type value string

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) != nil {
		s = string(text)
	}
	*v = value(s)
	return nil
}

// made is a configuration that was made of settings.
type made struct {
	*config.Config
	table   table
	initial *config.Initial // nil for a built-in table
}

// configure makes the configuration of settings.
func configure(b *Bench, ctx context.Context, s settings) (*made, error) {
	t, err := find(b, s.Table)
	if err != nil {
		return nil, err
	}
	if s.Preset == "" {
		s.Preset = presets[0].Name
	}
	m := &made{table: t}
	var text []byte
	set := []string{"preset=" + s.Preset}
	if t.builtin != "" {
		set = append(set, "data.builtin="+t.builtin)
		if len(s.Target) > 0 {
			set = append(set, "data.target="+list(s.Target))
		}
		if s.LeaveOut != nil && len(*s.LeaveOut) > 0 {
			set = append(set, "data.ignore="+list(*s.LeaveOut))
		}
		if len(s.Units) > 0 {
			return nil, usage("units: those of a built-in table cannot be changed: leave them out")
		}
	} else {
		known := maps.Clone(s.Units)
		maps.DeleteFunc(known, func(_, unit string) bool { return unit == "" })
		m.initial, err = config.Init(data.Input{Name: t.path, Context: ctx}, config.InitOptions{Preset: s.Preset, Targets: s.Target, Ignore: s.LeaveOut, Units: known})
		if err != nil {
			return nil, err
		}
		text = m.initial.YAML
	}
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		set = append(set, key+"="+string(s.Set[key]))
	}
	set = append(set, "output.dir="+b.options.Runs)
	m.Config, err = config.Load(config.Source{Path: "config.yaml", Text: text, Set: set})
	return m, err
}

// list returns names as a list in YAML.
func list(names []string) string {
	text, err := json.Marshal(names)
	if err != nil {
		panic(fmt.Sprintf("workbench: %v", err)) // texts can always be written
	}
	return strings.TrimSpace(string(text))
}
