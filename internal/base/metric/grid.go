package metric

import "math"

// grid divides the probabilities into cells that are narrow near 0 and 1.
type grid struct {
	steps int // logarithm to base 2 of the number of cells from 2^-i to 2^(1-i)
}

const (
	powers    = 40      // cells reach down to 2^-powers; smaller probabilities share the first one
	mostSteps = 9       // 512 cells for each power of two
	mostCells = 1 << 13 // for each power of two, of all classes
)

func newGrid(K int) grid {
	g := grid{mostSteps}
	for g.steps > 4 && K<<g.steps > mostCells {
		g.steps--
	}
	return g
}

// half is the number of cells up to 1/2, which has one of its own.
func (g grid) half() int { return powers<<g.steps + 1 }

func (g grid) cells() int { return 2*g.half() - 1 }

// of returns the cell of a probability; cells ascend with it.
func (g grid) of(p float64) int {
	switch {
	case p > 0.5:
		return g.cells() - 1 - g.of(1-p)
	case !(p > 0):
		return 0
	}
	shift := 52 - g.steps
	return max(0, int(math.Float64bits(p)>>shift)-int(math.Float64bits(math.Ldexp(0.5, -powers))>>shift))
}
