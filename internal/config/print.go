package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// YAML returns the configuration as a file that gives it again, with every key
// that has an effect.
func (c *Config) YAML() []byte {
	var b bytes.Buffer
	section := ""
	for _, k := range keys() {
		if k.shown != nil && !k.shown(c) {
			continue
		}
		s, name := k.section()
		if s != section {
			fmt.Fprintf(&b, "%s:\n", s)
			section = s
		}
		writePair(&b, s, name, k.field(c).node())
	}
	return b.Bytes()
}

// Values returns every key that has an effect, with its value as YAML writes it.
func (c *Config) Values() map[string]string {
	values := map[string]string{}
	for _, k := range keys() {
		if k.shown == nil || k.shown(c) {
			text, err := yaml.Marshal(k.field(c).node())
			if err != nil {
				panic(fmt.Sprintf("config: %s: %v", k.name, err)) // nodes of ours can always be written
			}
			values[k.name] = strings.TrimSpace(string(text))
		}
	}
	return values
}

// writePair writes one key and its value, indented if it is in a section.
func writePair(b *bytes.Buffer, section, name string, value *yaml.Node) {
	indent := ""
	if section != "" {
		indent = "  "
	}
	lines := " " + written(value)
	if strings.Contains(lines, "\n") || strings.HasPrefix(lines, " - ") {
		lines = "\n" + indent + "  " + strings.ReplaceAll(lines[1:], "\n", "\n"+indent+"  ")
	}
	fmt.Fprintf(b, "%s%s:%s\n", indent, name, lines)
}

// Template returns config.yaml as it comes with tskgraph: the system of the paper, with
// rounds of pruning. Every other key is a comment with its meaning and default.
func Template() []byte {
	c := presetConfig("paper")
	c.Recipe.Prune.Rounds, c.Recipe.Train.Iterations = 2, 5000
	space, err := tune.DefaultSpace(c.Recipe, c.Data.Task == "classification")
	if err != nil {
		panic(err) // the preset is sound
	}
	c.Tune.Space = space
	return c.template("# Configuration of tskgraph: the system of the paper. A key that is a comment shows its default; remove the \"# "+
		"\" before it to change it.\n",
		map[string]remark{
			"train.iterations": {set: true, why: []string{"the paper has 500, after which the built-in data leave little to prune"}},
			"prune.rounds":     {set: true},
		})
}

// remark is what a template says of a key beside its meaning.
type remark struct {
	set       bool     // the key is no comment, but has the configuration's value
	suggested string   // else, a value that may be better than the default
	why       []string // lines above it
}

// template writes every key with its meaning: those that are remarked on as set, the others as comments.
func (c *Config) template(head string, remarks map[string]remark) []byte {
	var b bytes.Buffer
	b.WriteString(head)
	section := ""
	for _, k := range keys() {
		s, name := k.section()
		if s != section {
			fmt.Fprintf(&b, "\n%s:\n", s)
			section = s
		}
		indent := ""
		if s != "" {
			indent = "  "
		}
		r := remarks[k.name]
		for _, why := range r.why {
			fmt.Fprintf(&b, "%s# %s\n", indent, escape.Text(why))
		}
		switch {
		case r.set || k.name == "preset":
			writeDescribed(&b, indent, name, written(k.field(c).node()), k.doc)
		case r.suggested != "":
			writeDescribed(&b, indent+"# ", name, r.suggested, k.doc)
		default:
			writeDescribed(&b, indent+"# ", name, k.templateValue(c), k.doc)
		}
	}
	return b.Bytes()
}

// writeDescribed writes a key with its value and meaning, after a prefix on each line.
func writeDescribed(b *bytes.Buffer, prefix, name, value, doc string) {
	key, below := name+": "+value, ""
	if strings.Contains(value, "\n") {
		key, below = name+":", prefix+"  "+strings.ReplaceAll(value, "\n", "\n"+prefix+"  ")+"\n"
	}
	fmt.Fprintf(b, "%s%-*s # %s\n%s", prefix, 30-len(prefix), key, doc, below)
}

// presetConfig is a preset that exists.
func presetConfig(name string) *Config {
	c := defaults()
	options, err := recipe.Preset(name)
	if err != nil {
		panic(err)
	}
	c.Preset, c.Recipe = name, options
	return c
}

// templateValue is the value of a key as the template shows it.
func (k key) templateValue(c *Config) string {
	n := k.field(c).node()
	if given := len(n.Content) > 0 || n.Value != "" && n.Value != "0"; k.example != "" && !given {
		return k.example
	}
	return written(n) // the preset's own
}

