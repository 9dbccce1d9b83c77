package contract_test

import (
	"maps"
	"testing"

	"github.com/tskgraph/tskgraph/internal/contract"
	"github.com/tskgraph/tskgraph/internal/racedetector"
)

// TestContract: every shape, engine and initialiser, both presets and every recipe
// keep every clause. Under the race detector it is the recipes alone, which are all the
// ways to work side by side, and without the slow checks.
func TestContract(t *testing.T) {
	all, slow := recipes(), wide(t)
	maps.Copy(slow, all)
	if !racedetector.Enabled {
		maps.Copy(all, crossed(t, 0.1))
	}
	t.Logf("%d estimators, %d of them for the slow checks", len(all), len(slow))
	for _, c := range contract.Checks {
		t.Run(c.Name, func(t *testing.T) {
			estimators := all
			switch {
			case c.Slow && racedetector.Enabled:
				t.Skip("slow, and nothing in it works side by side that the others do not")
			case c.Slow:
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
