package contract_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// TestContract checks every clause on every shape, engine and initialiser, both presets
// and every recipe. By default, and if it is slow, each check runs on a different twentieth of them, under CI=true
// on a fifteenth. Under the race detector only the recipes run, which cover all concurrent code, without the slow
// checks.
func TestContract(t *testing.T) {
	all, some := recipes(), wide(t)
	maps.Copy(some, all)
	if !testenv.Race {
		maps.Copy(all, crossed(t, 0.1))
	}
	t.Logf("%d estimators, %d of them for the slow checks", len(all), len(some))
	for i, c := range Checks {
		t.Run(c.Name, func(t *testing.T) {
			estimators, ci := all, 15
			switch {
			case c.Slow && testenv.Race:
				t.Skip("slow, without concurrent code that other checks do not run")
			case c.Slow:
				estimators, ci = some, 20
			}
			for _, name := range testenv.Draw(slices.Sorted(maps.Keys(estimators)), 20, ci, i) {
				t.Run(name, func(t *testing.T) {
					if !c.Alone {
						t.Parallel()
					}
					if err := c.Run(estimators[name]); err != nil {
						t.Error(err)
					}
				})
			}
		})
	}
}
