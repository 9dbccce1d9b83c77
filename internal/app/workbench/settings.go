package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
)

// settings are what a page says of a training. What is nil or empty is left to config.Init.
type settings struct {
	Table    string            `json:"table"`
	Preset   string            `json:"preset"` // empty: readable
	Target   []string          `json:"target"`
	LeaveOut *[]string         `json:"leave_out"`
	Units    map[string]string `json:"units"`
	Set      map[string]value  `json:"set"` // by key of the configuration, over all else
	From     *edited           `json:"from"`

	found *table // that Table names, if it is known
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

// plan is what configurations of the settings are made of.
type plan struct {
	table   *table
	initial *config.Initial // nil for a built-in table
	set     []config.Pair
}

// fixed are the keys that the table and the directory of the runs decide, besides those whose values are outside of the configuration.
var fixed = []string{"data.builtin", "output.tables"}

// prepare looks at the table of the settings.
func prepare(ctx context.Context, b *Bench, s settings) (*plan, error) {
	t, err := s.found, error(nil)
	if t == nil {
		if t, err = find(b, s.Table); err != nil {
			return nil, err
		}
	}
	if s.Preset == "" {
		s.Preset = presets[0].Name
	}
	p := &plan{table: t}
	if t.builtin != "" {
		p.set, err = ofBuiltin(t.builtin, s)
	} else {
		units := maps.Clone(s.Units)
		maps.DeleteFunc(units, func(_, unit string) bool { return unit == "" })
		p.initial, err = config.Init(data.Input{Name: t.path, Context: ctx}, config.InitOptions{
			Preset: s.Preset, Targets: s.Target, Ignore: s.LeaveOut, Units: units, FromRules: s.From != nil,
		})
	}
	if err != nil {
		return nil, err
	}
	chosen, err := s.chosen()
	p.set = append(append(p.set, chosen...), config.Pair{Key: "output.dir", Value: b.options.Runs})
	return p, err
}

// chosen returns the values of keys that the page has set, none of which says what is read or written.
func (s settings) chosen() (set []config.Pair, err error) {
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		one := config.Pair{Key: key, Value: string(s.Set[key])}
		if one.Outside() || slices.Contains(fixed, key) || key == "model.init" && s.From != nil {
			return nil, message.Usagef("set: %s says what is read or written, which a page may not set: leave it out, or use the command", key)
		}
		set = append(set, one)
	}
	return set, nil
}

// ofBuiltin returns the settings of a built-in table.
func ofBuiltin(name string, s settings) ([]config.Pair, error) {
	if len(s.Units) > 0 {
		return nil, message.Usagef("units: those of a built-in table cannot be changed: leave them out")
	}
	set := []config.Pair{{Key: "preset", Value: s.Preset}, {Key: "data.builtin", Value: name}}
	if len(s.Target) > 0 {
		set = append(set, config.Pair{Key: "data.target", Value: inYAML(s.Target)})
	}
	if s.LeaveOut != nil && len(*s.LeaveOut) > 0 {
		set = append(set, config.Pair{Key: "data.ignore", Value: inYAML(*s.LeaveOut)})
	}
	return set, nil
}

// load returns the configuration of the plan with further keys.
func (p *plan) load(more ...config.Pair) (*config.Config, error) {
	source := config.Source{Pairs: slices.Concat(p.set, more)}
	if p.initial != nil {
		source.Path, source.Text = runs.ConfigFile, p.initial.YAML
	}
	return config.Load(source)
}

// inYAML returns names as a list in YAML.
func inYAML(names []string) string {
	text, err := json.Marshal(names)
	if err != nil {
		panic(fmt.Sprintf("workbench: %v", err)) // texts can always be written
	}
	return string(text)
}
