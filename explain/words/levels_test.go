package words

import (
	"fmt"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestManyLevels: a condition on many levels in an order names their ends and their number; on few, all of them.
func TestManyLevels(t *testing.T) {
	column := data.Column{Name: "suburb", Encoding: data.Ordinal}
	var levels []columnLevel
	for i := range 20 {
		name := fmt.Sprintf("s%d", i+1)
		column.Levels, levels = append(column.Levels, name), append(levels, columnLevel{place: float64(i + 1), name: name})
	}
	for _, test := range []struct {
		from, to int
		want     string
	}{
		{0, 9, "at most s9 (9 of 20: s1, s2, ..., s9)"}, {11, 20, "at least s12 (9 of 20: s12, s13, ..., s20)"},
		{4, 14, "s5 to s14 (10 of 20: s5, s6, ..., s14)"}, {0, 8, "at most s8"}, {4, 7, "s5, s6 or s7"},
	} {
		var c Condition
		c.among(column, levels, levels[test.from:test.to], append(levels[:test.from:test.from], levels[test.to:]...), true)
		if c.Is != test.want {
			t.Errorf("%q, want %q", c.Is, test.want)
		}
	}
}
