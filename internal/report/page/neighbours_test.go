package page

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// TestNeighboursOnThePage: the table of errors is with neighbours, all else without, and the page
// says so. It holds no interval, which would be around the wrong prediction.
func TestNeighboursOnThePage(t *testing.T) {
	d := table(200)
	train, test := d.Subset(some(200, 100)), d
	m := untrained(t, membership.Gaussian{}, train, 3, nil)
	p, err := m.Predict(d.X)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Values {
		d.Y[i] = v + 5*math.Sin(d.X[i][0]/10)
	}
	train = d.Subset(some(200, 100))
	if m.Neighbours, err = model.FitNeighbours(context.Background(), m, train, rand.New(rand.NewPCG(1, 2))); err != nil || m.Neighbours == nil {
		t.Fatal(m.Neighbours, err)
	}
	if err := m.Calibrate(t.Context(), train); err != nil {
		t.Fatal(err)
	}
	whole, html := mustNew(t, Input{Model: m, Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}})
	alone, _ := mustNew(t, Input{Model: m.WithoutNeighbours(), Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}})
	e, err := m.Evaluate(t.Context(), test)
	if err != nil {
		t.Fatal(err)
	}
	training, err := m.EvaluateTraining(t.Context(), train)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Scores[0].RMSE != training.RMSE || whole.Scores[1].RMSE != e.RMSE || !(e.RMSE < 0.99*alone.Scores[1].RMSE) {
		t.Errorf("%+v, want %v and %v; without neighbours %+v", whole.Scores, training.RMSE, e.RMSE, alone.Scores)
	}
	for i, v := range alone.content.Points.Predicted[0] {
		if whole.content.Points.Predicted[0][i] != v {
			t.Fatalf("point %d: %v, want %v", i, whole.content.Points.Predicted[0][i], v)
		}
	}
	if len(whole.content.Model.Intervals) != 0 || whole.Neighbours == nil || alone.Neighbours != nil {
		t.Errorf("intervals %v, neighbours %v", whole.content.Model.Intervals, whole.Neighbours)
	}
	if text := "all figures of this page show the rules without them"; strings.Count(html, text) != 1 {
		t.Errorf("the page does not say that %s", text)
	}
}
