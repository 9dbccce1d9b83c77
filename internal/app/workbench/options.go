package workbench

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/config"
)

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
	"task", "model.rules", "model.membership", "model.antecedents", "model.terms", "model.curves", "model.init", "model.round", "model.signs", "model.bounds",
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
	o := option{Key: key, Value: s.Default, Doc: s.Description, Kind: "text", Choices: s.choices(), Min: s.Minimum, Max: s.Maximum, Above: s.Above, Below: s.Below}
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
