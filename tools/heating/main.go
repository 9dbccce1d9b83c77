// Command heating generates the table of the guides, docs/heating.csv: the heating power
// of a fictitious office building, by hour and weather:
//
//	go -C tools run ./heating > docs/heating.csv
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
)

func main() {
	if err := write(os.Stdout, 900, rand.New(rand.NewPCG(1, 0))); err != nil {
		fmt.Fprintln(os.Stderr, "heating:", err)
		os.Exit(1)
	}
}

// write writes n random hours of a year.
func write(w io.Writer, n int, random *rand.Rand) error {
	if _, err := fmt.Fprintln(w, "outside,wind,sun,hour,day,heating"); err != nil {
		return err
	}
	for range n {
		season := math.Cos(2 * math.Pi * random.Float64()) // 1 in midwinter, -1 in midsummer
		hour := random.IntN(24)
		height := math.Max(0, math.Sin(math.Pi*float64(hour-6)/12)-0.3*season)
		sun := math.Round(700 * height * random.Float64())
		outside := round(8 - 10*season + 0.008*sun + 3*random.NormFloat64())
		wind := round(-3 * math.Log(1-random.Float64()))
		day := "workday"
		if random.IntN(7) < 2 {
			day = "weekend"
		}
		power := round(math.Max(0, heating(outside, wind, sun, hour, day)+0.8*random.NormFloat64()))
		if _, err := fmt.Fprintf(w, "%g,%g,%g,%d,%s,%g\n", outside, wind, sun, hour, day, power); err != nil {
			return err
		}
	}
	return nil
}

// heating returns the power, in kW, that keeps 21 °C in office hours and 16 °C
// otherwise: the loss through walls and by wind, less the gain from the sun, clamped to
// zero and the boiler's maximum.
func heating(outside, wind, sun float64, hour int, day string) float64 {
	inside := 16.0
	if day == "workday" && hour >= 6 && hour < 18 {
		inside = 21
	}
	loss := (0.9 + 0.06*wind) * (inside - outside)
	return math.Min(math.Max(0, loss-0.015*sun), 30)
}

// round rounds to tenths.
func round(x float64) float64 { return math.Round(10*x) / 10 }
