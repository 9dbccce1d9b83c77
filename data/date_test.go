package data

import (
	"strings"
	"testing"
)

// Dates are known in the usual ways of writing them, and rise if they do in one order of month and day that fits all.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		cells string
		dates int
		rise  bool
	}{
		{"2017-12-01|2017-12-02|2018-01-01", 3, true},
		{"2017-12-01 10:00:00|2017-12-01 09:00:00", 2, false},
		{"01/12/2017|02/12/2017|13/12/2017|01/01/2018", 4, true}, // day first
		{"12/01/2017|12/13/2017|01/02/2018", 3, true},            // month first
		{"13/12/2017|12/13/2017|01/02/2018", 3, false},           // neither
		{"02/01/2017|01/02/2017", 2, true},                       // day first
		{"30.11.2018|01.12.2018 10:30|2.12.2018", 3, true},
		{"01-12-2017 23:00|02-12-2017 00:00", 2, true},
		{"1/2/2020 11:30 AM|1/2/2020 1:00 PM", 2, true},
		{"08:15|09:00|23:59", 3, true},
		{"2021-03-01T10:00:00Z|2021-03-01T11:00:00+02:00", 2, false},
		{"A12|B13|C14", 0, true},
	} {
		var d dates
		seen := 0
		for _, cell := range strings.Split(c.cells, "|") {
			if d.see(cell) {
				seen++
			}
		}
		if seen != c.dates || d.rise() != c.rise {
			t.Errorf("%s: %d dates, rising %v", c.cells, seen, d.rise())
		}
	}
}
