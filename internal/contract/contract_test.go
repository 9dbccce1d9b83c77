package contract_test

import (
	"maps"
	"testing"

	"github.com/tskgraph/tskgraph/internal/contract"
	"github.com/tskgraph/tskgraph/internal/race"
)

// TestContract: every shape, engine and initialiser, both presets and every recipe
// keep every clause. Under the race detector it is the recipes alone: they are all the
// ways to work side by side.
func TestContract(t *testing.T) {
	all, slow := recipes(), recipes()
	if !race.Enabled {
		maps.Copy(all, crossed(t, 0.1))
		maps.Copy(slow, wide(t))
	}
	for _, c := range contract.Checks {
		t.Run(c.Name, func(t *testing.T) {
			estimators := all
			if c.Slow {
				estimators = slow
			}
			for name, e := range estimators {
				t.Run(name, func(t *testing.T) {
					if !c.Alone {
						t.Parallel()
					}
					if err := c.Run(e); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}
