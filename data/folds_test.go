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
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
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
		folds := testenv.Must(d.Folds(5, pcg(seed, 1)))
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
		testenv.Equal(t, measured, inOrder(103), "seed %d: measured on", seed)
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
	folds := testenv.Must(d.Folds(3, nil))
	testenv.Equal(t, fmt.Sprint(folds), "[{[0 1 2 3 4 5 6] [7 8 9]} {[0 1 2 3 4] [5 6]} {[0 1] [2 3 4]}]")
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
		testenv.Equal(t, slices.Concat(f.Held, f.Train), want, "drawn")
	}
	for seed := range uint64(20) {
		equal := repeating(t, 103, 50)
		grouped := repeating(t, 103, 10)
		for range grouped.Len() {
			grouped.Groups = append(grouped.Groups, rng.IntN(40))
		}
		for name, d := range map[string]*Dataset{"equal samples": equal, "groups": grouped} {
			folds := d.HoldOut(3, 0.2, pcg(seed, 7))
			testenv.Equal(t, len(folds), 3, "%s, seed %d", name, seed)
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
		9: "[{[0 1 2 3 4 5 6 7 8] [9]} {[0 1 2 3 4 5 6 7] [8]} {[0 1 2 3 4 5 6] [7]} {[0 1 2 3 4 5] [6]} {[0 1 2 3 4] [5]} {[0 1 2 3] [4]} " +
			"{[0 1 2] [3]} {[0 1] [2]} {[0] [1]}]",
	} {
		testenv.Equal(t, fmt.Sprint(d.HoldOut(k, 0.2, nil)), want, "%d times", k)
	}
	testenv.Equal(t, d.HoldOut(50, 0.2, nil), d.HoldOut(9, 0.2, nil), "50 times")
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
	testenv.Equal(t, fmt.Sprint(units(d, true)), "[[0 2] [1 4] [3] [5] [6]]", "units")
	testenv.Equal(t, Duplicates(d), 2, "duplicates")
	d.Groups = []int{9, 9, 8, 7, 7, 6, 5}
	testenv.Equal(t, fmt.Sprint(units(d, true)), "[[0 1 2 3 4] [5] [6]]", "units with groups")
	testenv.Equal(t, fmt.Sprint(units(d, false)), "[[0 1] [2] [3 4] [5] [6]]", "groups")
}

// The white wines repeat 937 rows.
func TestRealDuplicates(t *testing.T) {
	for file, want := range map[string]int{"wine-white": 937, "concrete": 25, "no2": 0} {
		parts := testenv.Must(Source{
			Path:    filepath.Join(testenv.Data(t), file+".csv"),
			Options: table.Options{Target: map[string]string{"wine-white": "quality", "concrete": "strength", "no2": "log_no2"}[file]},
			Split:   Split{Train: 1},
		}.Load(context.Background()))
		testenv.Equal(t, Duplicates(parts.Train), want, "%s", file)
	}
}

// ofClasses returns samples of the given numbers in each class, classes mixed, all different.
func ofClasses(counts ...int) *Dataset {
	d := &Dataset{Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "y"}}
	for k, n := range counts {
		d.Schema.Classes = append(d.Schema.Classes, string(rune('a'+k)))
		for range n {
			d.Y = append(d.Y, float64(k))
		}
	}
	for i, at := range pcg(1, 2).Perm(len(d.Y)) {
		d.Y[i], d.Y[at] = d.Y[at], d.Y[i]
		d.X = append(d.X, []float64{float64(len(d.X))})
		d.Rows = append(d.Rows, len(d.X))
	}
	return d
}

// perClass counts the samples of each class.
func perClass(d *Dataset, rows []int) []int {
	counts := make([]int, len(d.Schema.Classes))
	for _, i := range rows {
		counts[int(d.Y[i])]++
	}
	return counts
}

// Each part has its size and, within a few samples, its share of each class.
func TestSplitKeepsShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(3, 60), 2, 6).Draw(t, "counts")
		train, validation := rapid.Float64Range(0.3, 0.8).Draw(t, "train"), rapid.Float64Range(0, 0.2).Draw(t, "validation")
		seed := rapid.Uint64().Draw(t, "seed")
		d := ofClasses(counts...)
		p := testenv.Must(d.Split(Split{Train: train, Validation: validation, Seed: seed}))
		n := float64(d.Len())
		if got := p.Train.Len(); got != int(math.Round(train*n)) {
			t.Fatalf("%d samples to train on, want %v of %v", got, train, n)
		}
		for _, part := range p.all() {
			for k, got := range perClass(part.data, inOrder(part.data.Len())) {
				want := float64(part.data.Len()) * float64(counts[k]) / n
				if off := math.Abs(float64(got) - want); part.file == "train.csv" && off > 2 || off > 3 {
					t.Errorf("%s: %d samples of %d of class %d, want %.2f", part.file, got, counts[k], k, want)
				}
			}
		}
		again, err := d.Split(Split{Train: train, Validation: validation, Seed: seed})
		if err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("the same seed gives other parts, %v", err)
		}
	})
}

