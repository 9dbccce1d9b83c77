package config

import (
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// data.na is read from a file, the environment and --set alike, and each text as it stands.
func TestNA(t *testing.T) {
	all := data.NA{"*": {"-", "-999", "1.50"}}
	by := data.NA{"a": {"-200"}, "*": {"-"}}
	for _, test := range []struct {
		text, env, set string
		want           data.NA
	}{
		{text: `["-", -999, 1.50]`, want: all},
		{text: `{a: [-200], "*": ["-"]}`, want: by},
		{text: `[]`},
		{env: "-,-999,1.50", want: all},
		{set: `["-", -999, 1.50]`, want: all},
		{set: `{a: [-200], "*": ["-"]}`, want: by},
	} {
		text, env, set := "data:\n  path: t.csv\n  target: y\n", []string(nil), []string(nil)
		if test.text != "" {
			text += "  na: " + test.text + "\n"
		}
		if test.env != "" {
			env = []string{"TSKGRAPH_DATA_NA=" + test.env}
		}
		if test.set != "" {
			set = []string{"data.na=" + test.set}
		}
		c, err := load(t, text, env, set)
		if err != nil || !reflect.DeepEqual(c.Data.NA, test.want) {
			t.Errorf("%+v: %q, %v", test, c.Data.NA, err)
		}
	}
}
