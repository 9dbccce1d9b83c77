package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tskgraph/tskgraph/membership"
)

// MarshalJSON writes the recipe as one object: the preset, then every key of the table with
// its value. A shape is written as its name or formula; margin, bounds and the options of
// the optimizer are strings, as in a model file.
func (r Recipe) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"preset":%q`, r.Preset)
	for _, k := range Keys() {
		value, err := json.Marshal(plain(k.Field(&r)))
		if err != nil {
			return nil, &Error{Key: k.Name, Message: err.Error()}
		}
		fmt.Fprintf(&b, ",%q:%s", k.Name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes. An absent key gets the value of the preset,
// or of [Paper] if there is no preset. An unknown key and an invalid value are an
// *[Error].
func (r *Recipe) UnmarshalJSON(text []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return fmt.Errorf("recipe: %w", err)
	}
	name := ""
	if text, ok := values["preset"]; ok {
		if err := json.Unmarshal(text, &name); err != nil {
			return &Error{Key: "preset", Message: err.Error()}
		}
	}
	read := Paper()
	if name != "" {
		var err error
		if read, err = Preset(name); err != nil {
			return err
		}
	}
	read.Preset = name
	delete(values, "preset")
	for key, text := range values {
		k, ok := Lookup(key)
		if !ok {
			return &Error{Key: key, Message: "no such key"}
		}
		if err := setPlain(k.Field(&read), text); err != nil {
			return &Error{Key: key, Message: err.Error()}
		}
	}
	*r = read
	return nil
}

// plain returns the value of a field in a form that JSON can represent.
func plain(field any) any {
	switch f := field.(type) {
	case *membership.Function:
		if written, ok := membership.AsFormula(*f); ok {
			return written
		}
	case *[]Setting:
		return append([]Setting{}, *f...) // never null
	case List:
		return append(Numbers{}, f.Get()...) // never null
	case LossNumber:
		return f.Get()
	case *Signs:
		return *f
	case *string, *int, *uint64, *float64, *bool:
		return f
	}
	return textOf(field)
}

// setPlain sets a field to a JSON value.
func setPlain(field any, text []byte) error {
	switch f := field.(type) {
	case *membership.Function:
		var written membership.Formula
		if json.Unmarshal(text, &written) == nil {
			shape, err := written.Shape()
			*f = shape
			return err
		}
	case **Bounds:
		if string(text) == `""` {
			*f = nil
			return nil
		}
	case *[]Setting:
		*f = nil
		return json.Unmarshal(text, f)
	case *Signs:
		*f = nil
		return json.Unmarshal(text, f)
	case List:
		var v Numbers
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
		if len(v) == 0 {
			v = nil // not empty
		}
		f.Set(v)
		return nil
	case LossNumber:
		var v float64
		err := json.Unmarshal(text, &v)
		f.Set(v)
		return err
	case *string, *int, *uint64, *float64, *bool:
		return json.Unmarshal(text, f)
	}
	var value string
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return parse(field, value)
}
