package model

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// readValue reads a single JSON value up to the end of the input.
func readValue(r io.Reader) (json.RawMessage, error) {
	d := json.NewDecoder(&bounded{in: r})
	var text json.RawMessage
	if err := d.Decode(&text); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("unexpected data after the JSON value")
	}
	return text, nil
}

// strictly decodes a JSON value whose objects match their structs exactly: unknown, duplicate, missing (unless omitempty or omitzero) and
// null fields are errors. encoding/json detects only unknown fields. The text is checked before it is decoded, so that a short text
// cannot allocate much memory.
func strictly(text []byte, into any) error {
	w := &walk{Decoder: json.NewDecoder(bytes.NewReader(text)), known: map[reflect.Type]map[string]field{}}
	w.UseNumber()
	if err := w.value(reflect.TypeOf(into).Elem()); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// walk checks a JSON text against the type that it is to be decoded into.
type walk struct {
	*json.Decoder
	path  []step // to the current value
	known map[reflect.Type]map[string]field
}

// step is the name of a field or an index in a list.
type step struct {
	name  string
	index int // -1 for a name
}

type field struct {
	reflect.Type
	optional bool
}

var (
	rawMessage = reflect.TypeFor[json.RawMessage]()
	fromText   = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// value reads a value.
func (w *walk) value(t reflect.Type) error {
	if t == rawMessage {
		return w.Decode(new(json.RawMessage))
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	token, err := w.Token()
	if err != nil {
		return err
	}
	kind := t.Kind()
	if reflect.PointerTo(t).Implements(fromText) {
		kind = reflect.String
	}
	if got, want := kindOf(token), cmp.Or(jsonKinds[kind], "a number"); got == "null" && kind == reflect.Map {
		return nil // an empty map is written as null
	} else if got == "null" {
		return fmt.Errorf("%s is null", w.at())
	} else if got != want {
		return fmt.Errorf("%s is %s, want %s", w.at(), got, want)
	}
	switch kind {
	case reflect.Struct:
		return w.object(w.fields(t), nil)
	case reflect.Map:
		return w.object(nil, t.Elem())
	case reflect.Slice, reflect.Array:
		return w.list(t)
	}
	return nil
}

// list reads the rest of a list.
func (w *walk) list(t reflect.Type) error {
	here := len(w.path)
	w.path = append(w.path, step{})
	for ; w.More(); w.path[here].index++ {
		if err := w.value(t.Elem()); err != nil {
			return err
		}
	}
	n := w.path[here].index
	if w.path = w.path[:here]; t.Kind() == reflect.Array && n != t.Len() {
		return fmt.Errorf("%s has %d elements, want %d", w.at(), n, t.Len())
	}
	_, err := w.Token()
	return err
}

// object reads the rest of an object: a struct with the given fields or, if of is not nil, a map with values of this type.
func (w *walk) object(fields map[string]field, of reflect.Type) error {
	seen := map[string]bool{}
	for w.More() {
		token, err := w.Token()
		if err != nil {
			return err
		}
		name := token.(string)
		f, known := fields[name]
		if of != nil {
			f = field{Type: of}
		} else if !known {
			return fmt.Errorf("%sunknown field %s", strings.TrimPrefix(w.at()+": ", "it: "), escape.Quote(name))
		}
		w.path = append(w.path, step{name, -1})
		if seen[name] {
			return fmt.Errorf("%s appears twice", w.at())
		}
		seen[name] = true
		if err := w.value(f.Type); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !fields[name].optional && !seen[name] {
			w.path = append(w.path, step{name, -1})
			return fmt.Errorf("%s is missing", w.at())
		}
	}
	_, err := w.Token()
	return err
}

// fields returns the fields of a struct by their JSON names.
func (w *walk) fields(t reflect.Type) map[string]field {
	if w.known[t] == nil {
		w.known[t] = map[string]field{}
		for _, f := range reflect.VisibleFields(t) {
			if !f.Anonymous && f.IsExported() {
				name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
				if name == "-" {
					continue
				}
				w.known[t][name] = field{f.Type, options == "omitempty" || options == "omitzero"}
			}
		}
	}
	return w.known[t]
}

// at returns the path of the current value.
func (w *walk) at() string {
	if len(w.path) == 0 {
		return "it"
	}
	var b strings.Builder
	for _, s := range w.path {
		if s.index >= 0 {
			fmt.Fprintf(&b, "[%d]", s.index)
		} else {
			b.WriteString("." + s.name)
		}
	}
	return escape.Text(strings.TrimPrefix(b.String(), "."))
}

// kindOf returns the kind of value that a token begins.
func kindOf(t json.Token) string {
	switch t := t.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a text"
	case json.Delim:
		if t == '[' {
			return "a list"
		}
		return "an object"
	}
	return "a number"
}

// jsonKinds are the kinds of JSON values of Go kinds; those of all others are numbers.
var jsonKinds = map[reflect.Kind]string{reflect.Struct: "an object", reflect.Map: "an object", reflect.Slice: "a list",
	reflect.Array: "a list", reflect.String: "a text", reflect.Bool: "true or false"}

const (
	maxFile   = 1 << 30  // bytes of a model file
	maxBlanks = 64 << 10 // of consecutive white space
)

// bounded is a reader that fails when its input exceeds the limits of a model file.
type bounded struct {
	in           io.Reader
	read, blanks int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p[:min(len(p), maxBlanks)])
	b.read += n
	if text := len(bytes.TrimRight(p[:n], " \t\r\n")); text > 0 {
		b.blanks = n - text
	} else {
		b.blanks += n
	}
	switch {
	case b.read > maxFile:
		return n, fmt.Errorf("more than %d MiB: too large for a model file", maxFile>>20)
	case b.blanks > maxBlanks:
		return n, fmt.Errorf("more than %d KiB of white space", maxBlanks>>10)
	}
	return n, err
}
