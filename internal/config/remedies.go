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

// Remedy is a proposal as a button of the page takes it.
type Remedy struct {
	Text     string            `json:"text"`                // why: one of the notes, if one says so
	Why      string            `json:"why,omitempty"`       // Text without the keys that Set has; empty: Text
	Label    string            `json:"label"`               // what it does
	Column   string            `json:"column,omitempty"`    // whose parts of the values Set has; empty: Set has whole values
	Set      map[string]string `json:"set,omitempty"`       // values by key, as --set takes them; parts are YAML
	LeaveOut []string          `json:"leave_out,omitempty"` // columns
}

// labels say what the keys of proposals do, by the first.
var labels = map[string]string{
	"train.loss": "Take loss %s", "data.offset": "Predict per unit of %s", "model.range": "Keep predictions within %s",
	"train.class_weights": "Let the classes count alike", "data.time": "Forecast from the past", "data.split": "Test on the last rows",
	"data.ignore": "Leave out %s", "data.limits": "Limit it to %s", "data.na": "Read %s as missing",
	"data.categorical": "Order it by the mean target",
}

// suggested are keys that remarks suggest without a proposal, and instead other values of keys that Init sets by itself.
var (
	suggested = []struct{ key, label string }{
		{"task", "Take the numbers for classes"}, {"data.group", "Keep rows of one %s together"}, {"data.split", "Test on the last rows"},
	}
	instead = []struct{ key, value, label string }{
		{"task", "regression", "Keep the order of the numbers"},
		{"model.range", "[~, ~]", "Remove the limits"},
		{"data.missing", table.MissingMean, "Let the mean stand in"},
		{"data.missing", "drop", "Leave these rows out"},
	}
)

// remedies returns what the page offers to set.
func (s *starter) remedies() (all []Remedy) {
	split := false
	for _, p := range s.proposals {
		if r := s.remedy(p); len(r.Set)+len(r.LeaveOut) > 0 {
			all = append(all, r)
		}
		split = split || len(p.Set) > 0 && p.Set[0].Key == "data.split"
	}
	for _, one := range suggested {
		if r := s.remarks[one.key]; !r.set && r.suggested != "" && !(split && one.key == "data.split") {
			value := asSet(one.key, r.suggested)
			all = append(all, Remedy{Text: s.reason(one.key, r), Label: labelled(one.label, value), Set: map[string]string{one.key: value}})
		}
	}
	for _, other := range instead {
		r, may := s.remarks[other.key], other.key != "task" || s.codes
		if may && r.set && !s.has(other.key, other.value) && !s.has(other.key, "drop") {
			all = append(all, Remedy{Text: s.reason(other.key, r), Label: other.label, Set: map[string]string{other.key: other.value}})
		}
	}
	return all
}

// remedy returns a proposal as a remedy. Without keys, or of data.ignore, it is to leave out columns.
func (s *starter) remedy(p Proposal) Remedy {
	r := Remedy{Text: s.noteWith(p.Text, p.String()), Set: map[string]string{}}
	if len(p.Set) == 0 {
		r.Column, r.Label = p.Column, labelled(labels["data.ignore"], p.Column)
		if !slices.Contains(s.config.Data.Targets(), p.Column) {
			r.LeaveOut = []string{p.Column}
		}
		return r
	}
	r.Why, r.Label = p.Text, labelled(labels[p.Set[0].Key], asSet(p.Set[0].Key, p.Set[0].Value))
	for _, one := range p.Set {
		switch k, _ := lookup(one.Key); {
		case one.Key == "data.ignore":
			_ = yaml.Unmarshal([]byte(one.Value), &r.LeaveOut) // names of ours can always be read
		case slices.Contains(byColumn, one.Key):
			var parts map[string]yaml.Node
			_ = yaml.Unmarshal([]byte(one.Value), &parts) // likewise
			part := parts[p.Column]
			r.Column, r.Set[one.Key] = p.Column, written(&part)
			r.Label = labelled(labels[one.Key], r.Set[one.Key])
		case r.Column == "" || k.name != "data.missing": // which follows from data.na
			r.Set[one.Key] = asSet(one.Key, one.Value)
		}
	}
	return r
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

// noteWith returns the note that contains a text; a sentence if there is none.
func (d *outline) noteWith(text, sentence string) string {
	if at := slices.IndexFunc(d.notes, func(note string) bool { return text != "" && strings.Contains(note, text) }); at >= 0 {
		return d.notes[at]
	}
	return sentence
}

// reason returns the note that has the last reason for the value of a key, or names the key; else the reason.
func (d *outline) reason(key string, r remark) string {
	why := ""
	if len(r.why) > 0 {
		why = r.why[len(r.why)-1]
	}
	return d.noteWith(why, d.noteWith(key, why))
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
