package optim_test

import (
	"testing"

	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/optim/optimtest"
)

// TestConformance tests every registered method, and AdaBound also with relative bounds.
func TestConformance(t *testing.T) {
	for _, name := range optim.Solvers() {
		t.Run(name, func(t *testing.T) { optimtest.Run(t, func() optim.Method { return must(optim.Lookup(name, nil)) }) })
	}
	t.Run("relative", func(t *testing.T) {
		optimtest.Run(t, func() optim.Method { return &optim.AdaBound{FinalLR: 1, Relative: 1, Gamma: 0.1} })
	})
}
