package data

import (
	"context"
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestCalibrationPart(t *testing.T) {
	d := numbered(t, 100)
	for _, kind := range []string{"random", "chronological"} {
		plain, err := d.Split(Split{Kind: kind, Train: 0.6, Validation: 0.1, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Split(Split{Kind: kind, Train: 0.6, Validation: 0.1, Seed: 3, Calibration: 0.25})
		if err != nil {
			t.Fatal(err)
		}
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
		if err := (Split{Calibration: share}).Validate(); err == nil || !strings.Contains(err.Error(), "data.calibration") {
			t.Errorf("share %v: %v", share, err)
		}
	}
	for _, share := range []float64{0.001, 0.999} {
		if _, err := d.Split(Split{Calibration: share}); err == nil || !strings.Contains(err.Error(), "data.calibration") {
			t.Errorf("share %v: %v", share, err)
		}
	}
}

// TestCalibrationKeepsEqualSamples: equal samples calibrate together, or train together; that of
// an ordered part are its last rows, however the part was made.
func TestCalibrationKeepsEqualSamples(t *testing.T) {
	for seed := range uint64(10) {
		d := repeating(t, 100, 50)
		p, err := d.Split(Split{Train: 1, Seed: seed, Calibration: 0.3})
		if err != nil {
			t.Fatal(err)
		}
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
		p, err := d.Split(Split{Train: 0.6, Validation: 0.2, Calibration: 0.3, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
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
		if rows != 300 {
			t.Errorf("seed %d: %d rows", seed, rows)
		}
		if n := p.Train.Len() + p.Calibration.Len(); n < 170 || n > 195 { // 180 and at most the rest of a group more
			t.Errorf("seed %d: %d training rows", seed, n)
		}
	}
}

func TestGroupColumn(t *testing.T) {
	path := writeFile(t, "t.csv", "id,a,y\nx,1,2\n y ,2,3\nx,3,4\n")
	d, err := Read(path, table.Options{Target: "y", Group: "id"})
	if err != nil {
		t.Fatal(err)
	}
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
		{Source{Path: path, Options: table.Options{Target: "y", Group: "id"}, Split: Split{Kind: "chronological"}}, "data.group: cannot be combined with"},
		{Source{Options: table.Options{Group: "id"}}, "data.group: does not apply to the built-in"},
		{Source{Path: blank, Options: table.Options{Target: "y", Group: "id"}}, "blank.csv:3:1: the group is blank"},
	} {
		_, err := c.source.Load(context.Background())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
