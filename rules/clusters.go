package rules

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// Clusters are the result of an [Initialiser]: the initial positions of R rules.
type Clusters struct {
	Centers [][]float64 `json:"centers"` // [R][M]
	Spreads [][]float64 `json:"spreads"` // [R][M], standard deviations, all positive
	Targets []float64   `json:"targets"` // [R C], mean targets of each cluster, row-major

	// Plane [C(M+1)], if not nil, is the initial consequents of every rule, the bias of each first. It
	// replaces Targets.
	Plane []float64 `json:"plane,omitempty"`

	// Diagnostics of the initialiser.
	Iterations  int `json:"iterations"`   // of the iterative algorithm
	Coinciding  int `json:"coinciding"`   // centers closer than 0.001 to an earlier one in every feature
	Empty       int `json:"empty"`        // times that a cluster lost all samples and was seeded again
	ZeroSpreads int `json:"zero_spreads"` // spreads below 1e-9, replaced by the mean of all (1 if all are)
}

// Notes describes unusual results of the initialiser; it is empty if there are none.
func (c *Clusters) Notes() string {
	var notes []string
	add := func(n, of int, format string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf(format, n, of))
		}
	}
	R := len(c.Centers)
	add(c.Coinciding, R, "%d of %d rules start at the same position as another rule")
	add(c.Empty, R, "%d times one of the %d clusters lost all its samples and was moved")
	add(c.ZeroSpreads, R*len(c.Centers[0]), "%d of %d membership functions belong to samples that are all equal in that "+
		"feature: they start with the mean width of all")
	return strings.Join(notes, "; ")
}

// Samples are the training samples that an [Initialiser] clusters.
type Samples struct {
	X      [][]float64 // [N][M]
	Y      []float64   // [N C], targets of C outputs, row-major
	Weight []float64   // [N], all positive and of mean one; nil: all one

	// Drawn says that the samples are a random sample of more. Iterations then stop at the
	// accuracy of such a sample, see [KMeans] and [FuzzyCMeans].
	Drawn bool
}

// Initialiser finds R clusters in samples. Sums over samples are weighted: a sample of weight 2 is
// equivalent to two samples. If ctx ends, the error wraps that of ctx.
type Initialiser func(ctx context.Context, s Samples, R int, rng *rand.Rand) (*Clusters, error)

// coincidence is the largest distance in every feature (scaled units) of two centers that
// coincide.
const coincidence = 1e-3

// finish replaces zero spreads and counts coinciding centers.
func (c *Clusters) finish() *Clusters {
	sum, cells := 0.0, 0
	for _, row := range c.Spreads {
		for _, s := range row {
			sum += s
			cells++
		}
	}
	mean := sum / float64(cells)
	if mean < 1e-9 {
		mean = 1
	}
	for _, row := range c.Spreads {
		for m, s := range row {
			if s < 1e-9 {
				row[m] = mean
				c.ZeroSpreads++
			}
		}
	}
	for i, a := range c.Centers {
		for _, b := range c.Centers[:i] {
			if coincide(a, b) {
				c.Coinciding++
				break
			}
		}
	}
	return c
}

// Outputs returns C.
func (c *Clusters) Outputs() int { return len(c.Targets) / len(c.Centers) }

// meanTargets returns the weighted means [C] of the targets y [N C].
func meanTargets(y, weight []float64) []float64 {
	C := len(y) / len(weight)
	mean, rows := make([]float64, C), rowsOf(y, len(weight), C)
	for c := range mean {
		mean[c] = numeric.WeightedMean(Columns(rows, c, c+1), weight)
	}
	return mean
}

func coincide(a, b []float64) bool {
	for m := range a {
		if math.Abs(a[m]-b[m]) > coincidence {
			return false
		}
	}
	return true
}

// check returns an error if the samples cannot be clustered: wrong sizes, numbers that are not finite, or
// negative weights.
func (s Samples) check(R int) error {
	x := s.X
	switch {
	case R < 1:
		return fmt.Errorf("rules: %d rules; want at least one", R)
	case len(x) == 0:
		return errors.New("rules: no training samples")
	case len(s.Y) == 0 || len(s.Y)%len(x) != 0:
		return fmt.Errorf("rules: %d samples but %d targets", len(x), len(s.Y))
	case s.Weight != nil && len(x) != len(s.Weight):
		return fmt.Errorf("rules: %d samples but %d weights", len(x), len(s.Weight))
	case len(x[0]) == 0:
		return errors.New("rules: samples without features")
	}
	for n, row := range x {
		if len(row) != len(x[0]) {
			return fmt.Errorf("rules: sample %d has %d features, sample 0 has %d", n, len(row), len(x[0]))
		}
		if !numeric.Finite(row...) {
			return fmt.Errorf("rules: sample %d is %v: must be finite", n, row)
		}
		if C := len(s.Y) / len(x); !numeric.Finite(s.Y[n*C : (n+1)*C]...) {
			return fmt.Errorf("rules: targets of sample %d are %v: must be finite", n, s.Y[n*C:(n+1)*C])
		}
		if w := numeric.WeightAt(s.Weight, n); !(w >= 0) || !numeric.Finite(w) {
			return fmt.Errorf("rules: weight of sample %d is %v: must be finite and not negative", n, w)
		}
	}
	return nil
}

// given returns an error if an initialiser has no context or no random numbers.
func given(ctx context.Context, rng *rand.Rand) error {
	if ctx == nil || rng == nil {
		return errors.New("rules: the context or the source of random numbers is nil")
	}
	return nil
}

// squaredDistance returns |a-b|^2.
func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for m, v := range a {
		d := v - b[m]
		sum += float64(d * d)
	}
	return sum
}

// pick draws one of n samples with probability proportional to its weight; nil: all
// equal.
func pick(weight []float64, n int, rng *rand.Rand) int {
	if weight == nil {
		return rng.IntN(n)
	}
	left := float64(rng.Float64() * numeric.WeightSum(weight, n))
	for i, w := range weight {
		if left -= w; left < 0 {
			return i
		}
	}
	return n - 1
}
