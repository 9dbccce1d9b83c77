package config

import (
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/suggest"
	"github.com/tskgraph/tskgraph/interval"
)

// key is one key of config.yaml.
type key struct {
	name    string
	doc     string // what it means, its unit, its choices
	example string // the value in the template where the default is empty

	limits  *interval.Interval // of a number, or of each number in a list; nil: none
	choices []string           // of a text; nil: any
	orModel bool               // a text that names the file of a saved model is valid, too
	filled  bool               // the empty text is not valid
	outside bool               // it names files, a directory, or a database and its rows

	field func(*Config) value // where the value goes

	// shown reports whether the key has an effect in a configuration, so that a
	// resolved one shows it. Nil: always.
	shown func(*Config) bool
}

func lookup(name string) (key, bool) {
	i := slices.IndexFunc(keys(), func(k key) bool { return k.name == name })
	if i < 0 {
		return key{}, false
	}
	return keys()[i], true
}

// section returns the section of a key and the rest of its name; the preset has
// no section.
func (k key) section() (section, rest string) {
	if section, rest, ok := strings.Cut(k.name, "."); ok {
		return section, rest
	}
	return "", k.name
}

// sections are the names of the sections, in order.
func sections() []string {
	var all []string
	for _, k := range keys() {
		if s, _ := k.section(); s != "" && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// variable is the environment variable of a key.
func (k key) variable() string {
	return "TSKGRAPH_" + strings.ToUpper(strings.ReplaceAll(k.name, ".", "_"))
}

func keyOfVariable(name string) (key, bool) {
	i := slices.IndexFunc(keys(), func(k key) bool { return k.variable() == name })
	if i < 0 {
		return key{}, false
	}
	return keys()[i], true
}

// closestVariable returns the environment variable that an unknown one was probably meant
// to be. isMeant reports whether that is probable enough for a fault: it begins with a
// section, is spelt like a variable, or lacks the section.
func closestVariable(name string) (closest string, isMeant bool) {
	text, ours := strings.CutPrefix(name, "TSKGRAPH_")
	if !ours {
		return "", false
	}
	if slices.Contains(sections(), strings.ToLower(text)) {
		return "", false // TSKGRAPH_DATA is where the tests find data
	}
	var variables []string
	for _, k := range keys() {
		variables = append(variables, k.variable())
	}
	if closest = suggest.Closest(name, variables); closest != "" {
		return closest, true
	}
	text = strings.ToLower(text)
	if k, ok := sameName(text); ok {
		return k.variable(), true
	}
	section, rest, _ := strings.Cut(text, "_")
	if k, ok := lookup(closestKey(section + "." + rest)); ok {
		closest = k.variable()
	}
	return closest, rest != "" && slices.Contains(sections(), section)
}

// closestKey returns the key, or the section, that a wrong name was probably meant to
// be: the key of that name in another section, else one that is spelt alike.
func closestKey(name string) string {
	if i := slices.IndexFunc(sections(), func(s string) bool { return strings.EqualFold(s, name) }); i >= 0 {
		return sections()[i]
	}
	own := name
	if _, rest, ok := strings.Cut(name, "."); ok {
		own = rest
	}
	if k, ok := sameName(own); ok {
		return k.name
	}
	var full, all []string
	for _, k := range keys() {
		_, name := k.section()
		full, all = append(full, k.name), append(all, name)
	}
	if closest := suggest.Closest(name, append(full, sections()...)); closest != "" {
		return closest
	}
	k, _ := sameName(suggest.Closest(own, all))
	return k.name
}

// sameName returns the first key of a name within its section, whatever the section.
func sameName(name string) (key, bool) {
	i := slices.IndexFunc(keys(), func(k key) bool {
		_, own := k.section()
		return strings.EqualFold(own, name)
	})
	if i < 0 {
		return key{}, false
	}
	return keys()[i], true
}

// didYouMean is the end of a message about a wrong name.
func didYouMean(closest string) string {
	if closest == "" {
		return ""
	}
	return "; did you mean " + closest + "?"
}
