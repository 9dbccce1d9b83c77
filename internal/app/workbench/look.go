package workbench

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/config"
)

// looked is the result of look.
type looked struct {
	Table    string   `json:"table"`
	Rows     int      `json:"rows"`
	Inputs   int      `json:"inputs"` // columns
	Targets  []string `json:"targets"`
	Guessed  bool     `json:"guessed"` // the target is a guess
	Fixed    bool     `json:"fixed"`   // targets, columns and units cannot be changed: the table is built in
	Task     string   `json:"task"`    // regression or classification
	Notes    []string `json:"notes"`
	Warnings []string `json:"warnings"`
	Columns  []column `json:"columns"`
	Config   string   `json:"config"` // YAML
	Options  []option `json:"options"`
}

// column is a column of a table.
type column struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"` // number, words, date, mixed or empty
	Unit     string   `json:"unit"`
	Missing  int      `json:"missing"`
	Distinct int      `json:"distinct"`
	Examples []string `json:"examples,omitempty"` // of what is not numbers
	Min      *float64 `json:"min,omitempty"`
	Max      *float64 `json:"max,omitempty"`
	Mean     *float64 `json:"mean,omitempty"`
	Use      string   `json:"use"` // target, input or left out
	Why      string   `json:"why"` // it is left out, or how it is read
}

func answerLook(c call) (any, error) {
	var s settings
	if err := c.decode(&s); err != nil {
		return nil, err
	}
	if s.From != nil {
		return nil, message.Usagef("from: is for train")
	}
	p, err := prepare(c.ctx, c.Bench, s)
	if err != nil {
		return nil, err
	}
	m, err := p.load()
	if err != nil {
		return nil, err
	}
	l := &looked{Table: s.Table, Task: "regression", Notes: []string{}, Warnings: []string{}}
	if l.Options, err = options(m); err != nil {
		return nil, err
	}
	if p.initial == nil {
		return l, l.ofBuiltin(p.table.builtin, m)
	}
	if l.ofTable(p.initial, m); len(s.Set) > 0 {
		l.Config = string(m.YAML())
	}
	return l, nil
}

// ofTable describes a table of the user.
func (l *looked) ofTable(in *config.Initial, m *config.Config) {
	l.Rows, l.Inputs, l.Targets, l.Guessed, l.Config = in.Rows, in.Inputs, in.Targets, in.Guessed, string(in.YAML)
	l.Warnings = append(l.Warnings, in.Warnings...)
	for _, note := range in.Notes {
		if !slices.Contains(in.Warnings, note) {
			l.Notes = append(l.Notes, note)
		}
	}
	for _, p := range in.Columns {
		c := column{Name: p.Name, Kind: kind(p), Unit: m.Data.Units[p.Name], Missing: p.Missing, Distinct: p.Distinct, Use: "input", Why: p.Why}
		if c.Kind == "number" {
			c.Min, c.Max, c.Mean = numeric.OrNil(p.Low.Value), numeric.OrNil(p.High.Value), numeric.OrNil(p.Mean)
		} else {
			c.Examples = examples(p.Values)
		}
		switch {
		case p.Target:
			c.Use = "target"
			if m.Data.Task == "classification" || m.Data.Task != "regression" && c.Kind == "words" {
				l.Task = "classification"
			}
		case p.Ignored:
			c.Use = "left out"
		}
		l.Columns = append(l.Columns, c)
	}
}

// kind returns what the cells of a column are.
func kind(c config.Column) string {
	switch present := c.Present(); {
	case present == 0:
		return "empty"
	case 10*c.Dates >= 9*present:
		return "date"
	case c.OfNumbers():
		return "number"
	case c.Words == present:
		return "words"
	}
	return "mixed"
}

// examples returns the first few values, shortened.
func examples(values []string) []string {
	const most, long = 5, 40
	some := slices.Clone(values[:min(most, len(values))])
	for i, v := range some {
		if r := []rune(v); len(r) > long {
			some[i] = string(r[:long]) + "…"
		}
	}
	return some
}

