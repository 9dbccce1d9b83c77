package safefile_test

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"no2": "no2", "a b": "a_b", "../../etc": "etc", "-rf": "rf", "..": "data", "": "data", "日本": "日本", "été 2": "été_2",
		"\x1b[31m": "31m", "x/../y": "x_.._y", "a\xff\u202eb": "a__b", strings.Repeat("x", 100): strings.Repeat("x", 80),
		strings.Repeat("é", 39) + "xé": strings.Repeat("é", 39) + "x",
	} {
		if got := safefile.Name(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
