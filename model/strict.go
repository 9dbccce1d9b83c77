package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// strictly decodes one JSON value that has no unknown fields and nothing after
// it.
func strictly(r io.Reader, into any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is something after the end")
	}
	return nil
}

// complete checks that all of c was read from the text. Without it a number that
// is missing or null would be read as 0. A field that older files do not have must
// be omitted when empty.
func complete(text []byte, c *content) error {
	written, err := json.Marshal(c)
	if err != nil {
		return err
	}
	var got, want any
	if err := json.Unmarshal(text, &got); err != nil {
		return err
	}
	if err := json.Unmarshal(written, &want); err != nil {
		return err
	}
	return holds("", got, want)
}

// holds returns an error that names the first field in want that got, a JSON
// value, does not have or has otherwise.
func holds(path string, got, want any) error {
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(want)) {
			value, ok := fields[name]
			if !ok {
				return fmt.Errorf("%s is missing", strings.TrimPrefix(path+"."+name, "."))
			}
			if err := holds(path+"."+name, value, want[name]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		if items, _ := got.([]any); len(items) == len(want) {
			for i := range want {
				if err := holds(fmt.Sprintf("%s[%d]", path, i), items[i], want[i]); err != nil {
					return err
				}
			}
			return nil
		}
	default:
		if got == want {
			return nil
		}
	}
	if path = strings.TrimPrefix(path, "."); got == nil {
		return fmt.Errorf("%s is null", path)
	}
	return fmt.Errorf("%s is there twice", path)
}
