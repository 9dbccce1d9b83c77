package config

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// encodeNode writes a field as decode reads it.
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
	case recipe.Scalar:
		v := f.Get()
		return encodeNode(&v)
	case *bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(*f)}
	case *[]string:
		return listNode(*f)
	case value:
		return f.node()
	}
	panic(fmt.Sprintf("config: no encoder for %T", field))
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

func listNode(items []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, item := range items {
		n.Content = append(n.Content, scalarNode(item))
	}
	return n
}
