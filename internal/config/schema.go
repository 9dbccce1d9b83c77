package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/interval"
)

// Schema returns the JSON Schema (draft 2020-12) of config.yaml: every key with its type,
// range, choices, meaning and default. It does not describe what does not go
// together, such as an optimizer and an option of another one; [Load] finds that.
func Schema() []byte {
	root := &schema{
		Dialect:    "https://json-schema.org/draft/2020-12/schema",
		Title:      "Configuration of tskgraph",
		Type:       []string{"object", "null"},
		Additional: false,
	}
	c := presetConfig(recipe.Presets()[0])
	var section *schema
	for i, k := range keys() {
		name, own := k.section()
		if before, _ := keys()[max(i-1, 0)].section(); name != "" && name != before {
			section = &schema{Type: []string{"object", "null"}, Additional: false}
			root.Properties = append(root.Properties, property{name, section})
		}
		s := k.field(c).schema(k)
		s.Description = k.doc
		s.Default, s.Examples = shownInSchema(k, c)
		if name == "" {
			root.Properties = append(root.Properties, property{own, s})
		} else {
			section.Properties = append(section.Properties, property{own, s})
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		panic(fmt.Sprintf("config: %v", err)) // it has no value that JSON has not
	}
	return b.Bytes()
}

// schema is what a JSON Schema says of a value, as far as it is needed here.
type schema struct {
	Dialect     string          `json:"$schema,omitempty"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Type        any             `json:"type,omitempty"` // a name, or several
	Enum        []string        `json:"enum,omitempty"`
	Pattern     string          `json:"pattern,omitempty"`
	MinLength   int             `json:"minLength,omitempty"`
	AnyOf       []*schema       `json:"anyOf,omitempty"`
	Minimum     *float64        `json:"minimum,omitempty"`
	Above       *float64        `json:"exclusiveMinimum,omitempty"`
	Maximum     *float64        `json:"maximum,omitempty"`
	Below       *float64        `json:"exclusiveMaximum,omitempty"`
	Items       *schema         `json:"items,omitempty"`
	MinItems    int             `json:"minItems,omitempty"`
	MaxItems    int             `json:"maxItems,omitempty"`
	Properties  properties      `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Additional  any             `json:"additionalProperties,omitempty"` // a schema, or false
	Default     json.RawMessage `json:"default,omitempty"`
	Examples    json.RawMessage `json:"examples,omitempty"`
}

// property is a property of an object; properties keep their order.
type property struct {
	name   string
	schema *schema
}

type properties []property

// MarshalJSON writes an object.
func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, one := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := json.Marshal(one.schema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", one.name, text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// word is a name, which may look like a number.
func word() *schema { return &schema{Type: []string{"string", "number", "boolean"}} }

func listOfNames() *schema { return &schema{Type: "array", Items: word()} }

// numberSchema is that of a number in an interval.
func numberSchema(i *interval.Interval, kind string) *schema {
	s := &schema{Type: kind}
	if i == nil {
		return s
	}
	if i.WithoutLow {
		s.Above = &i.Low
	} else {
		s.Minimum = &i.Low
	}
	switch {
	case math.IsInf(i.High, 1):
	case i.WithoutHigh:
		s.Below = &i.High
	default:
		s.Maximum = &i.High
	}
	return s
}

// shownInSchema returns the default of a key or, if it has none, an example, as the
// template shows it.
func shownInSchema(k key, c *Config) (value, examples json.RawMessage) {
	var v any
	if err := yaml.Unmarshal([]byte(k.templateValue(c)), &v); err != nil {
		panic(fmt.Sprintf("config: %s: %v", k.name, err)) // the template is YAML
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("config: %s: %v", k.name, err))
	}
	if n := k.field(c).node(); n.Tag == "!!str" && n.Value == "" && k.example != "" && k.choices == nil {
		return nil, json.RawMessage("[" + string(text) + "]")
	}
	return text, nil
}
