package membership_test

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// TestRampSteps: a step divides all numbers into those above it and the others, in Grades and in Expr, without
// derivatives; the two sides of any border add up to one; a ramp that training turned round or narrowed is repaired, and
// a step stays one.
func TestRampSteps(t *testing.T) {
	f, inf := membership.Ramp{}, math.Inf(1)
	open := f.Between(-inf, inf, 1)
	for _, at := range []float64{-1e6, -1, 0, 0.1, 3, 1e6} {
		above, most := []float64{at, at, open[2], open[3]}, []float64{open[0], open[1], at, at}
		for _, one := range []struct{ x, above float64 }{
			{at, 0}, {math.Nextafter(at, -inf), 0}, {math.Nextafter(at, inf), 1}, {-1e99, 0}, {1e99, 1}, {at + 0.5, 1}, {at - 0.5, 0},
		} {
			if at == 0 && math.Abs(one.x) < 1e-30 {
				continue // Expr has a width
			}
			for _, side := range []struct {
				p     []float64
				grade float64
			}{{above, one.above}, {most, 1 - one.above}, {open, 1}} {
				g, by := []float64{one.x}, [][]float64{{9}, {9}, {9}, {9}}
				f.Grades(g, g, side.p)
				f.Gradients(by, []float64{one.x}, side.p)
				testenv.Equal(t, g[0], side.grade, "%v: grade of %v", side.p, one.x)
				testenv.Equal(t, membership.Evaluate(f, one.x, side.p), side.grade, "%v: expression of %v", side.p, one.x)
				for j, d := range by {
					if d[0] != 0 {
						t.Errorf("%v: gradient %d at %v is %v", side.p, j, one.x, d[0])
					}
				}
			}
		}
	}
	p := [][]float64{{2, 1, 5}, {1, 1, 5 + 1e-12}, {3, 7, 9}, {3 + 1e-3, 7, 8}}
	f.Project(p)
	testenv.Equal(t, p, [][]float64{{1, 1, 5}, {2, 1, 5 + 1e-9}, {3, 7, 8}, {3 + 1e-3, 7, 9}}, "projected")
}
