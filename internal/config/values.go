package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/interval"
)

// The values that are a single text, number or truth, and lists of names.
type (
	text  struct{ recipe.Field }
	whole struct{ recipe.Field }
	seed  struct{ recipe.Field }
	real  struct{ recipe.Field }
	flag  struct{ recipe.Field }
	names []string
)

// textAt and realAt return the values of variables.
func textAt(p *string) text  { return text{recipe.Word(p)} }
func realAt(p *float64) real { return real{recipe.Real(p)} }

// decode stores a text, if the node has one, among the choices of the key.
func (t text) decode(d decoder, n *yaml.Node) {
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
		d.fault(n, "%s: choose %s%s", describe(n), recipe.OneOf(known, d.key.orModel), didYouMean(registry.Closest(s, known)))
	default:
		_ = t.Set(s) // a text
	}
}

func (t text) node() *yaml.Node { return scalarNode(t.Text()) }

func (t text) schema(k key) *schema {
	if k.orModel {
		return &schema{Type: "string", AnyOf: []*schema{{Enum: k.choices}, {Pattern: `[./\\\\]`}}}
	}
	s := &schema{Type: "string", Enum: k.choices}
	if k.filled {
		s.MinLength = 1
	}
	return s
}

func (v whole) decode(d decoder, n *yaml.Node) {
	number(d, n, v, "a whole number", "!!int", strconv.Atoi)
}

func (v whole) node() *yaml.Node     { return typedNode("!!int", v.Text()) }
func (v whole) schema(k key) *schema { return numberSchema(k.limits, "integer") }

func (v seed) decode(d decoder, n *yaml.Node) {
	number(d, n, v, "a whole number, 0 or more", "!!int", func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
}

func (v seed) node() *yaml.Node { return typedNode("!!int", v.Text()) }
func (v seed) schema(key) *schema {
	return numberSchema(interval.From(0).To(math.MaxUint64), "integer")
}

// decode stores a number: an integer, too.
func (v real) decode(d decoder, n *yaml.Node) {
	tag := "!!float"
	if n.Tag == "!!int" {
		tag = n.Tag
	}
	number(d, n, v, "a number", tag, parseFinite)
}

func (v real) node() *yaml.Node     { return typedNode("", v.Text()) }
func (v real) schema(k key) *schema { return numberSchema(k.limits, "number") }

func (f flag) decode(d decoder, n *yaml.Node) {
	if v, err := strconv.ParseBool(n.Value); n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && err == nil {
		_ = f.Set(v) // a truth
	} else {
		d.fault(n, "%s: want true or false", describe(n))
	}
}

func (f flag) node() *yaml.Node   { return typedNode("!!bool", f.Text()) }
func (f flag) schema(key) *schema { return &schema{Type: "boolean"} }

// decode stores a list of names, which may look like numbers.
func (l *names) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		d.fault(n, "%s: want a list, such as [a, b]", describe(n))
		return
	}
	*l = nil
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
			d.fault(item, "%s in the list: want names", describe(item))
			continue
		}
		*l = append(*l, item.Value)
	}
}

func (l *names) node() *yaml.Node   { return listNode(*l) }
func (l *names) schema(key) *schema { return listOfNames() }

// several decodes a list of at least one name, where a single name may stand, too.
func (d decoder) several(n *yaml.Node, example string) []string {
	var all names
	if all.decode(d, n); len(all) == 0 {
		d.fault(n, "%s: want a name, or a list of names, such as %s", describe(n), example)
	}
	return all
}

// typedNode writes a number or a truth.
func typedNode(tag, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

// scalarNode writes a text so that it is read back as text.
func scalarNode(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	if strings.ContainsAny(text, "\u2028\u2029") { // which end a line in YAML, too, and are escaped in quotes alone
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func listNode(items []string) *yaml.Node { return sequence(items, scalarNode) }

// sequence returns a list in one line of items that node writes.
func sequence[T any](items []T, node func(T) *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range items {
		n.Content = append(n.Content, node(item))
	}
	return n
}

// number stores a number that is written as the tag says.
func number[T int | uint64 | float64](d decoder, n *yaml.Node, field recipe.Field, want, tag string, parse func(string) (T, error)) {
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
		_ = field.Set(v) // of its type
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

// mapNode returns a mapping in one line, from names and nodes in turn.
func mapNode(pairs ...any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	for i := 0; i < len(pairs); i += 2 {
		n.Content = append(n.Content, scalarNode(pairs[i].(string)), pairs[i+1].(*yaml.Node))
	}
	return n
}

// sorted returns a mapping in one line, in the order of the names, of values that node writes.
func sorted[M ~map[string]T, T any](values M, node func(T) *yaml.Node) *yaml.Node {
	n := mapNode()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		n.Content = append(n.Content, scalarNode(name), node(values[name]))
	}
	return n
}

// written is a value as YAML.
func written(n *yaml.Node) string {
	text, err := yaml.Marshal(n)
	if err != nil {
		panic(fmt.Sprintf("config: %v", err)) // nodes of ours can always be written
	}
	return strings.TrimSpace(string(text))
}
