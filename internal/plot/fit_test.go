package plot

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestFit: wide texts are shortened, and different texts stay different.
func TestFit(t *testing.T) {
	st := style(tickSize)
	for _, c := range []struct{ texts, want []string }{
		{[]string{"north", "south"}, []string{"north", "south"}},
		{[]string{"southeast", "lee"}, []string{"south\u2026", "lee"}},
		{[]string{"southeasterly", "southwesterly"}, []string{"\u2026east\u2026", "\u2026wes\u2026"}},
		{[]string{"wind from the east", "wind from the west"}, []string{"\u2026east", "\u2026west"}},
		{[]string{"northern east", "northern west", "southern east", "southern west"},
			[]string{"nor\u2026ast", "nor\u2026est", "so\u2026ast", "so\u2026est"}},
		{[]string{"the same text", "the same text"}, []string{"the sa\u2026", "the sa\u2026"}},
	} {
		if got := fit(c.texts, st, st.Width("southern")); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.texts, got, c.want)
		}
	}
	// Different texts stay different, even if they exceed the width.
	texts := []string{"a rather long beginning, 1, and a rather long end", "a rather long beginning, 2, and a rather long end"}
	if got := fit(texts, st, vg.Points(5)); got[0] == got[1] {
		t.Errorf("both are %q", got[0])
	}
}
