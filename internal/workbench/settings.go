package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/recipe"
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
	set     []string        // as --set has them
}

// sources are the keys that name what is read.
var sources = []string{"data.path", "data.builtin", "data.test_path", "data.query", "data.scratch"}

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
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		one := string(s.Set[key])
		if key == "output.dir" || key == "output.tables" || slices.Contains(sources, key) || key == "model.init" && (s.From != nil || recipe.IsPath(one)) {
			return nil, usage("set: %s names what is read, which is not for a page to set: leave it out, or use the command", key)
		}
		p.set = append(p.set, key+"="+one)
	}
	p.set = append(p.set, "output.dir="+b.options.Runs)
	return p, nil
}

// ofBuiltin returns the settings of a built-in table.
func ofBuiltin(name string, s settings) ([]string, error) {
	if len(s.Units) > 0 {
		return nil, usage("units: those of a built-in table cannot be changed: leave them out")
	}
	set := []string{"preset=" + s.Preset, "data.builtin=" + name}
	if len(s.Target) > 0 {
		set = append(set, "data.target="+inYAML(s.Target))
	}
	if s.LeaveOut != nil && len(*s.LeaveOut) > 0 {
		set = append(set, "data.ignore="+inYAML(*s.LeaveOut))
	}
	return set, nil
}

// load returns the configuration of the plan with further keys, as --set has them.
func (p *plan) load(more ...string) (*config.Config, error) {
	source := config.Source{Set: slices.Concat(p.set, more)}
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
