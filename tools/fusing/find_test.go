package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsFused checks that training and prediction have no product that a compiler may fuse.
func TestNothingIsFused(t *testing.T) {
	found, err := find("", roots...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found {
		t.Errorf("%v: run go run ./tools/fusing -fix", p)
	}
}

// program is a source file whose comments list the products of the line that may be fused.
const program = `package p

import "math"

type pair struct{ x, y float64 }

func add(x, y, z float64) float64 {
	z += x * y // x * y
	z -= (x / 4) // x / 4
	z = float64(x*y) + z
	z = x*3 + y/3 // x * 3
	z = -(x * y) - z // x * y
	z /= 2 * (x * y) // x * y
	a := x * y // x * y
	b, c := a, x*z // x * z
	b = b + c
	var d = y * z // y * z
	d++
	z -= d
	x *= y + 1 // x *= y + 1
	var s pair
	s.x, s.y = x*y, x*y // x * y
	z = z + x + s.y
	e := x * y
	return math.Abs(e*z) + float64(2*3)*y // float64(2 * 3) * y
}

func product(x, y float64) (float64, float64) { return x * y, x * y } // x * y

func plus(x, y float64) float64 { return x + y }

func calls(x, y float64, n int) float64 {
	square := func(v float64) float64 { return v * v } // v * v
	_, second := product(x, y)
	n = n*n + 3*n
	return second + plus(x*x, square(y)) // x * x
}
`

// TestFind checks that find returns exactly the products that the comments of the program
// list, and none after write.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "p.go")
	for name, text := range map[string]string{"go.mod": "module p\n\ngo 1.26\n", "p.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, err := find(dir, "p")
	if err != nil {
		t.Fatal(err)
	}
	byLine := map[int]string{}
	for _, p := range found {
		byLine[p.Line] += p.text
	}
	for i, line := range strings.Split(program, "\n") {
		if _, want, _ := strings.Cut(line, "// "); byLine[i+1] != want {
			t.Errorf("line %d: %s: found %q", i+1, line, byLine[i+1])
		}
	}
	if err := write(found); err != nil {
		t.Fatal(err)
	}
	if found, err = find(dir, "p"); err != nil || len(found) > 0 {
		text, _ := os.ReadFile(source)
		t.Errorf("after write: %v, %v in\n%s", found, err, text)
	}
	if text, _ := os.ReadFile(source); !strings.Contains(string(text), "x = float64(x * (y + 1))") {
		t.Errorf("after write:\n%s", text)
	}
}
