package plot

import (
	"image"
	"image/color"
	"math"

	"github.com/tskgraph/tskgraph/data"
)

// veil says how near the rows are to each cell of a surface: 1 where a row is near, 0 far from all.
type veil [surfaceSteps][surfaceSteps]float64

// newVeil returns the veil of the rows. Near is a distance that falls with the root of their number, at twice that a cell is far, both as
// shares of the axes; across places only rows at the same one are near.
func newVeil(x, y span, d *data.Dataset) *veil {
	near := surfaceSteps * (0.03 + 0.6/math.Sqrt(float64(max(1, d.Len()))))
	type band struct{ from, to int } // of cells
	home := func(s span, v float64) band {
		b, all := band{s.cell(v), s.cell(v)}, cells(s.low, s.high)
		for s.places != nil && b.from > 0 && s.drawn(all[b.from-1]) == v {
			b.from--
		}
		for s.places != nil && b.to < surfaceSteps-1 && s.drawn(all[b.to+1]) == v {
			b.to++
		}
		return b
	}
	reach := func(s span, b band) (from, to int) {
		if s.places != nil {
			return b.from, b.to
		}
		return max(0, b.from-int(2*near)), min(surfaceSteps-1, b.to+int(2*near))
	}
	beside := func(b band, k int) float64 { return float64(max(0, b.from-k, k-b.to)) }
	v, seen := &veil{}, map[[2]band]bool{}
	for _, row := range d.X {
		a, b := x.get(row), y.get(row)
		if !x.has(a) || !y.has(b) {
			continue
		}
		at := [2]band{home(x, a), home(y, b)}
		if seen[at] {
			continue
		}
		seen[at] = true
		left, right := reach(x, at[0])
		bottom, top := reach(y, at[1])
		for j := bottom; j <= top; j++ {
			for i := left; i <= right; i++ {
				v[j][i] = max(v[j][i], min(1, 2-math.Hypot(beside(at[0], i), beside(at[1], j))/near))
			}
		}
	}
	return v
}

// has reports whether a value is on the axis; NaN is not.
func (s span) has(v float64) bool { return v >= s.low && v <= s.high }

// cell returns the cell of a surface that has a value.
func (s span) cell(v float64) int {
	return min(surfaceSteps-1, int((v-s.low)/(s.high-s.low)*surfaceSteps))
}

// extent returns the range of a surface where it is not hidden, of all of it if there are no rows.
func (v *veil) extent(g *grid) (low, high float64) {
	for _, all := range []bool{false, true} {
		low, high = math.Inf(1), math.Inf(-1)
		for j := range v {
			for i := range v[j] {
				if all || v[j][i] > 0 {
					low, high = min(low, g.z[j][i]), max(high, g.z[j][i])
				}
			}
		}
		if low <= high {
			break
		}
	}
	return low, high
}

// image returns the veil, white where no row is near.
func (v *veil) image() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, surfaceSteps, surfaceSteps))
	for j := range v {
		for i := range v[j] {
			img.SetNRGBA(i, surfaceSteps-1-j, color.NRGBA{R: 255, G: 255, B: 255, A: uint8(255 * (1 - max(0, v[j][i])))})
		}
	}
	return img
}
