package words

import "testing"

func TestIntervalText(t *testing.T) {
	width := 769754.5
	for want, i := range map[string]Interval{
		"90% prediction interval: plus or minus 769754, from 70 calibration samples": {Level: 0.9, HalfWidth: &width, Samples: 70},
		"90% prediction interval: 769754 wide on average, from 70 calibration samples": {
			Level: 0.9, MeanWidth: &width, Samples: 70,
		},
	} {
		if got := i.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
