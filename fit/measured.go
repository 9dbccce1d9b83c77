package fit

import (
	"math/rand/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/optim"
)

// measuredRows is the number of training samples at most on which the error of training is measured.
const measuredRows = 2048

// measuredStream separates the samples on which the error of training is measured from the other random streams of the same seed.
const measuredStream = 0x6d65617375726564 // "measured"

// measured returns training samples as the loss sees them, at most measuredRows.
func measured(t *trainer, seed uint64) (some optim.Data) {
	y, weights := t.targets(), t.Recipe.Train.LossWeights(t.data)
	C := len(y) / len(t.x)
	for _, n := range data.Draw(t.data, min(measuredRows, len(t.x)), rand.New(rand.NewPCG(seed, measuredStream))) {
		some.X, some.Y, some.Weight = append(some.X, t.x[n]), append(some.Y, y[n*C:(n+1)*C]...), append(some.Weight, weighted.At(weights, n))
	}
	return some
}

// measuredEvery returns the number of iterations from one measurement of the error of training to the next, so many that the
// measurements, of which a sample costs a third of one of a batch, take a twentieth of the time.
func measuredEvery(N, B int) int { return max(100, 20*min(measuredRows, N)/(3*B)) }
