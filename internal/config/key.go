package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
	"github.com/tskgraph/tskgraph/interval"
)

// Config is a configuration: what the commands that train, search and prune need to know.
type Config struct {
	Preset string
	Data   data.Source
	Recipe recipe.Recipe
	Tune   tune.Options // of the search that starts from Recipe
	Output Output

	time series.Spec // Data.Time, if one of its keys is set
}

// Output is the `output:` section.
type Output struct {
	Dir    string // each run writes its own new directory below it
	Tables bool   // whether it holds the rows of each part
}

// key is one key of config.yaml.
type key struct {
	name    string
	doc     string // what it means, its unit, its choices
	example string // the value in the template where the default is empty

	limits  *interval.Interval // of a number, or of each number in a list; nil: none
	choices []string           // of a text; nil: any
	orModel bool               // a text that names the file of a saved model is valid, too
	filled  bool               // the empty text is not valid
	outside bool               // it names files, a directory, or a database and its rows

	field func(*Config) value // where the value goes

	// shown reports whether the key has an effect in a configuration, so that a
	// resolved one shows it. Nil: always.
	shown func(*Config) bool
}

// value is where the value of a key goes: it reads and writes itself as YAML and describes itself.
type value interface {
	decode(d decoder, n *yaml.Node)
	node() *yaml.Node
	schema(k key) *schema
}

// decoder decodes the value of a key.
type decoder struct {
	faults *[]*Error // where faults go
	origin origin
	key    key
	within string // which part of the value: "setting 2: "
}

// in returns the decoder of a part of the value.
func (d decoder) in(of string) decoder {
	d.within += printable(of) + ": "
	return d
}

func (d decoder) fault(n *yaml.Node, format string, a ...any) {
	*d.faults = append(*d.faults, d.origin.fault(n, d.key.name, d.within+fmt.Sprintf(format, a...)))
}

// pairs calls f for each pair of a mapping, refusing repeated names.
func (d decoder) pairs(n *yaml.Node, f func(name string, at, value *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		switch {
		case name.Kind != yaml.ScalarNode || name.Tag == "!!null":
			d.fault(name, "%s for a name", describe(name))
		case seen[name.Value]:
			d.fault(name, "%s is given twice", strconv.Quote(shorten(name.Value)))
		default:
			seen[name.Value] = true
			f(name.Value, name, value)
		}
	}
}

// byColumn calls f for each column of a mapping, whose name the faults have.
func (d decoder) byColumn(n *yaml.Node, want string, f func(d decoder, column string, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		d.fault(n, "%s: want %s", describe(n), want)
		return
	}
	d.pairs(n, func(column string, _, value *yaml.Node) {
		f(d.in(fmt.Sprintf("column %q", shorten(column))), column, value)
	})
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
		body, err := json.Marshal(one.schema)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", one.name, body)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// word is a name, which may look like a number.
func word() *schema { return &schema{Type: []string{"string", "number", "boolean"}} }

func listOfNames() *schema { return &schema{Type: "array", Items: word()} }

// oneOrSeveral is the schema of a name or a list of names.
func oneOrSeveral() *schema {
	several := listOfNames()
	several.MinItems = 1
	return &schema{AnyOf: []*schema{{Type: "string"}, several}}
}

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
