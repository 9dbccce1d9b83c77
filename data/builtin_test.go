package data

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// The values are fixed: 6 digits of each, as the rounding of another architecture grows along a chaotic series, and
// no value may come to lie on the other side of a rounding edge.
func TestBuiltinChecksums(t *testing.T) {
	for _, test := range []struct {
		name        string
		n, m, train int
		sum         string
	}{
		{"mackey-glass", 1000, 4, 500, "5da1ea6744b4b511"},
		{"friedman1", 1000, 10, 700, "a64aed0413739e7c"},
		{"sinc", 521, 2, 121, "61c1cffe1efeff8a"},
		{"iris", 150, 4, 105, "f23e57e352098e9d"},
	} {
		d, split, err := Builtin(test.name)
		testenv.OK(t, err)
		p := testenv.Must(d.Split(split))
		if d.Len() != test.n || len(d.X[0]) != test.m || p.Train.Len() != test.train || p.Test.Len() != test.n-test.train {
			t.Errorf("%s: %d x %d, %d for training", test.name, d.Len(), len(d.X[0]), p.Train.Len())
		}
		hash := sha256.New()
		for i, x := range d.X {
			for _, v := range append(x[:len(x):len(x)], d.Y[i]) {
				fmt.Fprintf(hash, "%.5e\n", v+0) // no -0
			}
		}
		testenv.Equal(t, fmt.Sprintf("%x", hash.Sum(nil)[:8]), test.sum, "%s: checksum", test.name)
	}
	if got := Builtins(); len(got) != len(builtins) || got[0] != defaultBuiltin {
		t.Errorf("built-in data sets %q", got)
	}
}

// Before t = 17 the delayed term is zero and the series decays exponentially; after it, halving the step hardly
// changes it, which is checked against a finer integration by Heun's rule.
func TestMackeyGlassSolvesItsEquation(t *testing.T) {
	const perUnit, end = 2000, 60
	fine := make([]float64, end*perUnit+1)
	fine[0] = 1.2
	at := func(i int) float64 {
		if i < 0 {
			return 0
		}
		return fine[i]
	}
	for i := range fine[1:] {
		j, h := i-17*perUnit, 1.0/perUnit
		f := func(x, d float64) float64 { return 0.2*d/(1+math.Pow(d, 10)) - 0.1*x }
		end := 0.0
		if j >= 0 {
			end = at(j + 1)
		}
		k1 := f(fine[i], at(j))
		k2 := f(fine[i]+h*k1, end)
		fine[i+1] = fine[i] + h/2*(k1+k2)
	}
	series := mackeyGlassSeries(end + 1)
	for i, x := range series {
		if want := fine[i*perUnit]; math.Abs(x-want) > 1e-6 {
			t.Errorf("x(%d) = %v, want %v", i, x, want)
		}
	}
	if want := 1.2 * math.Exp(-1.7); math.Abs(series[17]-want) > 1e-8 {
		t.Errorf("x(17) = %v, want %v", series[17], want)
	}
}

// What is left of Friedman #1 without its formula is unit noise.
func TestFriedmanNoise(t *testing.T) {
	d, _, err := Builtin("friedman1")
	testenv.OK(t, err)
	sum, square := 0.0, 0.0
	for i, x := range d.X {
		noise := d.Y[i] - 10*math.Sin(math.Pi*x[0]*x[1]) - 20*math.Pow(x[2]-0.5, 2) - 10*x[3] - 5*x[4]
		sum += noise
		square += noise * noise
	}
	n := float64(d.Len())
	if mean, variance := sum/n, square/n; math.Abs(mean) > 0.1 || math.Abs(variance-1) > 0.15 {
		t.Errorf("noise of mean %v and variance %v", mean, variance)
	}
}

