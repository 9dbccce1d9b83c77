package registry_test

import (
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/registry"
)

type fruit string

func (f fruit) Name() string { return string(f) }

func TestRegistry(t *testing.T) {
	r := registry.New[fruit]("orchard", "fruit")
	r.Register("pear")
	r.Register("apple")
	if got := r.Names(); !slices.Equal(got, []string{"apple", "pear"}) {
		t.Errorf("names %v", got)
	}
	if got := r.All(); !slices.Equal(got, []fruit{"apple", "pear"}) {
		t.Errorf("values %v", got)
	}
	if got, err := r.Lookup("pear"); got != "pear" || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for name, want := range map[string]string{
		"aple":  `orchard: unknown fruit "aple": choose one of apple, pear; did you mean apple?`,
		"melon": `orchard: unknown fruit "melon": choose one of apple, pear`,
	} {
		if _, err := r.Lookup(name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for name, want := range map[fruit]string{"pear": "orchard: two fruits are named pear", "": "orchard: a fruit without a name: registry_test.fruit"} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("recovered %v, want %s", got, want)
				}
			}()
			r.Register(name)
		}()
	}
}
