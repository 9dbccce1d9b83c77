package config

import "strings"

// Completion completes a --set that is being typed.
type Completion struct {
	Text string // key= or key=value
	Doc  string // what the key means
}

// Completions returns the completions of the text of a --set: the keys with this prefix or,
// after the equals sign, the values of a key that has choices.
func Completions(text string) []Completion {
	var ways []Completion
	add := func(way, doc string) {
		if strings.HasPrefix(way, text) {
			ways = append(ways, Completion{way, doc})
		}
	}
	for _, k := range keys() {
		if !strings.HasPrefix(text, k.name+"=") {
			add(k.name+"=", k.doc)
			continue
		}
		for _, value := range choicesOf(k) {
			add(k.name+"="+value, "")
		}
	}
	return ways
}

// choicesOf returns the values of a key that has choices.
func choicesOf(k key) []string {
	s := k.field(defaults()).schema(k)
	switch {
	case s.Type == "boolean":
		return []string{"true", "false"}
	case len(s.AnyOf) > 0:
		s = s.AnyOf[0]
	}
	return s.Enum
}
