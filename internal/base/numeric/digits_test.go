package numeric

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
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
		testenv.Equal(t, Round(c.v, c.n), c.want, "Round(%v, %d)", c.v, c.n)
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
		{math.Copysign(0, -1), 4, "0"}, {100.04, 4, "100"}, {123456.7, 4, "123457"}, {-61750000.3, 4, "-61750000"},
		{999999999.9, 5, "1000000000"}, {1e9, 4, "1e+09"}, {99999.6, 5, "100000"},
		{1292868.1849193235, -1, "1292868.1849193235"}, {1e-5, 3, "1e-05"}, {math.Nextafter(0.3, 1), -1, "0.30000000000000004"},
		{math.Inf(1), 5, "+Inf"}, {math.NaN(), 5, "NaN"},
	} {
		testenv.Equal(t, Show(c.v, c.n), c.want, "Show(%v, %d)", c.v, c.n)
	}
}

func TestAppend(t *testing.T) {
	for v, want := range map[float64]string{
		1292868.1849193235: "1292868.1849193235", 1.7e9: "1700000000", -0.5: "-0.5", 1e15: "1e+15", 1e-5: "1e-05", 0: "0", math.Inf(-1): "-Inf",
	} {
		testenv.Equal(t, string(AppendShortest(nil, v)), want, "Append(%v)", v)
	}
}

func TestRoundTo(t *testing.T) {
	for _, c := range []struct {
		v     float64
		place int
		want  float64
	}{
		{123456, 3, 123000}, {-0.0012345, -4, -0.0012}, {9.996, -2, 10}, {1013.26, 0, 1013}, {1e300, 2, 1e300},
		{math.MaxFloat64, 308, math.MaxFloat64}, {math.Inf(-1), 1, math.Inf(-1)}, {1e-320, -400, 1e-320},
	} {
		testenv.Equal(t, RoundTo(c.v, c.place), c.want, "RoundTo(%v, %d)", c.v, c.place)
	}
}

func TestShorten(t *testing.T) {
	for _, c := range []struct{ v, want float64 }{
		{349.99999999999994, 350}, {-0.08180000000000001, -0.0818}, {0, 0}, {math.Pi, 3.14159265359}, {1e300, 1e300},
	} {
		testenv.Equal(t, Shorten(c.v, 1e-12), c.want, "Shorten(%v)", c.v)
	}
	testenv.Equal(t, Shorten(math.Pi, 0), math.Pi, "Shorten(pi) without tolerance")
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1970: "1970", 9999.5: "9999.5", 10000: "10,000", -433014: "-433,014", 999999: "999,999",
		1.37e6: "1.37 M", -123456789: "-123.457 M", 2e9: "2e+09", 12345.6: "12,345.6", 1e-5: "1e-05"} {
		if got := Short(v, 6); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
