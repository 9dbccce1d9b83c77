package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// value is a field that is neither text, number nor list.
type value interface {
	decode(*yaml.Node) error
	node() *yaml.Node
}

// decodeNode stores the value of a node in a field, if it has exactly the
// field's type: 64.7 is no count and "500" no number.
func decodeNode(n *yaml.Node, field any) error {
	switch f := field.(type) {
	case *string:
		return scalar(n, f, "a name or text", "!!str", func(s string) (string, error) { return s, nil })
	case *int:
		return scalar(n, f, "a whole number", "!!int", strconv.Atoi)
	case *uint64:
		return scalar(n, f, "a whole number, 0 or more", "!!int", func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
	case *float64:
		if n.Kind == yaml.ScalarNode && n.Tag == "!!int" {
			return scalar(n, f, "a number", "!!int", parseFinite)
		}
		return scalar(n, f, "a number", "!!float", parseFinite)
	case *bool:
		return scalar(n, f, "true or false", "!!bool", strconv.ParseBool)
	case *[]string:
		list, err := stringList(n)
		*f = list
		return err
	case *[]int:
		return numberList(n, f, "a whole number")
	case *[]float64:
		return numberList(n, f, "a number")
	case value:
		return f.decode(n)
	}
	return fmt.Errorf("internal: no decoder for %T", field)
}

func scalar[T any](n *yaml.Node, field *T, want, tag string, parse func(string) (T, error)) error {
	if n.Kind != yaml.ScalarNode || n.Tag != tag {
		return fmt.Errorf("%s: want %s", describe(n), want)
	}
	v, err := parse(n.Value)
	if err != nil {
		return fmt.Errorf("%s: want %s", describe(n), want)
	}
	*field = v
	return nil
}

func parseFinite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsInf(v, 0) || math.IsNaN(v)) {
		err = strconv.ErrRange
	}
	return v, err
}

// describe shows a node in an error.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch {
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return strconv.Quote(shorten(n.Value))
	}
	return shorten(n.Value)
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

func stringList(n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("%s: want a list, such as [a, b]", describe(n))
	}
	var list []string
	for _, item := range n.Content {
		if item.Kind != yaml.ScalarNode || item.Tag == "!!null" {
			return nil, fmt.Errorf("%s in the list: want names", describe(item))
		}
		list = append(list, item.Value)
	}
	return list, nil
}

// numberList reads a list of numbers, at least one.
func numberList[T int | float64](n *yaml.Node, list *[]T, want string) error {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return fmt.Errorf("%s: want a list of numbers, such as [1, 2]", describe(n))
	}
	*list = make([]T, len(n.Content))
	for i, item := range n.Content {
		if err := decodeNode(item, any(&(*list)[i])); err != nil {
			return fmt.Errorf("%s in the list: want %s", describe(item), want)
		}
	}
	return nil
}

// pairs calls f for each pair of a mapping, refusing repeated names.
func pairs(n *yaml.Node, f func(name string, value *yaml.Node) error) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if name.Kind != yaml.ScalarNode || name.Tag == "!!null" {
			return fmt.Errorf("%s as a name: want a column", describe(name))
		}
		if seen[name.Value] {
			return fmt.Errorf("%q is given twice", shorten(name.Value))
		}
		seen[name.Value] = true
		if err := f(name.Value, value); err != nil {
			return err
		}
	}
	return nil
}

// encodeNode is the inverse of decodeNode.
func encodeNode(field any) *yaml.Node {
	switch f := field.(type) {
	case *string:
		return scalarNode(*f)
	case *int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(*f)}
	case *uint64:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatUint(*f, 10)}
	case *float64:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(*f, 'g', -1, 64)}
	case *bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(*f)}
	case *[]string:
		return listNode(*f)
	case *[]int:
		return numbersNode(*f)
	case *[]float64:
		return numbersNode(*f)
	case value:
		return f.node()
	}
	panic(fmt.Sprintf("config: no encoder for %T", field))
}

// scalarNode writes a text so that it is read back as text.
func scalarNode(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	return n
}

func listNode(items []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range items {
		n.Content = append(n.Content, scalarNode(item))
	}
	return n
}

func numbersNode[T int | float64](numbers []T) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range numbers {
		n.Content = append(n.Content, encodeNode(any(&numbers[i])))
	}
	return n
}

// parseValue reads the value of a key as the environment and --set give it. It is
// YAML, except that a text needs no quotes and a list no brackets: a,b.
func parseValue(k key, text string) (*yaml.Node, error) {
	switch k.field(&Config{}).(type) {
	case *string:
		return scalarNode(text), nil
	case *[]string:
		if !strings.HasPrefix(strings.TrimSpace(text), "[") {
			return listNode(strings.FieldsFunc(text, func(r rune) bool { return r == ',' })), nil
		}
	}
	if k.list() && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		text = "[" + text + "]"
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("%q: %s", shorten(text), strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind == yaml.AliasNode {
		return nil, fmt.Errorf("%q: want one value", shorten(text))
	}
	return doc.Content[0], nil
}
