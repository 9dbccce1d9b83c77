package plot

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func TestGrowth(t *testing.T) {
	p := testenv.Must(Growth("Cost", "rules", "us", []Curve{{"fused", []Point{{X: 32, Y: 20}, {X: 16, Y: 10}}},
		{"C", []Point{{X: 16, Y: 5}, {X: 32, Y: 9}}}}))
	var b bytes.Buffer
	if err := p.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">Cost<", ">rules<", ">us<", ">16<", ">32<", ">10<", "fused", "C<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the figure does not have %s", want)
		}
	}
	for name, points := range map[string][]Point{"none": {}, "zero": {{X: 0, Y: 1}}, "negative": {{X: 1, Y: -1}}} {
		if _, err := Growth("Cost", "x", "y", []Curve{{name, points}}); err == nil {
			t.Errorf("%s: drawn without an error", name)
		}
	}
	if _, err := Growth("Cost", "x", "y", nil); err == nil {
		t.Error("drawn without a curve")
	}
}
