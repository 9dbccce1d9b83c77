package data

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func TestRealData(t *testing.T) {
	dir := testenv.Data(t)
	for _, test := range []struct {
		file, target string
		n, m         int
		mean, std    float64
	}{
		{"pm10", "log_pm10", 500, 7, 3.270929, 0.886808},
		{"no2", "log_no2", 500, 7, 3.698368, 0.750597},
		{"housing", "medv", 506, 13, 22.532806, 9.197104},
		{"concrete", "strength", 1030, 8, 35.817836, 16.705679},
		{"airfoil", "sound_pressure", 1503, 5, 124.835943, 6.898657},
		{"wine-red", "quality", 1599, 11, 5.636023, 0.807569},
		{"abalone", "rings", 4177, 10, 9.933684, 3.224169}, // sex is one-hot: 7 + 3
		{"wine-white", "quality", 4898, 11, 5.877909, 0.885639},
		{"powerplant", "power_output", 9568, 4, 454.365009, 17.066995},
		{"protein", "rmsd", 45730, 9, 7.748528, 6.118312},
		{"abalone-7num", "rings", 4177, 7, 9.933684, 3.224169},
		{"abalone-8num", "rings", 4177, 8, 9.933684, 3.224169},
	} {
		t.Run(test.file, func(t *testing.T) {
			d := testenv.Must(Read(filepath.Join(dir, test.file+".csv"), table.Options{Target: test.target}))
			if d.Len() != test.n || len(d.X[0]) != test.m || len(d.Schema.Features()) != test.m {
				t.Errorf("%d x %d, want %d x %d", d.Len(), len(d.X[0]), test.n, test.m)
			}
			mean, square := 0.0, 0.0
			for _, y := range d.Y {
				mean += y / float64(d.Len())
			}
			for _, y := range d.Y {
				square += (y - mean) * (y - mean)
			}
			std := math.Sqrt(square / float64(d.Len()-1))
			if math.Abs(mean-test.mean) > 1e-6 || math.Abs(std-test.std) > 1e-6 {
				t.Errorf("target %v +- %v, want %v +- %v", mean, std, test.mean, test.std)
			}
		})
	}
}

// Abalone's sex by hand: the counts of the levels, and ordinal coding equal to the file that was coded elsewhere.
func TestRealCategories(t *testing.T) {
	dir := testenv.Data(t)
	onehot := testenv.Must(Read(filepath.Join(dir, "abalone.csv"), table.Options{Target: "rings"}))
	counts := map[string]float64{}
	for _, x := range onehot.X {
		for m, name := range onehot.Schema.Features()[:3] {
			counts[name] += x[m]
		}
	}
	testenv.Equal(t, counts, map[string]float64{"sex=F": 1307, "sex=I": 1342, "sex=M": 1528}, "levels")
	ordinal := testenv.Must(Read(filepath.Join(dir, "abalone.csv"), table.Options{Target: "rings",
		Categorical: map[string]table.Coding{"sex": {Encoding: table.Ordinal, Levels: []string{"M", "F", "I"}}}}))
	coded := testenv.Must(Read(filepath.Join(dir, "abalone-8num.csv"), table.Options{Target: "rings"}))
	testenv.Equal(t, ordinal.X, coded.X, "ordinal coding differs from abalone-8num.csv")
}

func TestRealParts(t *testing.T) {
	s := Source{Path: filepath.Join(testenv.Data(t), "abalone.csv"), Options: table.Options{Target: "rings"},
		Split: Split{Validation: 0.1, Seed: 7}}
	p := testenv.Must(s.Load(context.Background()))
	dir := t.TempDir()
	testenv.OK(t, s.WriteParts(dir, p))
	for file, want := range map[string]*Dataset{"train.csv": p.Train, "validation.csv": p.Validation, "test.csv": p.Test} {
		got := testenv.Must(Read(filepath.Join(dir, file), s.Options))
		if !same(got.X, want.X) || !reflect.DeepEqual(got.Y, want.Y) || !reflect.DeepEqual(got.Schema, want.Schema) {
			t.Errorf("%s does not read back to the same bits", file)
		}
	}
}
