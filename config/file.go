package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// Limits of a configuration file.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 20      // of values within values
)

// readLimited reads a file or a pipe of limited length.
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
// Only the number and depth of the nodes are checked, and that there are no aliases; their
// values are not.
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
