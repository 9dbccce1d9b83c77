package data

import (
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"math/rand/v2"
	"testing"
)

// TestRefuses: data sets of wrong sizes, no random numbers and formats that cannot be written are errors, not panics.
func TestRefuses(t *testing.T) {
	content := func(change func(d *Dataset)) *Dataset {
		d, err := New([]string{"a"}, "y", [][]float64{{1}, {2}, {3}, {4}}, []float64{1, 0, 1, 0})
		if err != nil {
			t.Fatal(err)
		}
		change(d)
		return d
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for name, d := range map[string]*Dataset{
		"nil": nil, "zero": {}, "short targets": content(func(d *Dataset) { d.Y = d.Y[:1] }), "ragged": content(func(d *Dataset) { d.X[3] = nil }),
		"weights": content(func(d *Dataset) { d.Weights = []float64{0} }), "groups": content(func(d *Dataset) { d.Groups = []int{1} }),
		"rows": content(func(d *Dataset) { d.Rows = []int{1} }), "class": content(func(d *Dataset) { d.Schema.Classes, d.Y[2] = []string{"u", "v"}, 2 }),
		"further targets": content(func(d *Dataset) { d.Others = [][]float64{{1}} }),
	} {
		_, split := d.Split(Split{Train: 0.5})
		_, folds := d.Folds(2, rng)
		_, weighed := d.Weighed()
		for what, err := range map[string]error{"Split": split, "Folds": folds, "Weighed": weighed, "Validate": d.Validate()} {
			if fault := (*table.Error)(nil); !errors.As(err, &fault) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	d := content(func(*Dataset) {})
	for name, err := range map[string]error{
		"-1 folds": second(d.Folds(-1, rng)), "1 fold": second(d.Folds(1, rng)), "no random numbers": second(d.Folds(2, nil)),
		"no format": table.Convert(nil, table.Writable("x.csv"), table.Input{}, table.Conversion{}), "read only": table.Convert(nil, &table.Format{}, table.Input{}, table.Conversion{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if rows := Draw(d, 9, rng); len(rows) != 4 {
		t.Errorf("9 of 4 samples: %v", rows)
	}
}

func second[T any](_ T, err error) error { return err }
