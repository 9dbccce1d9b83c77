package registry_test

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

type fruit string

func (f fruit) Name() string { return string(f) }

func TestRegistry(t *testing.T) {
	r := registry.New[fruit]("orchard", "fruit")
	r.Register("pear")
	r.Register("apple")
	testenv.Equal(t, r.Names(), []string{"apple", "pear"}, "names")
	testenv.Equal(t, r.All(), []fruit{"apple", "pear"}, "values")
	testenv.Equal(t, testenv.Must(r.Lookup("pear")), "pear")
	for name, want := range map[string]string{
		"aple":  `orchard: unknown fruit "aple": choose one of apple, pear; did you mean apple?`,
		"melon": `orchard: unknown fruit "melon": choose one of apple, pear`,
	} {
		if _, err := r.Lookup(name); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for name, want := range map[fruit]string{"pear": "orchard: two fruits are named pear",
		"": "orchard: a fruit without a name: registry_test.fruit"} {
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
	testenv.Equal(t, computed, 2, "times computed")
}

// named has parameters of its own beside its name.
type named interface{ Name() string }

type power struct{ Of []int }

func (power) Name() string { return "power" }

// TestSame: a name stands for the value that is registered, not for another one with this name.
func TestSame(t *testing.T) {
	r := registry.New[named]("orchard", "fruit")
	r.Register(power{[]int{2}})
	r.Register(fruit("pear"))
	for _, v := range []named{power{[]int{2}}, fruit("pear")} {
		testenv.OK(t, r.Same(v))
	}
	for want, v := range map[string]named{
		"power{Of:[]int{6}}, but registry_test.power{Of:[]int{2}} is registered under this name": power{[]int{6}},
		"is registered under this name":   &power{[]int{2}},
		`fruit "melon" is not registered`: fruit("melon"),
		"orchard: the fruit is nil":       nil,
	} {
		testenv.FailsWith(t, r.Same(v), want)
	}
}
