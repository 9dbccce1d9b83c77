package workbench

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/config"
)

// columnKeys are the keys whose values are names of columns, or of what is in their cells: any text is one.
var columnKeys = []string{
	"data.target", "data.features", "data.ignore", "data.weight", "data.group", "data.split_column", "data.na", "data.categorical", "data.units", "model.signs",
}

// TestSettingsStayInside: no key, nor a text that is no key, makes a page read or write anything but its table and its directory of runs.
func TestSettingsStayInside(t *testing.T) {
	const secret = "/home/user/secret.csv"
	schemas, err := keySchemas()
	if err != nil {
		t.Fatal(err)
	}
	p := &plan{initial: &config.Initial{YAML: []byte("data: {path: t.csv, target: y}")}}
	loaded := func(key string, v value) (*config.Config, error) {
		set, err := settings{Set: map[string]value{key: v}}.chosen()
		if err != nil {
			return nil, err
		}
		return p.load(set...)
	}
	for _, key := range slices.Sorted(maps.Keys(schemas)) {
		for _, v := range []value{secret, `["` + secret + `"]`, "[{init: " + secret + "}]"} {
			if c, err := loaded(key, v); err == nil && !slices.Contains(columnKeys, key) && strings.Contains(string(c.YAML()), secret) {
				t.Errorf("%s = %s: the page may set it:\n%s", key, v, c.YAML())
			}
		}
	}
	for text, v := range map[string]value{"data.path=/home/user/secret.cs[v": "]", "data.path=postgres://example.org/d": "", "output.dir=/home/user": "", "model.init=/home/user/m": ".json", "\ndata.path": secret} {
		if _, err := loaded(text, v); err == nil || !strings.Contains(err.Error(), "no such key") {
			t.Errorf("%q = %q: %v", text, v, err)
		}
	}
}
