package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// Proposal is what may suit a table better than its configuration does, for a person to decide.
type Proposal struct {
	Text     string            `json:"text"`                // why: one of the notes, if one says so
	Label    string            `json:"label"`               // what it does
	Column   string            `json:"column,omitempty"`    // whose parts of the values Set has; empty: Set has whole values
	Set      map[string]string `json:"set,omitempty"`       // values by key, as --set takes them; parts are YAML
	LeaveOut []string          `json:"leave_out,omitempty"` // columns
}

// proposed are the keys that may have suggested values, and what these do.
var proposed = []struct {
	label string
	keys  []string
}{
	{"Take the numbers for classes", []string{"task"}},
	{"Take loss %s", []string{"train.loss"}},
	{"Predict per unit of %s", []string{"data.offset", "train.loss"}},
	{"Keep predictions within %s", []string{"model.range"}},
	{"Let the classes count alike", []string{"train.class_weights"}},
	{"Forecast from the past", []string{"data.time", "data.lags", "data.calendar"}},
	{"Test on the last rows", []string{"data.split"}},
	{"Keep rows of one %s together", []string{"data.group"}},
	{"Limit it to %s", []string{"data.limits"}},
	{"Read %s as missing", []string{"data.na"}},
	{"Order it by the mean target", []string{"data.categorical"}},
}

// instead are other values of keys that Init sets by itself.
var instead = []struct{ key, value, label string }{
	{"task", "regression", "Keep the order of the numbers"},
	{"model.range", "[~, ~]", "Remove the limits"},
	{"data.missing", table.MissingMean, "Let the mean stand in"},
	{"data.missing", "drop", "Leave these rows out"},
}

// proposals returns what the remarks suggest, and what may be set instead of what Init has set.
func (s *starter) proposals() (all []Proposal) {
	for _, p := range proposed {
		key := p.keys[0]
		r := s.remarks[key]
		if r.set || r.suggested == "" {
			continue
		}
		if slices.Contains(byColumn, key) {
			all = append(all, s.proposedParts(key, p.label, r)...)
			continue
		}
		one := Proposal{Text: s.noteOf(key, "", r.why), Label: labelled(p.label, asSet(key, r.suggested)), Set: map[string]string{}}
		for _, key := range p.keys {
			if value := s.remarks[key].suggested; value != "" {
				one.Set[key] = asSet(key, value)
			}
		}
		all = append(all, one)
	}
	for _, other := range instead {
		r, may := s.remarks[other.key], other.key != "task" || s.codes
		if may = may && r.set && !s.has(other.key, other.value) && !s.has(other.key, "drop"); may {
			all = append(all, Proposal{Text: s.noteOf(other.key, "", r.why), Label: other.label, Set: map[string]string{other.key: other.value}})
		}
	}
	return append(all, s.drops...)
}

// asSet returns a value in YAML as --set takes it: of a text, without quotes.
func asSet(key, value string) string {
	var bare string
	if k, _ := lookup(key); yaml.Unmarshal([]byte(value), &bare) == nil {
		if _, is := k.field(&Config{}).(text); is {
			return bare
		}
	}
	return value
}

// proposedParts returns a proposal for each column of a suggested value.
func (d *outline) proposedParts(key, label string, r remark) (all []Proposal) {
	var value yaml.Node
	if yaml.Unmarshal([]byte(r.suggested), &value) != nil || len(value.Content) != 1 || value.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	for pairs := value.Content[0].Content; len(pairs) > 1; pairs = pairs[2:] {
		name, part := pairs[0].Value, written(pairs[1])
		all = append(all, Proposal{Text: d.noteOf(key, name, nil), Label: labelled(label, part), Column: name, Set: map[string]string{key: part}})
	}
	return all
}

// labelled is a label with the beginning of a value in words, if it names one.
func labelled(label, value string) string {
	const long = 30
	if !strings.Contains(label, "%s") {
		return label
	}
	value = recipe.Within(value)
	if all := []rune(value); len(all) > long {
		value = string(all[:long]) + "..."
	}
	return fmt.Sprintf(label, escape.Text(value))
}

// has reports whether the configuration has the value of a key.
func (d *outline) has(key, value string) bool {
	k, _ := lookup(key)
	return written(k.field(d.config).node()) == value
}

// noteOf returns the note that gives the last reason for the value of a key, or names the key, and the column, if there is one; else the
// reason.
func (d *outline) noteOf(key, column string, why []string) string {
	why = why[max(0, len(why)-1):]
	for _, names := range []func(note string) bool{
		func(note string) bool {
			return slices.ContainsFunc(why, func(w string) bool { return strings.Contains(note, w) })
		},
		func(note string) bool {
			return strings.Contains(note, key) && strings.HasPrefix(note, escape.Quote(column)) || column == "" && strings.Contains(note, key)
		},
	} {
		if at := slices.IndexFunc(d.notes, names); at >= 0 {
			return d.notes[at]
		}
	}
	return strings.Join(why, "")
}

// drop proposes to leave out columns for what the last note says.
func (d *outline) drop(columns ...string) {
	d.drops = append(d.drops, Proposal{Text: d.notes[len(d.notes)-1], Label: "Leave out " + escape.List(columns), LeaveOut: columns})
}

// byColumn are the keys of values by column that can be put together from parts.
var byColumn = []string{"data.limits", "data.na", "data.categorical", "model.roles", "model.monotone"}

// With returns the value of a key by column with other parts, which are YAML; empty ones are removed.
func (c *Config) With(name string, parts map[string]string) (Pair, error) {
	k, _ := lookup(name)
	if !slices.Contains(byColumn, name) {
		return Pair{}, &Error{Key: name, Message: "its value has no parts of columns"}
	}
	all := map[string]*yaml.Node{}
	switch n := k.field(c).node(); n.Kind {
	case yaml.SequenceNode:
		all["*"] = n
	case yaml.MappingNode:
		for pairs := n.Content; len(pairs) > 1; pairs = pairs[2:] {
			all[pairs[0].Value] = pairs[1]
		}
	}
	for column, part := range parts {
		if part == "" {
			delete(all, column)
			continue
		}
		var value yaml.Node
		if err := yaml.Unmarshal([]byte(part), &value); err != nil || len(value.Content) != 1 {
			return Pair{}, &Error{Key: name, Message: fmt.Sprintf("column %s: want YAML", escape.Quote(column))}
		}
		all[column] = value.Content[0]
	}
	if len(all) == 0 && name == "data.categorical" {
		return Pair{name, "auto"}, nil
	}
	return Pair{name, written(sorted(all, func(n *yaml.Node) *yaml.Node { return n }))}, nil
}
