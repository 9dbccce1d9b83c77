package text

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/model"
)

// writeCounts writes a line for each count that is not zero, under its name in the tables. Errors e are of the model's task.
func writeCounts(b *strings.Builder, e model.Metrics, skipped, uncovered, outOfRange, limited int) {
	standIn := "training mean"
	switch {
	case e.Classes != nil:
		standIn = "shares of the classes in training"
	case e.Pinball != nil:
		standIn = "training quantiles"
	}
	say := func(n int, format string) {
		if n > 0 {
			fmt.Fprintf(b, format+"\n", n)
		}
	}
	say(skipped, "skipped samples: %d (left out of an update because no rule fired)")
	say(uncovered, "uncovered points: %d (no rule fires for the row; the model, or a member of a committee, predicts the "+standIn+")")
	say(outOfRange, "out of range: %d (the row has a value outside the training range, where the model extrapolates)")
	say(limited, "limited: %d (the prediction was clipped to the limits of the target)")
}
