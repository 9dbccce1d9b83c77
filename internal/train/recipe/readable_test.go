package recipe

import (
	"errors"
	"strings"
	"testing"
)

// TestCheckReadable: the limits of preset readable hold whatever else is set, in the recipe and in the settings of a race.
func TestCheckReadable(t *testing.T) {
	if err := CheckReadable(Readable()); err != nil {
		t.Error(err)
	}
	for key, values := range map[string][]string{
		"model.rules": {"9", "32"}, "model.antecedents": {"0", "3.5"}, "model.terms": {"0", "12"}, "model.init": {"grid"},
		"train.race": {`[{"rules": 12}]`, `[{"antecedents": 0, "init": "kmeans"}]`, `[{"init": "grid"}]`},
	} {
		for _, v := range values {
			r := Readable()
			if err := r.Set(key, v); err != nil {
				t.Fatal(err)
			}
			var e *Error
			if err := CheckReadable(r); !errors.As(err, &e) || e.Key != key || !strings.Contains(err.Error(), "preset readable") {
				t.Errorf("%s: %s: %v", key, v, err)
			}
		}
	}
	for key, v := range map[string]string{"model.rules": "4", "model.antecedents": "2", "model.terms": "3", "model.init": "kmeans",
		"train.race": `[{"rules": 6}]`} {
		r := Readable()
		if err := errors.Join(r.Set(key, v), CheckReadable(r)); err != nil {
			t.Errorf("%s: %s: %v", key, v, err)
		}
	}
}

// TestPageClashes: what contradicts a page is refused at its key, and holds without one.
func TestPageClashes(t *testing.T) {
	if err := Readable().Validate(); err != nil {
		t.Error(err)
	}
	for key, v := range map[string]string{"model.membership": "gauss2", "model.curves": "own", "model.transform": "yeo-johnson",
		"model.tnorm": "minimum", "model.defuzzification": "htsk", "model.order": "0",
		"model.neighbours": AutoNeighbours, "prune.rounds": "1", "model.page": "9"} {
		r := Readable()
		r.Model.Terms = 0
		if err := r.Set(key, v); err != nil {
			t.Fatal(err)
		}
		var e *Error
		if err := r.Validate(); !errors.As(err, &e) || e.Key != key {
			t.Errorf("%s: %s: %v", key, v, err)
		}
		if r.Train.Race = nil; key == "model.page" {
			continue // it is out of range
		}
		if err := r.WithoutPage().Validate(); err != nil {
			t.Errorf("%s: %s without a page: %v", key, v, err)
		}
	}
}
