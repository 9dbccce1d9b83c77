package gosrc_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/gosrc"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
)

func form(t *testing.T, c exporttest.Case) *export.Form {
	t.Helper()
	m, err := c.Model()
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPackageName(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	for _, name := range []string{"Model", "my-model", "9lives", "func", "a b", "größe", "x\n"} {
		var wrong *export.OptionError
		if _, err := (gosrc.Target{}).Write(f, export.Options{Name: name}); !errors.As(err, &wrong) || wrong.Option != export.OptionName {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{"": "predictor", "no2": "no2"} {
		r, err := gosrc.Target{}.Write(f, export.Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(r.Files[0].Data), "\npackage "+want+"\n") {
			t.Errorf("%q: no package %s", name, want)
		}
		again, err := gosrc.Target{}.Write(f, export.Options{Name: name})
		if err != nil || string(again.Files[0].Data) != string(r.Files[0].Data) {
			t.Errorf("%q: written twice, the files differ (%v)", name, err)
		}
	}
}

// TestOddModels: infinite numbers have no prediction, names become fields that differ, and members
// may have different formulas.
func TestOddModels(t *testing.T) {
	p := &program{dir: t.TempDir()}
	infinite := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	p.add(t, infinite, "Inf,1,O'Hare,small,-41\n1,-Inf,O'Hare,small,-41\n1,1,O'Hare,small,1e308\n1,1,Inf,Inf,-41\n")
	classes := form(t, exporttest.Case{Shape: "gaussian", Response: "classes", Committee: true})
	p.add(t, classes, "Inf,1,O'Hare,small,-41\n")
	hostile := form(t, exporttest.Case{Shape: "trapezoid", Response: "targets"})
	for i, name := range []string{"a b", "a-b", "type", "*/ // `\n\u2028\u202e\x00", "1st"} {
		hostile.Columns[i].Name, hostile.Columns[i].Unit = name, "\n\"`"
	}
	hostile.Outputs[0].Name, hostile.Outputs[1].Name, hostile.Target = "A_B", "a b", "y\nimport \"os\""
	p.add(t, hostile, "1,1,mon,small,-41\n")
	two := form(t, exporttest.Case{Shape: "gaussian", Response: "number", Committee: true})
	two.Members[1] = form(t, exporttest.Case{Shape: "trapezoid", Response: "number", Defuzz: "htsk"}).Members[0]
	p.add(t, two, "20,2,O'Hare,middle,-42\n-3,,\"=wed\",none,\n")
	p.run(t)
	_, y := p.outputs(t, 0)
	for n, want := range []bool{true, true, true, false} { // 1e308 is too far away; of a category Inf is a text
		if math.IsNaN(y[n][0]) != want {
			t.Errorf("row %d: %v", n+1, y[n])
		}
	}
	class, y := p.outputs(t, 1)
	if class[0] != "" || !math.IsNaN(y[0][0]+y[0][1]+y[0][2]) {
		t.Errorf("class %q, probabilities %v of an infinite number", class[0], y[0])
	}
	_, y = p.outputs(t, 3)
	for n, cells := range [][]string{{"20", "2", "O'Hare", "middle", "-42"}, {"-3", "", "=wed", "none", ""}} {
		if want := two.Predict(two.Encode(cells))[0]; !(math.Abs(y[n][0]-want) < 1e-10) {
			t.Errorf("members of two shapes: %v, want %v", y[n][0], want)
		}
	}
}
