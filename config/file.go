package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/suggest"
)

// parseFile reads a file's YAML and checks its nodes before anything else sees
// them: one document, a mapping of known sections to known keys, none twice, no
// aliases. It returns the values as a tree of nodes and notes their places.
func parseFile(path string, text []byte, places map[*yaml.Node]string) (map[string]any, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := decoder.Decode(&doc); {
	case err == io.EOF:
		return nil, nil // an empty file sets nothing
	case err != nil:
		return nil, &Error{Where: path, Message: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if err := decoder.Decode(&second); err != io.EOF {
		return nil, &Error{Where: path, Message: "a second YAML document: want one"}
	}
	p := &parser{path: path, places: places}
	tree := p.mapping("", doc.Content[0])
	return tree, errors.Join(p.faults...)
}

// parser walks the nodes of a file and collects faults.
type parser struct {
	path   string
	places map[*yaml.Node]string
	faults []error
}

func (p *parser) fault(n *yaml.Node, key, format string, a ...any) {
	p.faults = append(p.faults, &Error{p.place(n), key, fmt.Sprintf(format, a...)})
}

func (p *parser) place(n *yaml.Node) string {
	return fmt.Sprintf("%s:%d:%d", p.path, n.Line, n.Column)
}

// mapping reads the keys of a section; "" is the whole file.
func (p *parser) mapping(section string, n *yaml.Node) map[string]any {
	tree := map[string]any{}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return tree // a section all of whose keys are comments
	}
	if n.Kind != yaml.MappingNode {
		p.fault(n, section, "%s: want keys, such as train: {iterations: 500}", describe(n))
		return tree
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		full := name.Value
		if section != "" {
			full = section + "." + name.Value
		}
		_, known := lookup(full)
		_, twice := tree[name.Value]
		switch {
		case twice:
			p.fault(name, full, "is given twice")
		case section == "" && slices.Contains(sections(), full):
			tree[name.Value] = p.mapping(full, value)
		case !known:
			p.fault(name, full, "no such key%s", didYouMean(full, append(names(), sections()...)))
		case hasAlias(value):
			p.fault(value, full, "aliases are not read: write the value out")
		default:
			tree[name.Value] = value
			p.places[value] = p.place(value)
		}
	}
	return tree
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || slices.ContainsFunc(n.Content, hasAlias)
}

func didYouMean(name string, known []string) string {
	if closest := suggest.Closest(name, known); closest != "" {
		return fmt.Sprintf("; did you mean %s?", closest)
	}
	return ""
}
