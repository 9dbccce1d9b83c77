package byhand

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// TestShortest holds decimals of the fewest digits that float64s find against those of exact numbers alone.
func TestShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		mean, sd := math.Round(1000*r.NormFloat64())/math.Pow10(r.IntN(5)), math.Exp(3*r.NormFloat64())
		p := r.NormFloat64()
		switch i % 6 {
		case 0, 1:
			p = (math.Round(1000*r.NormFloat64())/math.Pow10(r.IntN(5)) - mean) / sd
		case 2: // half way between two decimals
			mean, sd, p = 0, 1/float64(int(1)<<r.IntN(3)), float64(r.IntN(100_000))/float64(int(1)<<r.IntN(20))
		case 3:
			p *= math.Pow10(r.IntN(600) - 310)
		}
		f := model.Feature{Mean: mean, SD: sd}
		exact := exactly(p)
		exact.Add(exact.Mul(exact, exactly(sd)), exactly(mean))
		got := inUnits(f, membership.Position, p)
		want := shortest(exact, p, nil, func(v *big.Rat) float64 { return scaled(f, membership.Position, v) })
		if got.Cmp(want) != 0 {
			t.Errorf("%v of mean %v and deviation %v: %s, want %s", p, mean, sd, decimal(got), decimal(want))
		}
	}
}
