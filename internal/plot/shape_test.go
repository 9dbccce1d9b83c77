package plot

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// TestShape: the figure of every shape shows the values of the parameters, and is small enough for the documentation.
func TestShape(t *testing.T) {
	for _, name := range testenv.Share(membership.Names(), 3, 0) {
		f := testenv.Must(membership.Lookup(name))
		p, err := Shape(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var svg, bitmap bytes.Buffer
		if err := p.Write(&svg, "svg"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if svg.Len() > 100_000 || !strings.Contains(svg.String(), values(f, f.Place(0, 1))) || strings.Contains(svg.String(), "NaN") {
			t.Errorf("%s: %d bytes:\n%.500s", name, svg.Len(), svg.String())
		}
		if err := p.Write(&bitmap, "png"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := png.Decode(&bitmap); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestApartIsInTheDomain: training could reach the parameters of apart.
func TestApartIsInTheDomain(t *testing.T) {
	for _, name := range membership.Names() {
		f, _ := membership.Lookup(name)
		p := apart(f)
		for j, param := range f.Params() {
			if p[j] < param.Kind.Least(0.01) {
				t.Errorf("%s: %s = %v", name, param.Name, p[j])
			}
		}
		if s, ok := f.(membership.Projector); ok {
			q, cells := slices.Clone(p), make([][]float64, len(p))
			for j := range q {
				cells[j] = q[j : j+1]
			}
			if s.Project(cells); !slices.Equal(p, q) {
				t.Errorf("%s: %v is projected to %v", name, p, q)
			}
		}
	}
}
