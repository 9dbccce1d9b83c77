package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of a configuration file.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 20      // of values within values
)

// readLimited reads a file, or a pipe, that has an end in sight.
func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if len(text) > maxFile {
		return nil, fmt.Errorf("more than %d bytes: no configuration is that long", maxFile)
	}
	return text, err
}

// parseText parses YAML, one document, and returns its root; nil if there is none.
// Nothing that the nodes say is believed: only their number, depth and kind are known
// to be in bounds, and that there are no aliases.
func parseText(o origin, text []byte) (*yaml.Node, []*Error) {
	if at := unreadable(text); at >= 0 {
		return nil, []*Error{o.offset(text, at, "not a character of UTF-8 text")}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, []*Error{o.syntax(text, err)}
	}
	root := doc.Content[0]
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		at := root
		if err == nil {
			at = &second
		}
		return nil, []*Error{o.fault(at, "", "a second YAML document: want one")}
	}
	if n := tooDeep(root, maxDepth); n != nil {
		return nil, []*Error{o.fault(n, "", fmt.Sprintf("more than %d values within one another", maxDepth))}
	}
	var faults []*Error
	for _, alias := range aliases(root, nil) {
		faults = append(faults, o.fault(alias, "", fmt.Sprintf("*%s: aliases are not read: write the value out", printable(alias.Value))))
	}
	if faults != nil {
		return nil, faults
	}
	return root, nil
}

// tooDeep returns a node that lies deeper than depth; nil if there is none.
func tooDeep(n *yaml.Node, depth int) *yaml.Node {
	if depth == 0 {
		return n
	}
	for _, c := range n.Content {
		if deep := tooDeep(c, depth-1); deep != nil {
			return deep
		}
	}
	return nil
}

func aliases(n *yaml.Node, found []*yaml.Node) []*yaml.Node {
	if n.Kind == yaml.AliasNode {
		return append(found, n)
	}
	for _, c := range n.Content {
		found = aliases(c, found)
	}
	return found
}

// sectionsOf checks the keys of a file, a mapping of known sections to known keys, none
// twice, and returns their values as a tree of nodes.
func (r *reading) sectionsOf(o origin, section string, n *yaml.Node) map[string]any {
	tree := map[string]any{}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return tree // a section all of whose keys are comments
	}
	fault := func(n *yaml.Node, key, format string, a ...any) {
		r.faults = append(r.faults, o.fault(n, key, fmt.Sprintf(format, a...)))
	}
	if n.Kind != yaml.MappingNode {
		fault(n, section, "%s: want keys, such as train: {iterations: 500}", describe(n))
		return tree
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		full := strings.TrimPrefix(section+"."+name.Value, ".")
		_, known := lookup(full)
		switch {
		case name.Kind != yaml.ScalarNode || name.Value == "":
			fault(name, section, "%s for a key: want a name", describe(name))
		case seen[name.Value]:
			fault(name, full, "is given twice")
		case section == "" && slices.Contains(sections(), full):
			tree[name.Value] = r.sectionsOf(o, full, value)
		case known && full == name.Value && strings.Contains(full, "."):
			own := full[strings.Index(full, ".")+1:]
			fault(name, full, "write %s in section %s", own, strings.TrimSuffix(full, "."+own))
		case !known:
			fault(name, full, "no such key%s", didYouMean(closestKey(full)))
		default:
			tree[name.Value] = value
			r.origins[value] = o
		}
		seen[name.Value] = true
	}
	return tree
}
