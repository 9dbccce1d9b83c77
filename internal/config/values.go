package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/suggest"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// value is a field that is neither text, number nor list.
type value interface {
	decode(d decoder, n *yaml.Node)
	node() *yaml.Node
	schema(k key) *schema
}

// decoder decodes the value of a key.
type decoder struct {
	*reading
	origin origin
	key    key
	within string // which part of the value: "setting 2: "
}

// in returns the decoder of a part of the value.
func (d decoder) in(part string) decoder {
	d.within += printable(part) + ": "
	return d
}

func (d decoder) fault(n *yaml.Node, format string, a ...any) {
	d.faults = append(d.faults, d.origin.fault(n, d.key.name, d.within+fmt.Sprintf(format, a...)))
}

// decode stores the value of a node in a field, if it has exactly the field's type, 64.7
// is no count and "500" no number, and is within the key's limits.
func (d decoder) decode(n *yaml.Node, field any) {
	switch f := field.(type) {
	case *string:
		d.text(n, f)
	case *int:
		number(d, n, f, "a whole number", "!!int", strconv.Atoi)
	case *uint64:
		number(d, n, f, "a whole number, 0 or more", "!!int", func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
	case *float64:
		tag := "!!float"
		if n.Tag == "!!int" {
			tag = n.Tag
		}
		number(d, n, f, "a number", tag, parseFinite)
	case recipe.Scalar:
		v := f.Get()
		d.decode(n, &v)
		f.Set(v)
	case *bool:
		if v, err := strconv.ParseBool(n.Value); n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && err == nil {
			*f = v
		} else {
			d.fault(n, "%s: want true or false", describe(n))
		}
	case *[]string:
		d.names(n, f)
	case value:
		f.decode(d, n)
	default:
		panic(fmt.Sprintf("config: no decoder for %T", field))
	}
}

func (d decoder) text(n *yaml.Node, field *string) {
	s := n.Value
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		d.fault(n, "%s: want a name or text", describe(n))
	case n.Tag != "!!str":
		d.fault(n, "%s: want a name or text: put it in quotes", describe(n))
	case d.key.filled && s == "":
		d.fault(n, "must not be empty")
	case d.key.choices != nil && !slices.Contains(d.key.choices, s) && !(d.key.orModel && recipe.IsPath(s)):
		known := d.key.choices
		d.fault(n, "%s: choose %s%s", describe(n), recipe.OneOf(known, d.key.orModel), didYouMean(suggest.Closest(s, known)))
	default:
		*field = s
	}
}

// number stores a number that is written as the tag says.
func number[T int | uint64 | float64](d decoder, n *yaml.Node, field *T, want, tag string, parse func(string) (T, error)) {
	if n.Kind != yaml.ScalarNode || n.Tag != tag && !(tag == "!!int" && wholeNumber.MatchString(n.Value) && n.Tag == "!!float") {
		d.fault(n, "%s: want %s", describe(n), want)
		return
	}
	v, err := parse(n.Value)
	switch {
	case errors.Is(err, strconv.ErrRange):
		d.fault(n, "%s: too large", describe(n))
	case err != nil:
		d.fault(n, "%s: want %s", describe(n), want)
	case !d.key.limits.Has(float64(v)):
		d.fault(n, "%s: must be %v", describe(n), d.key.limits)
	default:
		*field = v
	}
}

// wholeNumber is a number that YAML takes for a real one when it is long.
var wholeNumber = regexp.MustCompile(`^[-+]?[0-9]+$`)

func parseFinite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsInf(v, 0) || math.IsNaN(v)) {
		err = strconv.ErrSyntax
	}
	return v, err
}

func (d decoder) names(n *yaml.Node, field *[]string) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list, such as [a, b]", describe(n))
		return
	}
	*field = nil
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
			d.fault(item, "%s in the list: want names", describe(item))
			continue
		}
		*field = append(*field, item.Value)
	}
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
