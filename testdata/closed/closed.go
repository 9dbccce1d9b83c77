// Package closed exports what other modules cannot name or implement, for the test of the house's signatures.
package closed

import (
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/interval"
)

type hidden = *int

// I has a method that other modules cannot implement.
type I interface {
	Limits() interval.Interval
	sealed() hidden
}

// T has a field of an internal type.
type T struct {
	Curves kernel.Curves
	own    hidden
}

// F has a parameter of an unexported type.
func F(own hidden, by func(x float64) float64) T { return T{own: own} }

func (t *T) internal() hidden { return t.own }
