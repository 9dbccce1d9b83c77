package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// MarshalJSON writes the recipe as one object: the preset, then every key of the table with
// its value. A shape is written as its name or formula; margin, bounds and the options of
// the optimizer are strings, as in a model file.
func (r Recipe) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"preset":%q`, r.Preset)
	for _, k := range Keys() {
		value, err := json.Marshal(k.Field(&r))
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
		if err := k.Field(&read).UnmarshalJSON(text); err != nil {
			return &Error{Key: key, Message: err.Error()}
		}
	}
	*r = read
	return nil
}
