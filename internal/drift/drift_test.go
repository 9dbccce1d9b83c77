package drift

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// TestWindow: a window has the last rows of several streams, and forgets older ones by blocks.
func TestWindow(t *testing.T) {
	m := &model.Model{}
	m.Schema = data.Schema{Target: "y", Columns: []data.Column{{Name: "a", Encoding: data.Numeric}}}
	m.Members = []*model.Model{{}, {}} // a committee, which no rule decides
	var train [][]float64
	for n := range 100 {
		train = append(train, []float64{float64(n)})
	}
	r, err := New(m, &data.Dataset{Schema: m.Schema, X: train}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWindow(r, 80)
	if _, err := w.Compare(Level); err == nil {
		t.Error("an empty window is compared")
	}
	var streams sync.WaitGroup
	for range 4 {
		streams.Go(func() {
			for range 100 {
				w.Add(w.Cells([][]float64{{1000}}, nil), nil)
			}
		})
	}
	streams.Wait()
	got, err := w.Compare(Level)
	if err != nil || got.Rows < 70 || got.Rows > 80 || got.Columns[0].Outside.Now != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for n := range 80 {
		w.Add(w.Cells(train[n:n+1], nil), nil)
	}
	if got, err = w.Compare(Level); err != nil || got.Columns[0].Outside.Now != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestStatistics: probabilities are those of R's fisher.test (one-sided), chisq.test, t.test and pbinom.
func TestStatistics(t *testing.T) {
	var a, b totals
	for _, v := range []float64{1, 2, 3, 4, 5} {
		for range 4 {
			a.add(v)
			b.add(2*v - 1)
		}
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"hypergeometric":   {atLeast(3, 4, 4, 8), 17.0 / 70},
		"all of them":      {atLeast(2, 5, 2, 10), 10.0 / 45},
		"none needed":      {atLeast(0, 5, 2, 10), 1},
		"more than marked": {atLeast(3, 5, 2, 10), 0},
		"exact":            {exact(1, 10, 8, 10), 0.0054775},
		"chi-square":       {homogeneity([]int{30, 20}, []int{20, 30}), 0.04550026},
		"one group":        {homogeneity([]int{30}, []int{20}), 1},
		"welch":            {welch(a, b), 0.0101659},
		"equal constants":  {welch(totals{20, 3, 0}, totals{20, 3, 0}), 1},
		"other constants":  {welch(totals{20, 3, 0}, totals{20, 4, 0}), 0},
		"binomial":         {binomial(2, 10, 0.1), 0.2639011},
		"index":            {stability([]int{49, 49}, []int{49, 49}), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-4 {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if p := welch(totals{19, 1, 1}, a); !math.IsNaN(p) {
		t.Errorf("of 19 numbers: %v, want NaN", p)
	}
}

// TestHolm: a level holds for all tests together.
func TestHolm(t *testing.T) {
	got := holm([]float64{0.02, 0.001, math.NaN(), 0.015, 0.9}, 0.04)
	for i, want := range []bool{false, true, false, false, false} {
		if got[i] != want {
			t.Errorf("test %d: %v, want %v", i, got[i], want)
		}
	}
}

// TestTotals: totals of parts merge to those of all numbers.
func TestTotals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var all, first, second totals
	for i := range 50 {
		v := 1e6 + rng.NormFloat64()
		all.add(v)
		if i < 20 {
			first.add(v)
		} else {
			second.add(v)
		}
	}
	first.merge(second)
	first.merge(totals{})
	if first.n != all.n || math.Abs(first.mean-all.mean) > 1e-9 || math.Abs(first.rest-all.rest) > 1e-6*all.rest {
		t.Errorf("merged: %v, want %v", first, all)
	}
}
