package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Setting is one of the settings of a race: the values of some keys by their own names,
// such as {"init": "kmeans", "iterations": 4000}, which take the place of the recipe's. The
// keys are those of [RaceKeys], and [LeastSamples].
type Setting map[string]any

// LeastSamples is the key of a setting that keeps it out of races with fewer training
// samples: it needs too long where there is little to learn.
const LeastSamples = "least_samples"

// LeastSamples returns the value of that key; zero without it.
func (s Setting) LeastSamples() int {
	n, _ := strconv.Atoi(s.Text(LeastSamples))
	return n
}

// Text returns the value of a key as text; empty if the setting leaves the key as it is.
func (s Setting) Text(key string) string {
	switch v := s[key].(type) {
	case nil:
		return ""
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return number(v)
	default:
		return fmt.Sprint(v)
	}
}

// apply puts the values into a recipe. The errors are *[Error]s with the name of the key
// in Part.
func (s Setting) apply(r *Recipe) error {
	var found faults
	for own := range s {
		if _, ok := raceKey(own); !ok && own != LeastSamples {
			found.add(&Error{Key: "train.race", Part: own, Message: fmt.Sprintf("%q: no such key", own)})
		}
	}
	for _, k := range RaceKeys() {
		text := s.Text(k.Own())
		if text == "" {
			continue
		}
		if err := parse(k.Field(r), text); err != nil {
			found.add(&Error{Key: "train.race", Part: k.Own(), Message: fmt.Sprintf("%s: %q: %v", k.Name, text, err)})
		}
	}
	return found.join()
}

// names returns the names of the keys that have a value, in the order of the table.
func (s Setting) names() []string {
	var names []string
	for _, k := range RaceKeys() {
		names = append(names, k.Own())
	}
	return slices.DeleteFunc(append(names, LeastSamples), func(name string) bool { return s.Text(name) == "" })
}

// MarshalJSON writes the values in the order of the table.
func (s Setting) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range s.names() {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(s[name])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// without returns the settings without some keys; equal neighbours become one.
func without(settings []Setting, keys []string) []Setting {
	if len(keys) == 0 {
		return settings
	}
	var left []Setting
	for _, s := range settings {
		rest := Setting{}
		for name, v := range s {
			if !slices.Contains(keys, name) {
				rest[name] = v
			}
		}
		left = append(left, rest)
	}
	return slices.CompactFunc(left, func(a, b Setting) bool { return asJSON(a) == asJSON(b) })
}

// narrowed reports whether each setting is one of whole, or has a part of its values.
func narrowed(settings, whole []Setting) bool {
	return len(settings) > 0 && !slices.ContainsFunc(settings, func(s Setting) bool {
		return !slices.ContainsFunc(whole, s.partOf)
	})
}

func (s Setting) partOf(other Setting) bool {
	for _, name := range s.names() {
		if s.Text(name) != other.Text(name) {
			return false
		}
	}
	return true
}
