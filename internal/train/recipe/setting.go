package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/membership"
)

// Setting holds values of some keys by their own names, such as {"init": "kmeans",
// "iterations": 4000}, that replace those of the recipe. A candidate of a race has keys of
// [RaceKeys], [LeastSamples] and [Classes]; a trial of a search has those of [DrawnKeys].
type Setting map[string]any

// LeastSamples is the key of the least number of training samples for which a setting takes
// part in a race: long trainings do not pay on small data.
const LeastSamples = "least_samples"

// Classes is the key, true or absent, of a setting for targets of classes, see [Recipe.Entrants].
const Classes = "classes"

// Classes reports whether the setting is for targets of classes.
func (s Setting) Classes() bool { return s.Text(Classes) == "true" }

// LeastSamples returns the value of the key [LeastSamples]; zero without it.
func (s Setting) LeastSamples() int {
	n, _ := strconv.Atoi(s.Text(LeastSamples))
	return n
}

// Text returns the value of a key as text, the name for a shape; empty if the setting does
// not have the key.
func (s Setting) Text(key string) string { return Text(s[key]) }

// Number returns the value of a numeric key; zero if the key is missing or not numeric.
func (s Setting) Number(key string) float64 {
	v, _ := Number(s[key])
	return v
}

// Number returns an int or float64 as float64, and whether value is one of them.
func Number(value any) (v float64, ok bool) {
	switch v := value.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Text returns a value as text: the name for a shape, an empty string for nil.
func Text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
		return number(v)
	case membership.Function:
		return v.Name()
	default:
		return fmt.Sprint(v)
	}
}

// String returns the values as JSON.
func (s Setting) String() string { return asJSON(s) }

// apply sets the values in a recipe. Its errors are *[Error]s with the name of the key in
// Part.
func (s Setting) apply(r *Recipe) error {
	var found faults
	keys := raceTable()
	for own := range s {
		known := slices.ContainsFunc(keys, func(k Key) bool { return k.Own() == own })
		if !known && own != LeastSamples && own != Classes {
			found.add(&Error{Key: "train.race", Part: own, Message: fmt.Sprintf("%q: no such key", own)})
		}
	}
	for _, k := range keys {
		text := s.Text(k.Own())
		if text == "" {
			continue
		}
		if err := k.Field(r).Set(s[k.Own()]); err != nil {
			found.add(&Error{Key: "train.race", Part: k.Own(), Message: fmt.Sprintf("%s: %q: %v", k.Name, text, err)})
		}
	}
	return found.join()
}

// names returns the names of the keys that have a value, in the order of the table.
func (s Setting) names() []string {
	var names []string
	for _, k := range table() {
		if k.Race || k.Draw != nil {
			names = append(names, k.Own())
		}
	}
	return slices.DeleteFunc(append(names, LeastSamples, Classes), func(name string) bool { return s.Text(name) == "" })
}

// MarshalJSON writes the values in the order of the table.
func (s Setting) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range s.names() {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(s.plain(name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plain returns the value of a key for JSON: the name for a shape.
func (s Setting) plain(key string) any {
	if f, ok := s[key].(membership.Function); ok {
		return f.Name()
	}
	return s[key]
}

// without returns the settings without the given keys.
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
	return left
}

// narrowed reports whether each setting equals a setting of whole or a part of one.
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
