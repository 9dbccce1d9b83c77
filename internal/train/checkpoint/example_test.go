package checkpoint_test

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// Two identities are compared by name, in the order of the names.
func ExampleIdentity_Differences() {
	was := checkpoint.Identity{"train.l2": "0.05", "train.seed": "1", "file a.csv": "sha256 12"}
	is := checkpoint.Identity{"train.l2": "0.06", "train.seed": "1"}
	for _, change := range was.Differences(is) {
		fmt.Println(change)
	}
	// Output:
	// file a.csv was sha256 12, is nothing
	// train.l2 was 0.05, is 0.06
}
