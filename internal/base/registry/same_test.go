package registry_test

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/registry"
)

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
		if err := r.Same(v); err != nil {
			t.Error(err)
		}
	}
	for want, v := range map[string]named{
		"power{Of:[]int{6}}, but registry_test.power{Of:[]int{2}} is registered under this name": power{[]int{6}},
		"is registered under this name":   &power{[]int{2}},
		`fruit "melon" is not registered`: fruit("melon"),
		"orchard: the fruit is nil":       nil,
	} {
		if err := r.Same(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
