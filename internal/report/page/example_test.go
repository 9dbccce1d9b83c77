package page_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// A page about a model of two rules.
func Example() {
	d, err := data.New([]string{"x"}, "y", [][]float64{{0}, {1}, {2}, {3}}, []float64{0, 1, 2, 5})
	if err != nil {
		panic(err)
	}
	prep, err := model.Fit(context.Background(), d)
	if err != nil {
		panic(err)
	}
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{-1}, {1}}, Spreads: [][]float64{{1}, {1}},
		Targets: []float64{-1.5, 1.5}})
	m, err := model.New(context.Background(), prep, rb, d.X, nil, model.Training{Samples: d.Len()})
	if err != nil {
		panic(err)
	}
	p, err := page.New(page.Input{Model: m, Data: page.Part{Name: "train.csv", Dataset: d}})
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "page")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	f, err := os.Create(filepath.Join(dir, "report.html"))
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		panic(err)
	}
	fmt.Println(p.Scores[0].Who, p.Scores[0].Metrics)
	// Output: This model RMSE 1.027, MAE 0.88376, R² 0.6986 over 4 samples
}
