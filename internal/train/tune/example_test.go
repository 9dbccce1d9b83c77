package tune_test

import (
	"context"
	"fmt"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/internal/train/tune"
)

// Ten trials around the paper's settings, on the training part; then a model of
// the settings that were chosen.
func ExampleSearch() {
	ctx := context.Background()
	parts, err := data.Source{Builtin: "friedman1"}.Load(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := tune.Search(ctx, parts.Train, recipe.Paper(), tune.Options{
		Trials: 10,
		Space:  tune.Space{"rules": {4, 8}, "iterations": {100, 200}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d trials, %d fits on %d times %d folds\n", len(r.Trials), r.Fits, r.Repeats, r.Folds)
	fmt.Println("better than the settings of the paper:", r.Found)
	if _, err := (ensemble.Run{Recipe: r.Options}).Train(ctx, parts.Train, nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 10 trials, 28 fits on 1 times 5 folds
	// better than the settings of the paper: true
}
