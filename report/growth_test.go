package report

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

func TestGrowthFigure(t *testing.T) {
	p, err := GrowthFigure("Cost", "rules", "us", []Curve{{"fused", plotter.XYs{{X: 32, Y: 20}, {X: 16, Y: 10}}}, {"C", plotter.XYs{{X: 16, Y: 5}, {X: 32, Y: 9}}}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteFigure(&b, p, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">Cost<", ">rules<", ">us<", ">16<", ">32<", ">10<", "fused", "C<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the figure does not say %s", want)
		}
	}
	for name, points := range map[string]plotter.XYs{"none": {}, "zero": {{X: 0, Y: 1}}, "negative": {{X: 1, Y: -1}}} {
		if _, err := GrowthFigure("Cost", "x", "y", []Curve{{name, points}}); err == nil {
			t.Errorf("%s: drawn without an error", name)
		}
	}
	if _, err := GrowthFigure("Cost", "x", "y", nil); err == nil {
		t.Error("drawn without a curve")
	}
}
