package report

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
	say(skipped, "skipped samples: %d times an update went without a sample, because no rule fired for it")
	say(uncovered, "uncovered points: for %d rows no rule fires, and the model (or a member of a committee) predicts the training mean")
	say(outOfRange, "out of range: %d rows have a value outside the training range, where the model extrapolates")
	say(limited, "limited: %d predictions were beyond the limits of the target, and are cut to them")
}