// Reference returns every key with its default and meaning as a page of Markdown, a
// table for each section. A default in italics is an example: such a key has none.
func Reference() []byte {
	var b bytes.Buffer
	b.WriteString("# Keys\n\nEvery key of config.yaml, with its default under `preset: robust`. Keys without a default show an example " +
		"in *italics*.\n" +
		"[Configuration](config.md) says which key answers which question. `tskgraph config print --markdown` prints this page.\n")
	c := presetConfig(recipe.Presets()[0])
	section := "none"
	for _, k := range keys() {
		if s, _ := k.section(); s != section {
			if s != "" {
				fmt.Fprintf(&b, "\n## %s\n", s)
			}
			b.WriteString("\n| key | default | meaning |\n|---|---|---|\n")
			section = s
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", k.name, referenceValue(k, c), cell(k.doc))
	}
	return b.Bytes()
}

// referenceValue is the default of a key as a cell, each line of it as code.
func referenceValue(k key, c *Config) string {
	value := k.templateValue(c)
	if _, examples := shownInSchema(k, c); examples != nil {
		return "*" + cell(value) + "*"
	}
	lines := strings.Split(value, "\n")
	for i, line := range lines {
		lines[i] = "`" + line + "`"
	}
	return cell(strings.Join(lines, "<br>"))
}

// cell escapes what would end a cell.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

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
	if s := k.field(defaults()).schema(k); s.Type != "boolean" {
		return s.choices()
	}
	return []string{"true", "false"}
}

// choices returns the texts that a value can be; nil if it can be something else.
func (s *schema) choices() []string {
	if len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	return s.Enum
}

// Option is a key with its value, for a program that offers to change it.
type Option struct {
	Key     string   `json:"key"`
	Title   string   `json:"title"`
	Effect  string   `json:"effect"`
	Value   any      `json:"value"` // in the configuration, else the default
	Words   string   `json:"words"` // for it
	Said    []string `json:"said"`  // words for Choices
	Doc     string   `json:"doc"`
	Kind    string   `json:"kind"` // integer, number, boolean, choice, or text: YAML
	Choices []string `json:"choices,omitempty"`
	Min     *float64 `json:"min,omitempty"`
	Max     *float64 `json:"max,omitempty"`
	Above   *float64 `json:"above,omitempty"` // the value is more than that
	Below   *float64 `json:"below,omitempty"`
}

// Options returns keys of these names, which exist, with their values.
func (c *Config) Options(names ...string) (all []Option) {
	usual := presetConfig(recipe.Presets()[0])
	for _, name := range names {
		k, _ := lookup(name)
		s := k.field(usual).schema(k)
		o := Option{Key: name, Title: recipe.Title(name), Effect: recipe.Effect(k.doc), Doc: k.doc,
			Kind: "text", Choices: s.choices(), Min: s.Minimum, Max: s.Maximum, Above: s.Above, Below: s.Below}
		switch kind, _ := s.Type.(string); {
		case len(o.Choices) > 1:
			o.Kind = "choice"
		case kind == "integer" || kind == "number" || kind == "boolean":
			o.Kind, o.Choices = kind, nil
		}
		from := c
		if k.shown != nil && !k.shown(c) {
			from = usual
		}
		if node := k.field(from).node(); o.Kind == "text" {
			o.Value = written(node)
		} else {
			_ = node.Decode(&o.Value) // nodes of ours can always be read
		}
		o.Words = recipe.InWords(k.doc, o.Value)
		for _, choice := range o.Choices {
			o.Said = append(o.Said, recipe.InWords(k.doc, choice))
		}
		all = append(all, o)
	}
	return all
}

// Schema returns the JSON Schema (draft 2020-12) of config.yaml: every key with its type,
// range, choices, meaning and default. It does not describe what does not go
// together, such as an optimizer and an option of another one; [Load] finds that.
func Schema() []byte {
	root := &schema{
		Dialect:    "https://json-schema.org/draft/2020-12/schema",
		Title:      "Configuration of tskgraph",
		Type:       []string{"object", "null"},
		Additional: false,
	}
	c := presetConfig(recipe.Presets()[0])
	var section *schema
	for i, k := range keys() {
		name, own := k.section()
		if before, _ := keys()[max(i-1, 0)].section(); name != "" && name != before {
			section = &schema{Type: []string{"object", "null"}, Additional: false}
			root.Properties = append(root.Properties, property{name, section})
		}
		s := k.field(c).schema(k)
		s.Description = k.doc
		s.Default, s.Examples = shownInSchema(k, c)
		if name == "" {
			root.Properties = append(root.Properties, property{own, s})
		} else {
			section.Properties = append(section.Properties, property{own, s})
		}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(root); err != nil {
		panic(fmt.Sprintf("config: %v", err)) // it has no value that JSON has not
	}
	return b.Bytes()
}

// shownInSchema returns the default of a key or, if it has none, an example, as the
// template shows it.
func shownInSchema(k key, c *Config) (value, examples json.RawMessage) {
	var v any
	if err := yaml.Unmarshal([]byte(k.templateValue(c)), &v); err != nil {
		panic(fmt.Sprintf("config: %s: %v", k.name, err)) // the template is YAML
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("config: %s: %v", k.name, err))
	}
	if n := k.field(c).node(); n.Tag == "!!str" && n.Value == "" && k.example != "" && k.choices == nil {
		return nil, json.RawMessage("[" + string(text) + "]")
	}
	return text, nil
}
