package data

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/test/realdata"
)

// repeating returns n samples, of which the last repeat the first.
func repeating(t testing.TB, n, repeated int) *Dataset {
	t.Helper()
	d := numbered(t, n)
	for i := n - repeated; i < n; i++ {
		d.X[i][0], d.Y[i] = float64(i-n+repeated), float64(i-n+repeated)
	}
	return d
}

func pcg(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// whole reports whether no sample is lost or there twice.
func whole(f Fold, n int) bool {
	return slices.Equal(slices.Sorted(slices.Values(slices.Concat(f.Train, f.Held))), inOrder(n))
}

// leaks reports whether a sample held out, or its group, is in training too.
func leaks(d *Dataset, f Fold) bool {
	seen, groups := map[float64]bool{}, map[int]bool{}
	for _, i := range f.Train {
		seen[d.Y[i]] = true
		if d.Groups != nil {
			groups[d.Groups[i]] = true
		}
	}
	return slices.ContainsFunc(f.Held, func(i int) bool { return seen[d.Y[i]] || d.Groups != nil && groups[d.Groups[i]] })
}

// Every sample is measured on exactly once, by a model that saw neither it nor
// its duplicates nor its group.
func TestFolds(t *testing.T) {
	for seed := range uint64(10) {
		d := repeating(t, 103, 20)
		if seed >= 5 {
			rng := pcg(seed, 0)
			for range d.Len() {
				d.Groups = append(d.Groups, rng.IntN(30))
			}
		}
		folds, err := d.Folds(5, pcg(seed, 1))
		if err != nil {
			t.Fatal(err)
		}
		var measured []int
		for _, f := range folds {
			measured = append(measured, f.Held...)
			if n := len(f.Held); seed < 5 && (n < 20 || n > 21) {
				t.Errorf("seed %d: a fold of %d", seed, n)
			}
			if !whole(f, 103) || !slices.IsSorted(f.Train) || !slices.IsSorted(f.Held) {
				t.Errorf("seed %d: the parts of a fold are not the whole", seed)
			}
			if leaks(d, f) {
				t.Fatalf("seed %d: a sample held out, or its group, was trained on", seed)
			}
		}
		slices.Sort(measured)
		if !slices.Equal(measured, inOrder(103)) {
			t.Errorf("seed %d: measured on %v", seed, measured)
		}
	}
	one, _ := numbered(t, 50).Folds(5, pcg(1, 1))
	two, _ := numbered(t, 50).Folds(5, pcg(1, 2))
	if fmt.Sprint(one) == fmt.Sprint(two) {
		t.Error("the random source has no effect")
	}
}

func TestFoldsInTimeOrder(t *testing.T) {
	d := numbered(t, 10)
	d.Ordered = true
	folds, err := d.Folds(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(folds), "[{[0 1 2 3 4 5 6] [7 8 9]} {[0 1 2 3 4] [5 6]} {[0 1] [2 3 4]}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTooManyFolds(t *testing.T) {
	grouped, ordered := numbered(t, 10), numbered(t, 10)
	grouped.Groups = []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 2}
	ordered.Ordered = true
	for name, c := range map[string]struct {
		d *Dataset
		k int
	}{"duplicates": {repeating(t, 10, 5), 6}, "groups": {grouped, 4}, "time order": {ordered, 10}} {
		var fault *table.Error
		if _, err := c.d.Folds(c.k, pcg(1, 1)); !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := c.d.Folds(c.k-1, pcg(1, 1)); err != nil {
			t.Errorf("%s: one fold less: %v", name, err)
		}
	}
}

// TestHoldOut: no sample, equal sample or group is on both sides. Without order, groups
// and equal samples the first fifth of a permutation is held out, as it stands.
func TestHoldOut(t *testing.T) {
	plain, rng := numbered(t, 103), pcg(7, 7)
	for i, f := range plain.HoldOut(3, 0.2, pcg(7, 7)) {
		if rows := rng.Perm(103); !slices.Equal(f.Held, rows[:21]) || !slices.Equal(f.Train, rows[21:]) {
			t.Errorf("division %d is not the next permutation", i+1)
		}
	}
	// Equal samples go where the first of them is drawn.
	rng = pcg(7, 7)
	for _, f := range repeating(t, 103, 1).HoldOut(3, 0.2, pcg(7, 7)) {
		var want []int
		for _, row := range rng.Perm(103) {
			switch row {
			case 0:
				want = append(want, 0, 102)
			case 102:
			default:
				want = append(want, row)
			}
		}
		if got := slices.Concat(f.Held, f.Train); !slices.Equal(got, want) {
			t.Errorf("drawn %v, want %v", got, want)
		}
	}
	for seed := range uint64(20) {
		equal := repeating(t, 103, 50)
		grouped := repeating(t, 103, 10)
		for range grouped.Len() {
			grouped.Groups = append(grouped.Groups, rng.IntN(40))
		}
		for name, d := range map[string]*Dataset{"equal samples": equal, "groups": grouped} {
			folds := d.HoldOut(3, 0.2, pcg(seed, 7))
			if len(folds) != 3 {
				t.Errorf("%s, seed %d: %d divisions", name, seed, len(folds))
			}
			for _, f := range folds {
				if !whole(f, 103) || leaks(d, f) {
					t.Errorf("%s, seed %d: %v", name, seed, f)
				}
				if n := len(f.Held); n < 21 || name == "equal samples" && n > 22 {
					t.Errorf("%s, seed %d: %d are held out", name, seed, n)
				}
			}
		}
	}
}

func TestHoldOutInTimeOrder(t *testing.T) {
	d := numbered(t, 10)
	d.Ordered = true
	for k, want := range map[int]string{
		2: "[{[0 1 2 3 4 5 6 7] [8 9]} {[0 1 2 3 4 5] [6 7]}]",
		9: "[{[0 1 2 3 4 5 6 7 8] [9]} {[0 1 2 3 4 5 6 7] [8]} {[0 1 2 3 4 5 6] [7]} {[0 1 2 3 4 5] [6]} {[0 1 2 3 4] [5]} {[0 1 2 3] [4]} {[0 1 2] [3]} {[0 1] [2]} {[0] [1]}]",
	} {
		if got := fmt.Sprint(d.HoldOut(k, 0.2, nil)); got != want {
			t.Errorf("%d times: %s, want %s", k, got, want)
		}
	}
	if many, most := d.HoldOut(50, 0.2, nil), d.HoldOut(9, 0.2, nil); !reflect.DeepEqual(many, most) {
		t.Errorf("50 times: %v, want %v", many, most)
	}
}

// TestHoldOutOfTooLittle: what would leave less than half of the samples for training is
// left out.
func TestHoldOutOfTooLittle(t *testing.T) {
	one, large := numbered(t, 20), numbered(t, 20)
	one.Groups, large.Groups = make([]int, 20), make([]int, 20)
	for i := range 8 {
		large.Groups[i] = i + 1 // twelve samples are of group 0
	}
	ordered := numbered(t, 4)
	ordered.Ordered = true
	for name, d := range map[string]*Dataset{"two samples": numbered(t, 2), "one group": one, "in time order": ordered} {
		if folds := d.HoldOut(3, 0.2, pcg(1, 1)); folds != nil {
			t.Errorf("%s: %v", name, folds)
		}
	}
	folds := large.HoldOut(200, 0.2, pcg(1, 1))
	if len(folds) == 0 || len(folds) == 200 {
		t.Errorf("%d of 200 draws from a table with one large group", len(folds))
	}
	for _, f := range folds {
		if len(f.Held) > 10 {
			t.Errorf("%d of 20 samples are held out", len(f.Held))
		}
	}
}

// TestUnits: equal samples in two groups join both groups; samples are equal by all
// features and the target, with 0 and -0 the same.
func TestUnits(t *testing.T) {
	d := numbered(t, 7)
	copy(d.Y, []float64{1, 2, 3, 4, 2, 6, 7})
	d.X[4][0] = d.X[1][0]            // 4 equals 1
	d.X[6][0], d.Y[5] = d.X[5][0], 6 // 6 has the features of 5, and another target
	zero := math.Copysign(0, -1)
	d.X[0][0], d.Y[0], d.X[2][0], d.Y[2] = 0, zero, zero, 0
	if got, want := fmt.Sprint(units(d, true)), "[[0 2] [1 4] [3] [5] [6]]"; got != want {
		t.Errorf("units %s, want %s", got, want)
	}
	if n := Duplicates(d); n != 2 {
		t.Errorf("%d duplicates, want 2", n)
	}
	d.Groups = []int{9, 9, 8, 7, 7, 6, 5}
	if got, want := fmt.Sprint(units(d, true)), "[[0 1 2 3 4] [5] [6]]"; got != want {
		t.Errorf("units with groups %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(units(d, false)), "[[0 1] [2] [3 4] [5] [6]]"; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
}

// The white wines repeat 937 rows.
func TestRealDuplicates(t *testing.T) {
	for file, want := range map[string]int{"wine-white": 937, "concrete": 25, "no2": 0} {
		parts, err := Source{
			Path:    filepath.Join(realdata.Dir(t), file+".csv"),
			Options: table.Options{Target: map[string]string{"wine-white": "quality", "concrete": "strength", "no2": "log_no2"}[file]},
			Split:   Split{Train: 1},
		}.Load(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := Duplicates(parts.Train); got != want {
			t.Errorf("%s: %d duplicates, want %d", file, got, want)
		}
	}
}
