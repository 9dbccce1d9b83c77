package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// reading is a configuration on its way from its sources.
type reading struct {
	values  *viper.Viper          // by key, of every source that says it the strongest: a *yaml.Node
	origins map[*yaml.Node]origin // of these nodes
	faults  []*Error
	wrong   map[string]bool // keys whose value has a fault
	broken  bool            // the file cannot be read, so that nothing is known of what is missing
}

func newReading() *reading {
	return &reading{values: viper.New(), origins: map[*yaml.Node]origin{}, wrong: map[string]bool{}}
}

// file takes the file.
func (r *reading) file(path string) {
	if path == "" {
		return
	}
	text, err := readLimited(path)
	if err != nil {
		if reason := new(fs.PathError); errors.As(err, &reason) {
			err = reason.Err
		}
		r.faults, r.broken = append(r.faults, &Error{Where: path, Message: err.Error()}), true
		return
	}
	r.text(origin{file: path}, text)
}

// text takes the text of a file, after its nodes were checked.
func (r *reading) text(o origin, text []byte) {
	root, faults := parseText(o, text)
	if faults != nil {
		r.faults, r.broken = append(r.faults, faults...), true
		return
	}
	if root == nil {
		return // an empty file sets nothing
	}
	if err := r.values.MergeConfigMap(r.sectionsOf(o, "", root)); err != nil {
		r.faults = append(r.faults, &Error{Where: o.file, Message: err.Error()})
	}
}

// environment takes what environment variables of known keys say and refuses those that
// were meant to be. An empty variable says nothing.
func (r *reading) environment(env []string) {
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" {
			continue
		}
		if k, ok := keyOfVariable(name); ok {
			r.set(origin{name: name}, k, value)
		} else if closest, meant := closestVariable(name); meant {
			r.faults = append(r.faults, &Error{Where: "environment", Key: name, Message: "no such key" + didYouMean(closest)})
		}
	}
}

// flags takes what --set says, above everything else.
func (r *reading) flags(set []string) {
	for _, entry := range set {
		name, value, ok := strings.Cut(entry, "=")
		if !ok {
			r.faults = append(r.faults, &Error{Where: "--set " + printable(entry), Message: "want key=value, such as train.iterations=2000"})
		} else if k, known := lookup(name); known {
			r.set(origin{name: "--set"}, k, value)
		} else {
			r.faults = append(r.faults, &Error{Where: "--set", Key: name, Message: "no such key" + didYouMean(closestKey(name))})
		}
	}
}

// set takes the value of a key from the environment or --set. It is YAML, except that a
// text needs no quotes and a list no brackets: a,b.
func (r *reading) set(o origin, k key, text string) {
	node, faults := parseValue(o, k, text)
	for _, f := range faults {
		f.Key = k.name
		r.faults = append(r.faults, f)
	}
	if faults != nil {
		r.wrong[k.name] = true
		return
	}
	r.origins[node] = o
	r.values.Set(k.name, node)
}

func parseValue(o origin, k key, text string) (*yaml.Node, []*Error) {
	if !utf8.ValidString(text) {
		return nil, []*Error{{Where: o.name, Message: printable(text) + ": not UTF-8 text"}}
	}
	bare := !strings.HasPrefix(strings.TrimSpace(text), "[")
	switch k.field(&Config{}).(type) {
	case *string:
		return scalarNode(text), nil
	case *[]string, *na:
		if bare && !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return listNode(strings.FieldsFunc(text, func(r rune) bool { return r == ',' })), nil
		}
	}
	if k.isList() && bare {
		text = "[" + text + "]"
	}
	if len(text) > maxFile {
		return nil, []*Error{{Where: o.name, Message: fmt.Sprintf("more than %d bytes: no value is that long", maxFile)}}
	}
	node, faults := parseText(o, []byte(text))
	if node == nil && faults == nil {
		faults = []*Error{{Where: o.name, Message: fmt.Sprintf("%q: want one value", shorten(text))}}
	}
	return node, faults
}

// read stores the value of a key, if it is set and has no fault.
func (r *reading) read(k key, c *Config) {
	node, ok := r.values.Get(k.name).(*yaml.Node)
	if !ok {
		return
	}
	before := len(r.faults)
	d := decoder{reading: r, origin: r.origins[node], key: k}
	d.decode(node, k.field(c))
	if len(r.faults) > before {
		r.wrong[k.name] = true
	}
}

// decoder decodes the value of a key.
type decoder struct {
	*reading
	origin origin
	key    key
	within string // which part of the value: "setting 2: "
}

// in returns the decoder of a part of the value.
func (d decoder) in(part string) decoder {
	d.within += printable(part) + ": "
	return d
}

func (d decoder) fault(n *yaml.Node, format string, a ...any) {
	d.faults = append(d.faults, d.origin.fault(n, d.key.name, d.within+fmt.Sprintf(format, a...)))
}
