package plot

import (
	"bytes"
	"image/color"
	"math"
	"testing"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// waves is a surface with many closed and open contour lines of each level.
func waves() *grid {
	g := &grid{x: between(0, 20, 60), y: between(0, 20, 60)}
	for _, y := range g.y {
		row := make([]float64, len(g.x))
		for i, x := range g.x {
			row[i] = math.Sin(x) * math.Cos(y)
		}
		g.z = append(g.z, row)
	}
	return g
}

// written returns the SVG of a plotter.
func written(t *testing.T, lines gonum.Plotter) []byte {
	t.Helper()
	p := gonum.New()
	p.BackgroundColor = color.White
	p.Add(lines)
	f := &Figure{width: 5 * vg.Centimeter, height: 5 * vg.Centimeter, draw: func(c draw.Canvas) { p.Draw(c) }}
	var b bytes.Buffer
	if err := f.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestContoursAreReproducible: the same surface gives the same bytes, which those of plotter.Contour are not.
func TestContoursAreReproducible(t *testing.T) {
	want := written(t, newContours(waves(), -1, 1))
	if n := bytes.Count(want, []byte("<path")); n < 50 {
		t.Fatalf("only %d paths", n)
	}
	plain := written(t, newContours(waves(), -1, 1).Contour)
	if len(plain) != len(want) {
		t.Errorf("%d bytes, plotter.Contour writes %d", len(want), len(plain))
	}
	varies := false
	for range 10 {
		if got := written(t, newContours(waves(), -1, 1)); !bytes.Equal(got, want) {
			t.Error("the same surface gives other bytes")
		}
		varies = varies || !bytes.Equal(written(t, newContours(waves(), -1, 1).Contour), plain)
	}
	if !varies {
		t.Error("plotter.Contour is reproducible: the type contours is not needed")
	}
}
