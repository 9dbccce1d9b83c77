package text

import (
	"fmt"
	"strings"
)

// writeCounts says in a sentence each what was counted and is not zero; the names are those of
// the tables' heads.
func writeCounts(b *strings.Builder, skipped, uncovered, outOfRange, limited int) {
	say := func(n int, format string) {
		if n > 0 {
			fmt.Fprintf(b, format+"\n", n)
		}
	}
	say(skipped, "skipped samples: %d (an update went without a sample, because no rule fired for it)")
	say(uncovered, "uncovered points: %d (no rule fires for the row; the model, or a member of a committee, predicts the training mean)")
	say(outOfRange, "out of range: %d (the row has a value outside the training range, where the model extrapolates)")
	say(limited, "limited: %d (the prediction was beyond the limits of the target, and is cut to them)")
}
