package tskgraph_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

// Load data, train, measure, save, load, predict.
func Example() {
	parts, err := data.Source{Builtin: "mackey-glass"}.Load()
	if err != nil {
		log.Fatal(err)
	}
	result, err := tskgraph.Train(context.Background(), parts.Train, nil, tskgraph.Paper())
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(os.TempDir(), "mackey-glass.json")
	if err := result.Model.Save(path); err != nil {
		log.Fatal(err)
	}
	m, err := tskgraph.Load(path)
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict(parts.Test.X[:1])
	fmt.Printf("predicted %.1f, observed %.1f, %v\n", p.Values[0], parts.Test.Y[0], err)
	// Output: predicted 1.1, observed 1.1, <nil>
}
