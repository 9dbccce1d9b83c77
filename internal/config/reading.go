package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/base/yamltext"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// reading collects the sources of a configuration and their faults.
type reading struct {
	values sources
	faults []*Error
	wrong  map[string]bool // keys whose value has a fault
	broken bool            // the file cannot be read, so that keys that seem to be missing are no faults
	page   bool            // the page of a saved model is trained again, see Source
}

func newReading() *reading {
	return &reading{values: newSources(), wrong: map[string]bool{}}
}

// file reads the file; run says that it is one of a run.
func (r *reading) file(path string, run bool) {
	if path == "" {
		return
	}
	text, err := readLimited(path, run)
	if err != nil {
		if reason := new(fs.PathError); errors.As(err, &reason) {
			err = reason.Err
		}
		r.faults, r.broken = append(r.faults, &Error{Where: path, Message: err.Error()}), true
		return
	}
	r.text(origin{file: path}, text)
}

// text reads the text of a file and checks its nodes.
func (r *reading) text(o origin, text []byte) {
	root, faults := parseText(o, text)
	if faults != nil {
		r.faults, r.broken = append(r.faults, faults...), true
		return
	}
	if root == nil {
		return // an empty file sets nothing
	}
	if err := r.values.file(o, r.sectionsOf(o, "", root)); err != nil {
		r.faults = append(r.faults, &Error{Where: o.file, Message: err.Error()})
	}
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
			fault(name, full, "%s", unknown(full))
		default:
			tree[name.Value] = value
		}
		seen[name.Value] = true
	}
	return tree
}

// environment reads the environment variables of known keys and refuses misspelt ones. An
// empty variable sets nothing.
func (r *reading) environment(env []string) {
	for _, entry := range slices.Sorted(slices.Values(env)) { // for the same order of faults everywhere
		name, value, _ := strings.Cut(entry, "=")
		if value == "" {
			continue
		}
		if k, ok := keyOfVariable(name); ok {
			r.set(origin{name: name}, k, value)
		} else if closest, meant := closestVariable(name); meant {
			r.faults = append(r.faults, &Error{Where: "environment", Key: name, Message: "no such key" + didYouMean(closest)})
		}
	}
}

// flags reads the values of --set, which override all others.
func (r *reading) flags(set []string) {
	for _, entry := range set {
		if name, value, ok := strings.Cut(entry, "="); ok {
			r.assign(Pair{name, value})
		} else {
			r.faults = append(r.faults, &Error{Where: "--set " + printable(entry), Message: "want key=value, such as train.iterations=2000"})
		}
	}
}

// assign reads a pair.
func (r *reading) assign(p Pair) {
	if k, known := lookup(p.Key); known {
		r.set(origin{name: "--set"}, k, p.Value)
	} else if slices.Contains(sections(), p.Key) {
		r.faults = append(r.faults, &Error{Where: "--set", Key: p.Key, Message: "a section: set one of its keys, such as train.iterations=2000"})
	} else {
		r.faults = append(r.faults, &Error{Where: "--set", Key: p.Key, Message: unknown(p.Key)})
	}
}

// set reads the value of a key from the environment or --set. It is YAML, except that a
// text needs no quotes and a list no brackets: a,b.
func (r *reading) set(o origin, k key, text string) {
	node, faults := parseValue(o, k, text)
	for _, f := range faults {
		f.Key = k.name
		r.faults = append(r.faults, f)
	}
	if faults != nil {
		r.wrong[k.name] = true
		return
	}
	r.values.set(o, k.name, node)
}

func parseValue(o origin, k key, given string) (*yaml.Node, []*Error) {
	if !utf8.ValidString(given) {
		return nil, []*Error{{Where: o.name, Message: printable(given) + ": not UTF-8 text"}}
	}
	bare := !strings.HasPrefix(strings.TrimSpace(given), "[")
	switch k.field(&Config{}).(type) {
	case text:
		return scalarNode(given), nil
	case *target, *files:
		if given = strings.TrimSpace(given); !strings.HasPrefix(given, "[") || !strings.HasSuffix(given, "]") {
			return scalarNode(given), nil
		}
	case *names, *na:
		if bare && !strings.HasPrefix(strings.TrimSpace(given), "{") {
			return listNode(strings.FieldsFunc(given, func(r rune) bool { return r == ',' })), nil
		}
	case *listed, limits, numbers:
		if bare {
			given = "[" + given + "]"
		}
	}
	if len(given) > maxFile {
		return nil, []*Error{{Where: o.name, Message: fmt.Sprintf("more than %d bytes: no value is that long", maxFile)}}
	}
	node, faults := parseText(o, []byte(given))
	if node == nil && faults == nil {
		faults = []*Error{{Where: o.name, Message: fmt.Sprintf("%q: want one value", shorten(given))}}
	}
	return node, faults
}

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

// sources are the values of known keys that the file, the environment and --set give. The file is
// below what set adds. They are nodes of YAML instead of values, because an error about a value
// needs the node's line and column. Defaults and presets are recipes below these sources: which
// preset it is, is a value of one of them.
type sources struct {
	merged  merged
	origins map[*yaml.Node]origin
}

func newSources() sources { return sources{newMerged(), map[*yaml.Node]origin{}} }

// file adds the nodes of a file, by section and key.
func (s sources) file(o origin, sections map[string]any) error {
	var add func(tree map[string]any)
	add = func(tree map[string]any) {
		for _, v := range tree {
			switch v := v.(type) {
			case map[string]any:
				add(v)
			case *yaml.Node:
				s.origins[v] = o
			}
		}
	}
	add(sections)
	return s.merged.MergeConfigMap(sections)
}

// set adds the node of a key, above what the file and earlier calls gave.
func (s sources) set(o origin, key string, n *yaml.Node) {
	s.origins[n] = o
	s.merged.Set(key, n)
}

// node returns the node of a key and its origin; nil if nothing sets the key.
func (s sources) node(key string) (*yaml.Node, origin) {
	n, _ := s.merged.Get(key).(*yaml.Node)
	return n, s.origins[n]
}

// has reports whether a key is set.
func (s sources) has(key string) bool {
	n, _ := s.node(key)
	return n != nil
}

// Pair is a key with its value as --set has it.
type Pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Outside reports whether the value names what is outside of the configuration: files, a directory, or a database and its rows.
func (p Pair) Outside() bool {
	k, known := lookup(p.Key)
	return known && (k.outside || k.orModel && recipe.IsPath(p.Value))
}
