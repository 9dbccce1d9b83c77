package js

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

// TestShape: a shape has one statement for each operation, and no adjacent signs.
func TestShape(t *testing.T) {
	s := shapeOf(t, "gaussian")
	for _, want := range []string{"const t0 = x - p[0];", "const t1 = t0 / p[1];", "= t1 * t1;", "= (-0.5) * t3;", "log: (x, p)"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	if s := shapeOf(t, "trapezoid"); !strings.Contains(s, "log: null") {
		t.Errorf("a trapezoid has a logarithm:\n%s", s)
	}
}

func shapeOf(t *testing.T, name string) string {
	t.Helper()
	m, err := exporttest.Case{Shape: name, Response: "number"}.Model()
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return shape(&f.Members[0])
}

// TestFloats: every bit is preserved.
func TestFloats(t *testing.T) {
	text, err := json.Marshal(floats{1, math.Copysign(0, -1)})
	if err != nil || string(text) != `"AAAAAAAA8D8AAAAAAAAAgA=="` {
		t.Errorf("%s, %v", text, err)
	}
}
