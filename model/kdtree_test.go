package model

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
)

// TestNearestIsExact holds the search against all distances, to the bit and with equally near
// points in the order of their rows. Coordinates of few values give many of these.
func TestNearestIsExact(t *testing.T) {
	racedetector.Skip(t)
	rng := rand.New(rand.NewPCG(1, 2))
	ties := 0
	for range 300 {
		n, M, k := 1+rng.IntN(400), 1+rng.IntN(6), 1+rng.IntN(41)
		values := []float64{2, 5, 1e6}[rng.IntN(3)]
		point := func() []float64 {
			p := make([]float64, M)
			for m := range p {
				p[m] = 0.1 * math.Round(values*rng.NormFloat64())
			}
			return p
		}
		points := make([][]float64, n)
		for i := range points {
			points[i] = point()
		}
		tree, _ := newKDTree(t.Context(), points)
		search := tree.newSearch(k)
		for range 20 {
			query := point()
			var want []found
			for row, p := range points {
				sum := 0.0
				for m, v := range query {
					d := v - p[m]
					sum += float64(d * d)
				}
				want = append(want, found{sum, row})
			}
			slices.SortFunc(want, func(a, b found) int { return cmp.Or(cmp.Compare(a.squared, b.squared), a.row-b.row) })
			ties += count(k < n && want[min(k, n-1)].squared == want[min(k, n)-1].squared)
			if got := search.nearest(query); !slices.Equal(got, want[:min(k, n)]) {
				t.Fatalf("%d points of %d coordinates, k %d: %v, want %v", n, M, k, got, want[:min(k, n)])
			}
		}
	}
	if ties < 100 {
		t.Errorf("only %d searches with ties", ties)
	}
}

// Points at an infinite distance are not found.
func TestNearestFar(t *testing.T) {
	tree, _ := newKDTree(t.Context(), [][]float64{{0}, {1}, {1e200}})
	search := tree.newSearch(2)
	if got := search.nearest([]float64{1e200}); !slices.Equal(got, []found{{0, 2}}) {
		t.Errorf("%v", got)
	}
	if got := search.nearest([]float64{-1e200}); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
