package pages

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/page"
)

// TestStability finds clear rules again in all samples, and rules of noise in few.
func TestStability(t *testing.T) {
	testenv.SkipRace(t)
	clear := testenv.Must(Find(t.Context(), samples(900, 0.3), everything)).Page
	for k, r := range clear.Rules {
		testenv.Equal(t, r.Again.Found, resamples, "samples in which a clear rule is found")
		for _, b := range r.Again.Borders {
			if b[0] > 30 || b[1] < 30 || b[1]-b[0] > 2 {
				t.Errorf("rule %d: the border is between %v and %v, and lies at 30", k+1, b[0], b[1])
			}
		}
	}
	if clear.Moved > 0.1 {
		t.Errorf("predictions move by %v", clear.Moved)
	}
	other := clear.Rules[1]
	other.Conditions = []page.Condition{{Column: "age", Above: border(40)}}
	if alike(other.Conditions, clear.Rules[1].Conditions) {
		t.Error("a rule on another column is the same")
	}
}
