package config

import (
	"maps"
	"strings"
)

// merged merges the nodes of the sources by key, as viper does elsewhere, whose remote
// sources, formats and watched files a page does not have.
type merged struct{ file, set map[string]any } // by the path of a key in lower case, such as train.seed

func newMerged() merged { return merged{map[string]any{}, map[string]any{}} }

// MergeConfigMap adds the values of a file, by section and key.
func (m merged) MergeConfigMap(sections map[string]any) error {
	maps.Copy(m.file, flat("", sections))
	return nil
}

// flat returns the values below sections by the path of their key.
func flat(prefix string, sections map[string]any) map[string]any {
	values := map[string]any{}
	for key, v := range sections {
		key = strings.ToLower(prefix + key)
		if section, ok := v.(map[string]any); ok {
			maps.Copy(values, flat(key+".", section))
		} else {
			values[key] = v
		}
	}
	return values
}

// Set sets the value of a key, above all files.
func (m merged) Set(key string, v any) { m.set[strings.ToLower(key)] = v }

// Get returns the value of a key; nil if it is not set.
func (m merged) Get(key string) any {
	key = strings.ToLower(key)
	if v, ok := m.set[key]; ok {
		return v
	}
	return m.file[key]
}
