package shapley

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// TestNeighboursAreAPart: the values are those without neighbours, whose change is a part of its
// own.
func TestNeighboursAreAPart(t *testing.T) {
	m, d := numbers(t, 3, 4)
	p, err := m.Predict(d.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Values {
		d.Y[i] = v + 5*math.Sin(3*d.X[i][0])
	}
	whole := *m
	if whole.Neighbours, err = model.FitNeighbours(context.Background(), m, d, rand.New(rand.NewPCG(1, 2))); err != nil || whole.Neighbours == nil {
		t.Fatal(err)
	}
	few := &data.Dataset{Schema: d.Schema, X: d.X[:20], Y: d.Y[:20]}
	a, alone := attributor(t, &whole, few), attributor(t, m, few)
	want := attributed(t, alone, d.X[30:40])
	got, err := a.Attribute(context.Background(), d.X[30:40])
	if err != nil {
		t.Fatal(err)
	}
	cells, err := a.TableCells(context.Background(), d.X[30:40])
	if err != nil {
		t.Fatal(err)
	}
	if names := a.TableColumns(); !slices.Equal(names, []string{"shap_background", "shap_a", "shap_b", "shap_c", "shap_neighbours"}) {
		t.Errorf("%v", names)
	}
	for n, e := range got {
		sum := e.Mean + e.Neighbours
		for _, v := range e.Values {
			sum += v
		}
		if !slices.Equal(e.Values, want[n].Values) || e.Neighbours == 0 || math.Abs(sum-e.Prediction) > 1e-10 || e.Prediction == want[n].Prediction {
			t.Errorf("%+v, without neighbours %+v", e, want[n])
		}
		if row := cells[n]; row[len(row)-1] != e.Neighbours || len(row) != 5 {
			t.Errorf("%v, want %v at the end", row, e.Neighbours)
		}
	}
}