func TestIrisParts(t *testing.T) {
	d, split, err := Builtin("iris")
	testenv.OK(t, err)
	split.Validation, split.Calibration = 0.1, 0.2
	var before []int
	for seed := range uint64(3) {
		split.Seed = seed
		p := testenv.Must(d.Split(split))
		for _, part := range p.all() {
			want := map[string][]int{"train.csv": {28, 28, 28}, "calibration.csv": {7, 7, 7}, "validation.csv": {5, 5, 5},
				"test.csv": {10, 10, 10}}[part.file]
			testenv.Equal(t, perClass(part.data, inOrder(part.data.Len())), want, "seed %d: %s has", seed, part.file)
		}
		if reflect.DeepEqual(p.Test.Rows, before) {
			t.Errorf("seed %d draws the same rows", seed)
		}
		before = p.Test.Rows
	}
}

// Folds and hold-outs keep the shares, and none trains without a class.
func TestFoldsKeepShares(t *testing.T) {
	d := ofClasses(40, 11, 3)
	for seed := range uint64(5) {
		folds := testenv.Must(d.Folds(5, pcg(seed, 1)))
		for _, f := range folds {
			if held := perClass(d, f.Held); held[0] != 8 || held[1] < 2 || held[1] > 3 || held[2] > 1 || len(f.Held) < 10 || len(f.Held) > 12 {
				t.Errorf("seed %d: a fold of %v", seed, held)
			}
			if !whole(f, d.Len()) {
				t.Error("the parts of a fold are not the whole")
			}
		}
		for _, f := range d.HoldOut(4, 0.25, pcg(seed, 2)) {
			if held := perClass(d, f.Held); held[0] != 10 || held[1] != 3 || held[2] != 1 || !whole(f, d.Len()) {
				t.Errorf("seed %d: held out %v", seed, held)
			}
		}
	}
}

func TestDraw(t *testing.T) {
	d := ofClasses(40, 11, 3)
	for seed := range uint64(5) {
		rows := Draw(d, 27, pcg(seed, 1))
		if got := perClass(d, rows); !slices.IsSorted(rows) || got[0] != 20 || got[1] < 5 || got[1] > 6 || got[2] < 1 || got[2] > 2 {
			t.Errorf("seed %d: %v, %v of the classes", seed, rows, got)
		}
	}
	d.Schema.Classes = nil
	want := pcg(1, 1).Perm(54)[:9]
	slices.Sort(want)
	testenv.Equal(t, Draw(d, 9, pcg(1, 1)), want, "numbers are drawn as")
}

// What cannot be trained on all classes is refused or left out.
func TestLostClasses(t *testing.T) {
	rare := ofClasses(30, 30, 1)
	late := ofClasses(30, 30)
	late.Ordered = true
	for i := range late.Y {
		late.Y[i] = float64(i / 30)
	}
	grouped := ofClasses(30, 30)
	grouped.Groups = perRow(grouped, func(i int) int { return int(grouped.Y[i]) })
	for _, c := range []struct {
		d    *Dataset
		sp   Split
		want string
	}{
		{late, Split{Train: 0.5}, `the train part has no row of the class "b": give it some (data.split, data.train)`},
		{late, Split{Train: 0.9, Calibration: 0.5}, `data.calibration: 0.5 of the training rows leaves none of the class "b"`},
		{grouped, Split{Train: 0.5}, `the train part has no row of the class`},
	} {
		testenv.FailsWith(t, second(c.d.Split(c.sp)), c.want)
	}
	for _, d := range []*Dataset{rare, late, grouped} {
		if folds, err := d.Folds(2, pcg(1, 1)); err == nil || folds != nil ||
			!strings.Contains(err.Error(), "a fold would train without the class") {
			t.Errorf("%d folds, %v", len(folds), err)
		}
		for _, f := range d.HoldOut(3, 0.5, pcg(1, 1)) {
			testenv.Equal(t, lostClass(d, f.Train), "", "a hold-out trains without the class")
		}
	}
}

// perRow makes a value for each sample.
func perRow(d *Dataset, value func(i int) int) (all []int) {
	for i := range d.Y {
		all = append(all, value(i))
	}
	return all
}
