package dossier_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/report/dossier"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// The targets of a model of two rules.
func Example() {
	ctx := context.Background()
	d, err := data.New([]string{"x"}, "y", [][]float64{{0}, {1}, {2}, {3}}, []float64{0, 1, 2, 5})
	if err != nil {
		panic(err)
	}
	prep, err := model.Fit(ctx, d)
	if err != nil {
		panic(err)
	}
	rb := rules.New(membership.Gaussian{}, &rules.Clusters{Centers: [][]float64{{-1}, {1}}, Spreads: [][]float64{{1}, {1}},
		Targets: []float64{-1.5, 1.5}})
	m, err := model.New(ctx, prep, rb, d.X, nil, model.Training{Samples: d.Len()})
	if err != nil {
		panic(err)
	}
	all, err := dossier.New(ctx, dossier.Input{Model: m, Train: d, Described: words.Model(m)})
	if err != nil {
		panic(err)
	}
	one, err := all.Only("2.2")
	if err != nil {
		panic(err)
	}
	if err := one.WriteMarkdown(os.Stdout); err != nil {
		panic(err)
	}
	fmt.Println()
	// Output:
	// <!-- tskgraph dossier -->
	//
	// # Dossier: y
	//
	// ## 2. Data
	//
	// **2.2** What is to be predicted.
	//
	// `tskgraph dossier . --item 2.2`
	//
	// | target | part | least | mean | largest |
	// | --- | --- | ---: | ---: | ---: |
	// | y | training | 0 | 2 | 5 |
}
