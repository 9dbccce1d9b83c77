package data

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func numbered(t testing.TB, n int) *Dataset {
	t.Helper()
	x, y := matrix(n, 1), make([]float64, n)
	for i := range n {
		x[i][0], y[i] = float64(i), float64(i)
	}
	d := testenv.Must(New([]string{"a"}, "y", x, y))
	return d
}

func rowsIn(d *Dataset) []int {
	if d == nil {
		return nil
	}
	return d.Rows
}

func TestSplitChronological(t *testing.T) {
	p := testenv.Must(numbered(t, 10).Split(Split{Kind: "chronological", Train: 0.5, Validation: 0.2}))
	got := fmt.Sprint(rowsIn(p.Train), rowsIn(p.Validation), rowsIn(p.Test))
	testenv.Equal(t, got, "[1 2 3 4 5] [6 7] [8 9 10]", "parts")
	if p.Test.X[0][0] != 7 || p.Test.Y[2] != 9 {
		t.Errorf("test part %v %v", p.Test.X, p.Test.Y)
	}
}

// TestSplitKnowsTimeOrder: the parts of a chronological split are in time order, which is
// the default of samples that are; those of a random one are not.
func TestSplitKnowsTimeOrder(t *testing.T) {
	for _, c := range []struct {
		ordered bool
		kind    string
		want    bool
	}{{false, "chronological", true}, {true, "chronological", true}, {true, "", true}, {true, "random", false}, {false, "", false}} {
		d := numbered(t, 20)
		d.Ordered = c.ordered
		p := testenv.Must(d.Split(Split{Kind: c.kind, Train: 0.5, Validation: 0.2, Calibration: 0.3}))
		for _, part := range []*Dataset{p.Train, p.Calibration, p.Validation, p.Test} {
			testenv.Equal(t, part.Ordered, c.want, "%+v: a part is ordered", c)
		}
		testenv.Equal(t, slices.Equal(p.Test.Rows, []int{15, 16, 17, 18, 19, 20}), c.want, "%+v: test rows %v", c, p.Test.Rows)
		testenv.Equal(t, d.Ordered, c.ordered, "%+v: the split changed the data set", c)
	}
	for _, name := range Builtins() {
		d, split, err := Builtin(name)
		if err != nil || d.Ordered != (split.Kind == "chronological") {
			t.Errorf("%s: ordered %v, split %+v, %v", name, d.Ordered, split, err)
		}
	}
}

func TestSplitRandom(t *testing.T) {
	d := numbered(t, 100)
	split := func(seed uint64) *Parts {
		p := testenv.Must(d.Split(Split{Seed: seed}))
		return p
	}
	testenv.Equal(t, split(1), split(1), "the same seed gives two splits")
	if a, b := split(1), split(2); reflect.DeepEqual(a.Train.Rows, b.Train.Rows) {
		t.Error("two seeds give the same split")
	}
	p := split(1)
	if p.Train.Len() != 70 || p.Validation != nil || p.Test.Len() != 30 {
		t.Errorf("%d for training, %d for test, want 70 and 30", p.Train.Len(), p.Test.Len())
	}
	// fixed forever: a model's seed must give its split again
	testenv.Equal(t, p.Test.Rows[:5], []int{2, 4, 6, 8, 9}, "test rows begin")
}

// The parts are ascending, of the sizes asked for, and have each row once.
func TestSplitPartitions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(rt, "n")
		sp := Split{
			Kind:       rapid.SampledFrom([]string{"", "random", "chronological"}).Draw(rt, "kind"),
			Train:      rapid.Float64Range(0.05, 1).Draw(rt, "train"),
			Validation: rapid.Float64Range(0, 0.95).Draw(rt, "validation"),
			Seed:       rapid.Uint64().Draw(rt, "seed"),
		}
		p, err := numbered(t, n).Split(sp)
		train := int(math.Round(sp.Train * float64(n)))
		if sp.Train+sp.Validation > 1+1e-9 || train == 0 {
			if err == nil {
				rt.Fatal("no error")
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if p.Train.Len() != train {
			rt.Fatalf("%d for training, want %d", p.Train.Len(), train)
		}
		all := map[int]bool{}
		for _, d := range []*Dataset{p.Train, p.Validation, p.Test} {
			if d != nil && d.Len() == 0 {
				rt.Fatal("a part without rows is not nil")
			}
			if !slices.IsSorted(rowsIn(d)) {
				rt.Fatalf("rows %v", d.Rows)
			}
			for _, row := range rowsIn(d) {
				if all[row] {
					rt.Fatalf("row %d is in two parts", row)
				}
				all[row] = true
			}
		}
		if len(all) != n {
			rt.Fatalf("%d rows of %d", len(all), n)
		}
	})
}

