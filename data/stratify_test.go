package data

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data/table"
	"pgregory.net/rapid"
)

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
		p, err := d.Split(Split{Train: train, Validation: validation, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
	split.Validation, split.Calibration = 0.1, 0.2
	var before []int
	for seed := range uint64(3) {
		split.Seed = seed
		p, err := d.Split(split)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range p.all() {
			want := map[string][]int{"train.csv": {28, 28, 28}, "calibration.csv": {7, 7, 7}, "validation.csv": {5, 5, 5}, "test.csv": {10, 10, 10}}[part.file]
			if got := perClass(part.data, inOrder(part.data.Len())); !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d: %s has %v samples of the classes, want %v", seed, part.file, got, want)
			}
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
		folds, err := d.Folds(5, pcg(seed, 1))
		if err != nil {
			t.Fatal(err)
		}
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
	if got := Draw(d, 9, pcg(1, 1)); !slices.Equal(got, want) {
		t.Errorf("numbers are drawn as %v, want %v", got, want)
	}
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
		if _, err := c.d.Split(c.sp); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	for _, d := range []*Dataset{rare, late, grouped} {
		if folds, err := d.Folds(2, pcg(1, 1)); err == nil || folds != nil || !strings.Contains(err.Error(), "a fold would train without the class") {
			t.Errorf("%d folds, %v", len(folds), err)
		}
		for _, f := range d.HoldOut(3, 0.5, pcg(1, 1)) {
			if lost := lostClass(d, f.Train); lost != "" {
				t.Errorf("a hold-out trains without the class %s", lost)
			}
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
