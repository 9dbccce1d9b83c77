package table

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
		first bool // the day is first
	}{
		{"2017-12-01|2017-12-02|2018-01-01", 3, true, false},
		{"2017-12-01 10:00:00|2017-12-01 09:00:00", 2, false, false},
		{"01/12/2017|02/12/2017|13/12/2017|01/01/2018", 4, true, true}, // day first
		{"12/01/2017|12/13/2017|01/02/2018", 3, true, false},           // month first
		{"13/12/2017|12/13/2017|01/02/2018", 3, false, false},          // neither
		{"02/01/2017|01/02/2017", 2, true, true},                       // day first
		{"30.11.2018|01.12.2018 10:30|2.12.2018", 3, true, false},
		{"01-12-2017 23:00|02-12-2017 00:00", 2, true, false},
		{"1/2/2020 11:30 AM|1/2/2020 1:00 PM", 2, true, false},
		{"08:15|09:00|23:59", 3, true, false},
		{"2021-03-01T10:00:00Z|2021-03-01T11:00:00+02:00", 2, false, false},
		{"A12|B13|C14", 0, true, false},
	} {
		var d Dates
		seen := 0
		for _, cell := range strings.Split(c.cells, "|") {
			if _, is := d.Read(cell); is {
				seen++
			}
		}
		if seen != c.dates || d.Rise() != c.rise || d.DayFirst() != c.first {
			t.Errorf("%s: %d dates, rising %v, the day first %v", c.cells, seen, d.Rise(), d.DayFirst())
		}
	}
}