func TestSplitColumn(t *testing.T) {
	d := mustRead(t, "a,s,y\n1,test,1\n2,Train,2\n3,validation,3\n4,train,4\n", table.Options{Target: "y", SplitColumn: "s"})
	p := testenv.Must(d.Split(Split{Kind: "column", Column: "s"}))
	testenv.Equal(t, fmt.Sprint(p.Train.Rows, p.Validation.Rows, p.Test.Rows), "[2 4] [3] [1]", "parts")
	if again, err := p.Train.Split(Split{Kind: "column", Column: "s"}); err != nil || again.Train.Len() != 2 || again.Test != nil {
		t.Errorf("a subset keeps its marks: %v, %v", again, err)
	}
}

func TestSplitFaults(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		split Split
		want  string
	}{
		{Split{Kind: "stratified"}, `data.split: "stratified": want random, chronological or column`},
		{Split{Train: -0.1}, "data.train: -0.1: want a share from 0 to 1"},
		{Split{Train: 1.1}, "data.train: 1.1: want a share from 0 to 1"},
		{Split{Train: nan}, "data.train: NaN: want a share from 0 to 1"},
		{Split{Validation: nan}, "data.validation: NaN: want a share from 0, below 1"},
		{Split{Validation: -1}, "data.validation: -1: want a share from 0, below 1"},
		{Split{Validation: 0.4}, "data.validation: 0.4: with data.train, 0.7, it makes more than all rows"},
		{Split{Column: "s"}, `data.split_column: "s" applies only with data.split: column`},
		{Split{Kind: "column", Column: "s", Train: 0.5},
			"data.split: column: the column says the parts, so data.train and data.validation do not apply"},
		{Split{Kind: "column", Column: "s"}, `data.split_column: the data were not read with the split column "s"`},
		{Split{Train: 0.1}, "data: no row of 3 is left for training: give more rows, or a larger data.train"},
	} {
		testenv.Fails(t, second(numbered(t, 3).Split(test.split)), test.want, "%+v", test.split)
	}
	if _, err := numbered(t, 10).Split(Split{Train: 0.9, Validation: 0.1}); err != nil {
		t.Errorf("all rows for training and validation: %v", err)
	}
	marked := mustRead(t, "a,s,y\n1,train,1\n", table.Options{Target: "y", SplitColumn: "s"})
	testenv.FailsWith(t, second(marked.Split(Split{Kind: "column", Column: "other"})), `"other"`, "another split column")
	if p, err := numbered(t, 10).Split(Split{Train: 0.75, Validation: 0.25}); err != nil || p.Train.Len() != 8 || p.Validation.Len() != 2 {
		t.Errorf("both shares round up: %+v, %v", p, err)
	}
	if _, err := numbered(t, 100).Split(Split{Train: 0.7, Validation: 0.3000000001}); err != nil {
		t.Errorf("shares of one up to rounding: %v", err)
	}
	d := mustRead(t, "a,y\n,1\n2,2\n", table.Options{Target: "y", Missing: "mean"})
	if _, err := d.Split(Split{Kind: "chronological", Train: 0.5}); err == nil ||
		!strings.Contains(err.Error(), `the train part: column "a" has no value`) {
		t.Errorf("a column without a mean in training: %v", err)
	}
}

func TestCalibrationPart(t *testing.T) {
	d := numbered(t, 100)
	for _, kind := range []string{"random", "chronological"} {
		plain := testenv.Must(d.Split(Split{Kind: kind, Train: 0.6, Validation: 0.1, Seed: 3}))
		p := testenv.Must(d.Split(Split{Kind: kind, Train: 0.6, Validation: 0.1, Seed: 3, Calibration: 0.25}))
		if p.Train.Len() != 45 || p.Calibration.Len() != 15 || p.Validation.Len() != 10 || p.Test.Len() != 30 {
			t.Errorf("%s: %d, %d, %d, %d samples", kind, p.Train.Len(), p.Calibration.Len(), p.Validation.Len(), p.Test.Len())
		}
		if !slices.Equal(p.Test.Rows, plain.Test.Rows) || !slices.Equal(p.Validation.Rows, plain.Validation.Rows) {
			t.Errorf("%s: calibration changes the other parts", kind)
		}
		both := slices.Sorted(slices.Values(slices.Concat(p.Train.Rows, p.Calibration.Rows)))
		if !slices.Equal(both, plain.Train.Rows) || !slices.IsSorted(p.Calibration.Rows) {
			t.Errorf("%s: train and calibration are not the training part", kind)
		}
		if last := slices.Equal(p.Calibration.Rows, plain.Train.Rows[45:]); last != (kind == "chronological") {
			t.Errorf("%s: calibration has rows %v", kind, p.Calibration.Rows)
		}
	}
	for _, share := range []float64{-0.1, 1, math.NaN()} {
		testenv.FailsWith(t, (Split{Calibration: share}).Validate(), "data.calibration", "share %v", share)
	}
	for _, share := range []float64{0.001, 0.999} {
		testenv.FailsWith(t, second(d.Split(Split{Calibration: share})), "data.calibration", "share %v", share)
	}
}

