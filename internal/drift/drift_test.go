package drift

import (
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
