package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// TestTable checks that docs/heating.csv is up to date.
func TestTable(t *testing.T) {
	committed, err := os.ReadFile("../../docs/heating.csv")
	if err != nil {
		t.Fatal(err)
	}
	var drawn bytes.Buffer
	if err := write(&drawn, 900, rand.New(rand.NewPCG(1, 0))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawn.Bytes(), committed) {
		t.Error("docs/heating.csv is stale: run make heating")
	}
}

// TestHeating checks the power in summer (none), in a gale (the boiler's maximum), and in
// and outside office hours.
func TestHeating(t *testing.T) {
	for _, c := range []struct {
		outside, wind, sun float64
		hour               int
		day                string
		want               float64
	}{
		{25, 0, 0, 3, "workday", 0},
		{-20, 20, 0, 3, "workday", 30},
		{11, 0, 0, 3, "workday", 4.5},
		{11, 0, 0, 12, "workday", 9},
		{11, 0, 0, 12, "weekend", 4.5},
		{11, 0, 100, 12, "weekend", 3},
	} {
		if got := heating(c.outside, c.wind, c.sun, c.hour, c.day); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