// TestCalibrationKeepsEqualSamples: equal samples calibrate together, or train together; that of
// an ordered part are its last rows, however the part was made.
func TestCalibrationKeepsEqualSamples(t *testing.T) {
	for seed := range uint64(10) {
		d := repeating(t, 100, 50)
		p := testenv.Must(d.Split(Split{Train: 1, Seed: seed, Calibration: 0.3}))
		for _, y := range p.Calibration.Y {
			if slices.Contains(p.Train.Y, y) {
				t.Fatalf("seed %d: sample %v trains and calibrates", seed, y)
			}
		}
		if n := p.Calibration.Len(); n < 29 || n > 30 {
			t.Errorf("seed %d: %d samples calibrate", seed, n)
		}
	}
	marked := mustRead(t, "a,s,y\n1,train,1\n2,test,2\n3,train,3\n4,train,4\n", table.Options{Target: "y", SplitColumn: "s"})
	marked.Ordered = true
	p, err := marked.Split(Split{Kind: "column", Column: "s", Calibration: 0.4})
	if err != nil || !slices.Equal(p.Calibration.Rows, []int{4}) {
		t.Errorf("rows %v calibrate, %v: want the last", p.Calibration.Rows, err)
	}
}

// Whatever the shares, no group is divided, and no row is lost.
func TestGroupsStayTogether(t *testing.T) {
	d := numbered(t, 300)
	rng := rand.New(rand.NewPCG(5, 5))
	for range d.Len() {
		d.Groups = append(d.Groups, rng.IntN(40))
	}
	for seed := range uint64(20) {
		p := testenv.Must(d.Split(Split{Train: 0.6, Validation: 0.2, Calibration: 0.3, Seed: seed}))
		where := map[int]*Dataset{}
		rows := 0
		for _, part := range []*Dataset{p.Train, p.Calibration, p.Validation, p.Test} {
			rows += part.Len()
			for _, g := range part.Groups {
				if where[g] != nil && where[g] != part {
					t.Fatalf("seed %d: group %d is in two parts", seed, g)
				}
				where[g] = part
			}
		}
		testenv.Equal(t, rows, 300, "seed %d", seed)
		if n := p.Train.Len() + p.Calibration.Len(); n < 170 || n > 195 { // 180 and at most the rest of a group more
			t.Errorf("seed %d: %d training rows", seed, n)
		}
	}
}

func TestGroupColumn(t *testing.T) {
	path := writeFile(t, "t.csv", "id,a,y\nx,1,2\n y ,2,3\nx,3,4\n")
	d := testenv.Must(Read(path, table.Options{Target: "y", Group: "id"}))
	if !slices.Equal(d.Groups, []int{0, 1, 0}) || !slices.Equal(d.Schema.Features(), []string{"a"}) {
		t.Errorf("groups %v, features %v", d.Groups, d.Schema.Features())
	}
	if s := d.Subset([]int{1, 2}); !slices.Equal(s.Groups, []int{1, 0}) {
		t.Errorf("subset: %v", s.Groups)
	}
	blank := writeFile(t, "blank.csv", "id,a,y\nx,1,2\n,2,3\n")
	for _, c := range []struct {
		source Source
		want   string
	}{
		{Source{Path: path, Options: table.Options{Target: "y", Group: "none"}}, "data.group"},
		{Source{Path: path, Options: table.Options{Target: "y", Group: "y"}}, "data.group: column \"y\" is already named by data.target"},
		{Source{Path: path, Options: table.Options{Target: "y", Group: "id"}, Split: Split{Kind: "chronological"}},
			"data.group: cannot be combined with"},
		{Source{Options: table.Options{Group: "id"}}, "data.group: does not apply to the built-in"},
		{Source{Path: blank, Options: table.Options{Target: "y", Group: "id"}}, "blank.csv:3:1: the group is blank"},
	} {
		_, err := c.source.Load(context.Background())
		testenv.FailsWith(t, err, c.want)
	}
}
