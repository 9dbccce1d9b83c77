// Package yamltext parses a YAML document to nodes and reports faults by line and column.
package yamltext

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Fault is a fault of a text.
type Fault struct {
	Line, Column int // from 1
	Message      string
}

// Parse parses a text of one YAML document and returns its root; nil if there is none. It checks
// the number of documents, that no value lies deeper than maxDepth, and that there are no
// aliases. Values are not checked.
func Parse(text []byte, maxDepth int) (*yaml.Node, []Fault) {
	if at := unreadable(text); at >= 0 {
		return nil, []Fault{faultAt(text, at, "not a character of UTF-8 text")}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, []Fault{syntax(text, err)}
	}
	root := doc.Content[0]
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		at := root
		if err == nil {
			at = &second
		}
		return nil, []Fault{{at.Line, at.Column, "a second YAML document: want one"}}
	}
	if n := tooDeep(root, maxDepth); n != nil {
		return nil, []Fault{{n.Line, n.Column, fmt.Sprintf("more than %d values within one another", maxDepth)}}
	}
	var faults []Fault
	for _, alias := range aliases(root, nil) {
		faults = append(faults, Fault{alias.Line, alias.Column, fmt.Sprintf("*%s: aliases are not read: write the value out", escape.Text(alias.Value))})
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
