package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestOddities: each oddity is found in a column that has it, with the rows, and not in one that nearly has.
func TestOddities(t *testing.T) {
	const n = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	levels := make([]float64, 40) // of codes
	for k := range levels {
		levels[k] = 10 * rng.NormFloat64()
	}
	place := make([]int, n)
	for i := range place {
		place[i] = rng.IntN(len(levels))
	}
	y := make([]float64, n)
	for i := range y {
		y[i] = levels[place[i]] + rng.NormFloat64()
	}
	for _, test := range []struct {
		name, what string
		cells      int
		rows       []int
		remedy     string
		value      func(i int) float64
	}{
		{"size", "1 cell is more than ten quartile distances", 1, []int{8}, "limits",
			func(i int) float64 { return far(i == 7, 4e5, 1+rng.Float64()) }},
		{"tail", "", 0, nil, "", func(int) float64 { return math.Exp(2 * rng.NormFloat64()) }},
		{"uniform", "", 0, nil, "", func(int) float64 { return rng.Float64() }},
		{"YearBuilt", "2 of 2000 cells are no year: 1196 in row 3, 2207 in row 10", 2, []int{3, 10}, "na 1196 2207",
			func(i int) float64 { return far(i == 2, 1196, far(i == 9, 2207, float64(1850+rng.IntN(170)))) }},
		{"years", "", 0, nil, "", func(i int) float64 { return far(i == 2, 80, float64(rng.IntN(40))) }},
		{"month", "400 of 2000 cells are no month", 400, []int{1, 6, 11}, "na 0",
			func(i int) float64 { return far(i%5 == 0, 0, float64(1+rng.IntN(12))) }},
		{"month", "", 0, nil, "", func(int) float64 { return float64(rng.IntN(12)) }}, // counted from 0
		{"latitude", "1 cell is no latitude", 1, []int{5}, "na 377.9", func(i int) float64 { return far(i == 4, 377.9, 37+rng.Float64()) }},
		{"weight", "20 of 2000 cells are about 1000 times the others", 20, []int{1, 101, 201}, "",
			func(i int) float64 { return far(i%100 == 0, 1000, 1) * (1 + rng.Float64()) }},
		{"amount", "", 0, nil, "", func(i int) float64 { return far(i%100 == 0, 30, 1) * (1 + rng.Float64()) }},
		{"postcode", "40 numbers that seem to be codes", 0, nil, "ranked", func(i int) float64 { return float64(3000 + 7*place[i]) }},
		{"count", "", 0, nil, "", func(i int) float64 { return math.Round(3 * y[i]) }},
		{"sensor", "21.37 in each of the 30 rows from 101 to 130", 30, []int{101}, "na 21.37",
			func(i int) float64 { return far(i >= 100 && i < 130, 21.37, 20+4*rng.Float64()) }},
		{"setting", "", 0, nil, "", func(i int) float64 { return 0.37 * float64(i/30) }},
	} {
		d := &Dataset{Schema: Schema{Target: "y", Columns: []Column{{Name: test.name, Encoding: Numeric}}}, Y: y}
		for i := range n {
			d.X, d.Rows = append(d.X, []float64{test.value(i)}), append(d.Rows, i+1)
		}
		all := Oddities(d)
		switch {
		case test.what == "" && len(all) > 0:
			t.Errorf("false alarm: %s", all[0])
		case test.what != "" && len(all) != 1:
			t.Errorf("%s: not found", test.name)
		case test.what != "":
			o := all[0]
			remedy := strings.TrimSpace("na " + strings.Join(o.NA, " "))
			switch {
			case o.Limits != nil:
				remedy = "limits"
			case o.Ranked:
				remedy = "ranked"
			case o.NA == nil:
				remedy = ""
			}
			if !strings.Contains(o.String(), test.what) || o.Cells != test.cells || !slices.Equal(o.Rows, test.rows) || remedy != test.remedy {
				t.Errorf("%s, %d cells, rows %v, remedy %q", o, o.Cells, o.Rows, remedy)
			}
		}
	}
}

// far is v where that is so, else other.
func far(so bool, v, other float64) float64 {
	if so {
		return v
	}
	return other
}

// TestDoubles: columns that repeat others are found, those that nearly do are not.
func TestDoubles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	d := &Dataset{Schema: Schema{Target: "y", Columns: []Column{
		{Name: "celsius", Encoding: Numeric}, {Name: "fahrenheit", Encoding: Numeric}, {Name: "near", Encoding: Numeric},
		{Name: "class", Encoding: Ordinal, Levels: []string{"first", "second", "third"}}, {Name: "pclass", Encoding: Numeric},
		{Name: "constant", Encoding: Numeric}, {Name: "again", Encoding: Numeric},
	}}}
	for i := range 300 {
		c, k := math.Round(10*rng.Float64()), float64(1+rng.IntN(3))
		d.X = append(d.X, []float64{c, float64(1.8*c) + 32, c + far(i == 299, 1, 0), k, 4 - k, 5, 5})
		d.Y, d.Rows = append(d.Y, rng.Float64()), append(d.Rows, i+1)
	}
	if got, want := fmt.Sprint(Doubles(d)),
		`["fahrenheit" = 1.8 "celsius" + 32 in every row "class" is "pclass" by other names, in every row]`; got != want {
		t.Error(got)
	}
}