// ofBuiltin describes a built-in table, whose inputs are numbers.
func (l *looked) ofBuiltin(name string, m *config.Config) error {
	d, _, err := data.Builtin(name)
	if err != nil {
		return err
	}
	l.Rows, l.Inputs, l.Targets, l.Fixed, l.Config = d.Len(), len(d.Schema.Columns), d.Schema.Targets(), true, string(m.YAML())
	l.Notes = append(l.Notes, "a built-in table: "+data.BuiltinDoc(name))
	for i, in := range d.Schema.Columns {
		cells := make([]float64, d.Len())
		for n, row := range d.X {
			cells[n] = row[i]
		}
		l.Columns = append(l.Columns, numbers(in.Name, "input", cells))
	}
	target := numbers(d.Schema.Target, "target", d.Y)
	if classes := d.Schema.Classes; classes != nil {
		l.Task, target = "classification", column{Name: d.Schema.Target, Kind: "words", Distinct: len(classes), Examples: examples(classes),
			Use: "target"}
	}
	l.Columns = append(l.Columns, target)
	return nil
}

// numbers describes a column of numbers without missing ones.
func numbers(name, use string, cells []float64) column {
	sorted, sum := slices.Sorted(slices.Values(cells)), 0.0
	for _, v := range cells {
		sum += v
	}
	least, most, mean := sorted[0], sorted[len(sorted)-1], sum/float64(len(cells))
	return column{Name: name, Kind: "number", Distinct: len(slices.Compact(sorted)), Min: &least, Max: &most, Mean: &mean, Use: use}
}

// option is a key of the configuration that a page offers, by its JSON Schema.
type option struct {
	Key     string   `json:"key"`
	Value   any      `json:"value"` // in the configuration
	Doc     string   `json:"doc"`
	Kind    string   `json:"kind"` // integer, number, boolean, choice, or text: YAML
	Choices []string `json:"choices,omitempty"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Above   *float64 `json:"above,omitempty"` // the value is more than that
	Below   *float64 `json:"below,omitempty"`
}

// offered are the keys that a page offers; all others can be set, too.
var offered = []string{
	"task", "model.rules", "model.membership", "model.antecedents", "model.terms", "model.curves", "model.init", "model.round",
	"model.signs", "model.bounds",
	"train.fidelity", "train.iterations", "train.loss", "train.class_weights", "train.members", "train.patience", "train.seed",
	"data.missing", "data.split", "data.train", "data.validation", "data.calibration", "data.group",
}

// options returns the keys that a page offers, with their values in a configuration.
func options(c *config.Config) ([]option, error) {
	schema, err := keySchemas()
	if err != nil {
		return nil, err
	}
	values := c.Values()
	var all []option
	for _, key := range offered {
		o := schema[key].option(key)
		if text, shown := values[key]; shown {
			if err := yaml.Unmarshal([]byte(text), &o.Value); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			if o.Kind == "text" {
				o.Value = strings.TrimSpace(text)
			}
		}
		all = append(all, o)
	}
	return all, nil
}

// keySchema is what the JSON Schema of the configuration says of a key, as far as a page uses it.
type keySchema struct {
	Description string               `json:"description"`
	Type        any                  `json:"type"`
	Enum        []string             `json:"enum"`
	AnyOf       []keySchema          `json:"anyOf"`
	Minimum     *float64             `json:"minimum"`
	Maximum     *float64             `json:"maximum"`
	Above       *float64             `json:"exclusiveMinimum"`
	Below       *float64             `json:"exclusiveMaximum"`
	Default     any                  `json:"default"`
	Properties  map[string]keySchema `json:"properties"`
}

// keySchemas returns the schemas of the keys by name.
var keySchemas = sync.OnceValues(func() (map[string]keySchema, error) {
	var root keySchema
	if err := json.Unmarshal(config.Schema(), &root); err != nil {
		return nil, err
	}
	all := map[string]keySchema{}
	for section, s := range root.Properties {
		if s.Properties == nil {
			all[section] = s
		}
		for name, key := range s.Properties {
			all[section+"."+name] = key
		}
	}
	return all, nil
})

// option returns the option of a key.
func (s keySchema) option(key string) option {
	o := option{Key: key, Value: s.Default, Doc: s.Description, Kind: "text", Choices: s.choices(), Min: s.Minimum, Max: s.Maximum,
		Above: s.Above, Below: s.Below}
	switch kind, _ := s.Type.(string); {
	case o.Choices != nil:
		o.Kind = "choice"
	case kind == "integer" || kind == "number" || kind == "boolean":
		o.Kind = kind
	}
	return o
}

// choices returns the texts that a value can be; nil if it can be something else.
func (s keySchema) choices() []string {
	if len(s.Enum) > 0 {
		return s.Enum
	}
	for _, way := range s.AnyOf {
		if len(way.Enum) > 1 {
			return way.Enum
		}
	}
	return nil
}
