package tune

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/realdata"
)

// numbered returns n samples, of which the last repeat the first.
func numbered(t testing.TB, n, repeated int) *data.Dataset {
	t.Helper()
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		v := i
		if i >= n-repeated {
			v -= n - repeated
		}
		x[i], y[i] = []float64{float64(v)}, float64(v)
	}
	d, err := data.New([]string{"a"}, "y", x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Every sample is measured on exactly once, by a model that saw neither it nor
// its duplicates nor its group.
func TestRandomFolds(t *testing.T) {
	for seed := range uint64(10) {
		d := numbered(t, 103, 20)
		if seed >= 5 {
			rng := rand.New(rand.NewPCG(seed, 0))
			for range d.Len() {
				d.Groups = append(d.Groups, rng.IntN(30))
			}
		}
		folds, err := randomFolds(d, 5, seed/2, int(seed%2))
		if err != nil {
			t.Fatal(err)
		}
		var measured []int
		for _, f := range folds {
			measured = append(measured, f.test...)
			if n := len(f.test); seed < 5 && (n < 20 || n > 21) {
				t.Errorf("seed %d: a fold of %d", seed, n)
			}
			if !slices.Equal(slices.Sorted(slices.Values(slices.Concat(f.train, f.test))), seq(103)) || !slices.IsSorted(f.train) || !slices.IsSorted(f.test) {
				t.Errorf("seed %d: train and test are not the whole", seed)
			}
			seen, groups := map[float64]bool{}, map[int]bool{}
			for _, i := range f.train {
				seen[d.Y[i]] = true
				if d.Groups != nil {
					groups[d.Groups[i]] = true
				}
			}
			for _, i := range f.test {
				if seen[d.Y[i]] || d.Groups != nil && groups[d.Groups[i]] {
					t.Fatalf("seed %d: sample %d, or its group, was trained on", seed, i)
				}
			}
		}
		slices.Sort(measured)
		if !slices.Equal(measured, seq(103)) {
			t.Errorf("seed %d: measured on %v", seed, measured)
		}
	}
	one, _ := randomFolds(numbered(t, 50, 0), 5, 1, 0)
	two, _ := randomFolds(numbered(t, 50, 0), 5, 1, 1)
	if fmt.Sprint(one) == fmt.Sprint(two) {
		t.Error("the seed has no effect")
	}
}

func TestChronologicalFolds(t *testing.T) {
	folds, err := chronologicalFolds(numbered(t, 10, 0), 3)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(folds), "[{[0 1 2 3 4 5 6] [7 8 9]} {[0 1 2 3 4] [5 6]} {[0 1] [2 3 4]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTooManyFolds(t *testing.T) {
	grouped := numbered(t, 10, 0)
	grouped.Groups = []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 2}
	for _, c := range []struct {
		name string
		err  func() error
	}{
		{"duplicates", func() error { _, err := randomFolds(numbered(t, 10, 5), 6, 1, 0); return err }},
		{"groups", func() error { _, err := randomFolds(grouped, 4, 1, 0); return err }},
		{"time", func() error { _, err := chronologicalFolds(numbered(t, 10, 0), 10); return err }},
		{"time and groups", func() error { _, err := chronologicalFolds(grouped, 3); return err }},
	} {
		var fault *data.Error
		if err := c.err(); !errors.As(err, &fault) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The white wines repeat 937 rows.
func TestRealDuplicates(t *testing.T) {
	for file, want := range map[string]int{"wine-white": 937, "concrete": 25, "no2": 0} {
		parts, err := data.Source{
			Path:    filepath.Join(realdata.Dir(t), file+".csv"),
			Options: data.Options{Target: map[string]string{"wine-white": "quality", "concrete": "strength", "no2": "log_no2"}[file]},
			Split:   data.Split{Train: 1},
		}.Load()
		if err != nil {
			t.Fatal(err)
		}
		if got := duplicates(parts.Train); got != want {
			t.Errorf("%s: %d duplicates, want %d", file, got, want)
		}
	}
}
