package digits

import (
	"math"
	"testing"
)

func TestRound(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want float64
	}{
		{123456, 3, 123000}, {-0.0012345, 2, -0.0012}, {9.996, 3, 10}, {0, 4, 0},
		{math.MaxFloat64, 4, math.MaxFloat64}, {math.Inf(-1), 4, math.Inf(-1)},
	} {
		if got := Round(c.v, c.n); got != c.want {
			t.Errorf("Round(%v, %d) = %v, want %v", c.v, c.n, got, c.want)
		}
	}
	if !math.IsNaN(Round(math.NaN(), 3)) {
		t.Error("NaN is rounded to a number")
	}
}

func TestShow(t *testing.T) {
	for _, c := range []struct {
		v    float64
		n    int
		want string
	}{
		{math.Copysign(0, -1), 4, "0"}, {100.04, 4, "100"}, {123456, 4, "1.235e+05"}, {math.Nextafter(0.3, 1), -1, "0.30000000000000004"},
		{math.Inf(1), 5, "+Inf"}, {math.NaN(), 5, "NaN"},
	} {
		if got := Show(c.v, c.n); got != c.want {
			t.Errorf("Show(%v, %d) = %q, want %q", c.v, c.n, got, c.want)
		}
	}
}
