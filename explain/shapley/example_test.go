package shapley_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/shapley"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// A model of a single rule is linear: the value of a column is its slope times the distance from the mean of the background.
func Example() {
	train := &data.Dataset{
		Schema: data.Schema{Target: "y", Columns: []data.Column{{Name: "a", Encoding: data.Numeric}, {Name: "b", Encoding: data.Numeric}}},
		X:      [][]float64{{-1, 4}, {0, 6}, {1, 8}},
		Y:      []float64{0, 5, 10},
	}
	p, err := model.Fit(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{0, 0}}, Spreads: [][]float64{{1, 1}}, Targets: []float64{0}})
	rb.Consequents[0] = []float64{0, 3, 4} // standard deviations of a and b: 1 and 2
	m, err := model.New(context.Background(), p, rb, train.X, nil, model.Training{Samples: 3})
	if err != nil {
		log.Fatal(err)
	}
	a, err := shapley.New(m, train, 1)
	if err != nil {
		log.Fatal(err)
	}
	all, err := a.Attribute(context.Background(), [][]float64{{2, 5}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3g = %.3g %+.3g %+.3g\n", all[0].Prediction, all[0].Mean, all[0].Values[0], all[0].Values[1])
	// Output: 9 = 5 +6 -2
}
