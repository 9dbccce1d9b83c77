package tune

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// order returns how the values of a key are ordered: numbers by size, others by their text.
func order(k recipe.Key) func(a, b any) int {
	size := func(value any) float64 {
		v, _ := recipe.Number(value)
		if k.Draw.ZeroIsAll {
			return allIfZero(v)
		}
		return v
	}
	return func(a, b any) int {
		return cmp.Or(cmp.Compare(size(a), size(b)), cmp.Compare(recipe.Text(a), recipe.Text(b)))
	}
}

// step returns a value of the list above or below v: the next one, half of the time
// the one after it, and so on. v need not be in the list; it is returned if nothing
// else is.
func step(list []any, v any, compare func(a, b any) int, rng *rand.Rand) any {
	sorted := slices.SortedFunc(slices.Values(list), compare)
	above := slices.DeleteFunc(slices.Clone(sorted), func(w any) bool { return compare(w, v) <= 0 })
	below := slices.DeleteFunc(sorted, func(w any) bool { return compare(w, v) >= 0 })
	slices.Reverse(below)
	way := above
	if len(above) == 0 || len(below) > 0 && rng.IntN(2) == 0 {
		way = below
	}
	for i, w := range way {
		if i == len(way)-1 || rng.IntN(2) == 0 {
			return w
		}
	}
	return v
}
