package failure_test

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/beam/failure"
)

// TestFind: a failure is found in whatever surrounds it, the first of several; other texts and cut ones have none.
func TestFind(t *testing.T) {
	f := &failure.Failure{Exit: 3, Message: "a \"b\".csv:7: } :end {\n\tü \x00: not a number"}
	m := f.Marked()
	if strings.Contains(m, "\n") {
		t.Errorf("%q has lines", m)
	}
	other := (&failure.Failure{Exit: 4, Message: "other"}).Marked()
	for _, text := range []string{m, "job failed:\nbundle 1 failed: " + m + "\n\tat java.lang.Thread.run", m[:20] + " " + m, m + other} {
		if got := failure.Find(text); got == nil || *got != *f {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, text := range []string{"", "job failed", m[:len(m)-1], m[1:], strings.Replace(m, "3", "x", 1)} {
		if got := failure.Find(text); got != nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}