func TestSincGrid(t *testing.T) {
	d, _, err := Builtin("sinc")
	testenv.OK(t, err)
	sine := math.Sin(10) / 10
	for _, test := range []struct {
		row  int
		x    []float64
		want float64
	}{{0, []float64{-10, -10}, sine * sine}, {5, []float64{-10, 0}, sine}, {60, []float64{0, 0}, 1}, {120, []float64{10, 10}, sine * sine}} {
		if !reflect.DeepEqual(d.X[test.row], test.x) || math.Abs(d.Y[test.row]-test.want) > 1e-15 {
			t.Errorf("row %d: %v -> %v, want %v -> %v", test.row, d.X[test.row], d.Y[test.row], test.x, test.want)
		}
	}
}

func TestBuiltinSource(t *testing.T) {
	for _, test := range []struct {
		split                   Split
		train, validation, test int
	}{
		{Split{}, 500, 0, 500},
		{Split{Validation: 0.1}, 500, 100, 400},
		{Split{Train: 0.8}, 800, 0, 200},
		{Split{Kind: "random"}, 700, 0, 300},
	} {
		s := Source{Options: table.Options{Target: "x(t+6)", Delimiter: "auto", Missing: "error"}, Split: test.split}
		p := testenv.Must(s.Load(context.Background()))
		if a, b, c := p.Train.Len(), len(rowsIn(p.Validation)), p.Test.Len(); a != test.train || b != test.validation || c != test.test {
			t.Errorf("%+v: parts of %d, %d, %d rows", test.split, a, b, c)
		}
	}
}

func TestBuiltinRoundTrip(t *testing.T) {
	for _, name := range Builtins() {
		s := Source{Builtin: name}
		p := testenv.Must(s.Load(context.Background()))
		dir := t.TempDir()
		testenv.OK(t, s.WriteParts(dir, p))
		for file, want := range map[string]*Dataset{"train.csv": p.Train, "test.csv": p.Test} {
			got := testenv.Must(Read(filepath.Join(dir, file), table.Options{Target: want.Schema.Target}))
			if !same(got.X, want.X) || !reflect.DeepEqual(got.Y, want.Y) || !reflect.DeepEqual(got.Schema, want.Schema) {
				t.Errorf("%s: %s does not read back to the same bits", name, file)
			}
		}
		testenv.Equal(t, s.Name(), name, "name")
	}
}

// The means are those of Fisher's table II, of 50 flowers of each species, and the parts of a run are a table with their names.
func TestIris(t *testing.T) {
	d, split, err := Builtin("iris")
	if err != nil || d.Validate() != nil {
		t.Fatal(err, d.Validate())
	}
	means := [][]float64{{5.006, 3.428, 1.462, 0.246}, {5.936, 2.770, 4.260, 1.326}, {6.588, 2.974, 5.552, 2.026}}
	for k, want := range means {
		for m := range want {
			sum, n := 0.0, 0
			for i, x := range d.X {
				if d.Y[i] == float64(k) {
					sum, n = sum+x[m], n+1
				}
			}
			if n != 50 || math.Abs(sum/50-want[m]) > 1e-12 {
				t.Errorf("%s, %s: %d flowers of mean %v, want 50 of %v", d.Schema.Classes[k], d.Schema.Columns[m].Name, n, sum/50, want[m])
			}
		}
	}
	s, dir := Source{Builtin: "iris"}, t.TempDir()
	p, err := s.Load(context.Background())
	if err != nil || s.WriteParts(dir, p) != nil {
		t.Fatal(err)
	}
	again, err := ReadAs(filepath.Join(dir, "test.csv"), d.Schema, table.Options{})
	if err != nil || again.Len() != 45 || !reflect.DeepEqual(again.Y, p.Test.Y) || split.Train != 0.7 {
		t.Errorf("%v, %v", again, err)
	}
}

func TestBuiltinTask(t *testing.T) {
	for _, c := range []struct{ name, task, want string }{
		{"iris", "", ""}, {"iris", "auto", ""}, {"iris", "classification", ""}, {"sinc", "regression", ""},
		{"iris", "regression", `task: regression: the built-in data "iris" are for classification`},
		{"sinc", "classification", `task: classification: the built-in data "sinc" are for regression`},
		{"sinc", "x", `task: "x": want auto, regression or classification`},
	} {
		err := (Source{Builtin: c.name, Options: table.Options{Task: c.task}}).Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
