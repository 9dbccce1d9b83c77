package ensemble_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// A race between two numbers of iterations.
func ExampleTrain() {
	parts, err := data.Source{Builtin: "friedman1"}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	r := recipe.Robust()
	r.Model.Rules = 6
	r.Train.Race = []recipe.Setting{{"iterations": 5}, {"iterations": 300}}
	result, err := ensemble.Run{Recipe: r}.Train(context.Background(), parts.Train, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range result.Race {
		fmt.Println(s.Setting.Text("iterations"), "iterations, chosen:", s.Chosen)
	}
	// Output:
	// 5 iterations, chosen: false
	// 300 iterations, chosen: true
}
