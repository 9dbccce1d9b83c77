package config

import "go.yaml.in/yaml/v3"

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
