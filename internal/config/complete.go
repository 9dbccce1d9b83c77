package config

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

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
	switch k.field(defaults()).(type) {
	case *bool:
		return []string{"true", "false"}
	case *shape:
		return membership.Names()
	}
	return slices.Clone(k.choices)
}
