package config

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/recipe"
)

// validate adds the faults of values that are right by themselves but not together. What
// rests on a value that has a fault already is left out.
func (r *reading) validate(c *Config) {
	whole := r.faults == nil
	options := c.Recipe.Validate()
	r.addAll(options)
	r.addAll(c.Data.Validate())
	if options == nil && whole {
		r.addAll(c.Tune.Validate(c.Recipe))
	}
}

// addAll adds what a joined error is made of: errors that begin with a key.
func (r *reading) addAll(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			r.addAll(e)
		}
		return
	}
	if err == nil {
		return
	}
	key, message, ok := strings.Cut(err.Error(), ": ")
	if _, known := lookup(key); !ok || !known {
		key, message = "", err.Error()
	}
	named := keysIn(key, message)
	for _, k := range named {
		if r.wrong[k] {
			return
		}
	}
	fault := &Error{Key: key, Message: message}
	for _, k := range named {
		if node, ok := r.values.Get(k).(*yaml.Node); ok {
			fault = r.origins[node].fault(part(node, message), key, message)
			break
		}
	}
	r.faults = append(r.faults, fault)
}

// keyInText finds what may be a key in a message.
var keyInText = regexp.MustCompile(`\b[a-z]+\.[a-z0-9_]+\b`)

// keysIn returns the key of an error and the other keys that it rests on: those that its
// message names and, for an option of the optimizer, that.
func keysIn(key, message string) []string {
	all := []string{key}
	if k, ok := recipe.Lookup(key); ok {
		if _, ok := k.Field(new(recipe.Recipe)).(recipe.SolverOption); ok {
			all = append(all, "train.optimizer")
		}
	}
	for _, name := range keyInText.FindAllString(message, -1) {
		if _, known := lookup(name); known {
			all = append(all, name)
		}
	}
	return all
}

// settingInText finds which setting of a race a message is about, and which key.
var settingInText = regexp.MustCompile(`^setting ([0-9]+): (?:[a-z]+\.)?([a-z0-9_]+)?`)

// part returns the node of the part of a value that a message is about: of a setting of
// a race, and in it of a key.
func part(n *yaml.Node, message string) *yaml.Node {
	about := settingInText.FindStringSubmatch(message)
	if about == nil || n.Kind != yaml.SequenceNode {
		return n
	}
	i, err := strconv.Atoi(about[1])
	if err != nil || i < 1 || i > len(n.Content) {
		return n
	}
	setting := n.Content[i-1]
	for j := 0; j+1 < len(setting.Content); j += 2 {
		if setting.Content[j].Value == about[2] {
			return setting.Content[j+1]
		}
	}
	return setting
}
