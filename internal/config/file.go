package config

import (
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/base/yamltext"
)

// Limits of a configuration file.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 20      // of values within values
)

// readLimited reads a file of limited length: a pipe, too, unless it is one of a run.
func readLimited(path string, run bool) ([]byte, error) {
	open := os.Open
	if run {
		open = safefile.OpenInside
	}
	f, err := open(path)
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

// parseText parses YAML, one document, and returns its root; nil if there is none, see
// [yamltext.Parse].
func parseText(o origin, text []byte) (*yaml.Node, []*Error) {
	root, found := yamltext.Parse(text, maxDepth)
	var faults []*Error
	for _, f := range found {
		faults = append(faults, o.at(f.Line, f.Column, "", f.Message))
	}
	return root, faults
}
