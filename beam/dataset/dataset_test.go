package dataset

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// full returns a data set that has everything that a fingerprint depends on.
func full(n int) *data.Dataset {
	d := &data.Dataset{
		Schema: data.Schema{
			Columns: []data.Column{{Name: "a", Unit: "m", Encoding: data.Numeric}, {Name: "b", Encoding: data.OneHot, Levels: []string{"x", "y"}}},
			Target:  "t", Others: []data.Other{{Name: "u"}}, NA: data.NA{"*": {"-"}}, Weight: "w",
		},
		Others:  [][]float64{nil},
		Missing: data.Missing{Policy: "mean", Cells: 1, Imputed: 1, Columns: map[string]int{"a": 1}},
		Commas:  []string{"a"}, Weightless: 2,
	}
	for i := range n {
		a := float64(i) / 3
		switch i {
		case 1:
			a = math.NaN()
		case 2:
			a = math.Copysign(0, -1)
		}
		d.X, d.Y, d.Rows = append(d.X, []float64{a, float64(i % 2), float64(1 - i%2)}), append(d.Y, float64(i)), append(d.Rows, i+1)
		d.Others[0], d.Weights, d.Groups = append(d.Others[0], -float64(i)), append(d.Weights, 1+float64(i%3)), append(d.Groups, i/2)
	}
	return d
}

// What is read is what was written, to the bit.
func TestRoundTrip(t *testing.T) {
	ordered := full(7)
	ordered.Groups, ordered.Ordered, ordered.Weights = nil, true, nil
	for name, d := range map[string]*data.Dataset{"full": full(7), "ordered": ordered} {
		path := filepath.Join(t.TempDir(), "data")
		if err := Write(t.Context(), path, d); err != nil {
			t.Fatal(err)
		}
		got, err := Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if got.Fingerprint() != d.Fingerprint() || math.Float64bits(got.X[2][0]) != math.Float64bits(d.X[2][0]) {
			t.Errorf("%s: %s, want %s", name, got.Fingerprint(), d.Fingerprint())
		}
		got.X[1][0], d.X[1][0] = 0, 0 // NaN is not equal to itself
		if !reflect.DeepEqual(got, d) {
			t.Errorf("%s: %+v, want %+v", name, got, d)
		}
	}
}

// A sample keeps what is known about all rows, which are not sent.
func TestSample(t *testing.T) {
	d := full(data.SampleRows + 1)
	d, err := d.Weighed()
	if err != nil {
		t.Fatal(err)
	}
	d = d.Sampled(1)
	path := filepath.Join(t.TempDir(), "data")
	if err := Write(t.Context(), path, d); err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Fingerprint() != d.Fingerprint() || got.Total() != data.SampleRows+1 || got.Len() != data.SampleRows {
		t.Errorf("%s of %d, want %s of %d", got.Fingerprint(), got.Total(), d.Fingerprint(), d.Total())
	}
	if !reflect.DeepEqual(got.Whole.Features(), d.Whole.Features()) || !reflect.DeepEqual(got.Whole.Targets(), d.Whole.Targets()) ||
		got.Whole.Weight() != d.Whole.Weight() {
		t.Error("other statistics of all rows")
	}
	if _, err := got.Whole.Bucket(0); err == nil {
		t.Error("rows that were not sent can be read")
	}
}

// A file of something else is an error that names it.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data")
	if err := Write(t.Context(), path, full(7)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, len(text) / 2, len(text) - 1} {
		if err := os.WriteFile(path, text[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if _, err := Read(t.Context(), path+"x"); err == nil {
		t.Error("no such file")
	}
}
