package registry_test

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// TestCached: a table of what is registered has the values that were registered after it was first asked for, and is
// computed once for them.
func TestCached(t *testing.T) {
	r, computed := registry.New[fruit]("orchard", "fruit"), 0
	table := registry.Cached(func() []string {
		computed++
		return r.Names()
	})
	for _, name := range []fruit{"pear", "quince"} {
		r.Register(name)
		for range 2 {
			if got := table(); got[len(got)-1] != string(name) {
				t.Errorf("%v after %s was registered", got, name)
			}
		}
	}
	if computed != 2 {
		t.Errorf("computed %d times", computed)
	}
}
