package data

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Fold is a division of samples for a measurement: the indices (from 0) of those to train on, and of those held out.
type Fold struct{ Train, Held []int }

// Folds divides the samples into k folds, at least 2, and holds out each of them in turn: cross-validation. Folds have
// nearly equal numbers of samples; those of a group stay together, and so do samples that are equal, target included,
// since a model that has seen one of them has seen the other. Indices are ascending.
//
// Where the samples are in time order (see Dataset.Ordered) they are divided into k+1 blocks, each of which but the
// first is held out and predicted from all before it, the last one first; rng is not used. Equal samples do not matter
// then: the past is known.
//
// Fewer samples, or groups, than that takes are an *Error.
func (d *Dataset) Folds(k int, rng *rand.Rand) ([]Fold, error) {
	if d.Ordered {
		if n := d.Len(); n < k+1 {
			return nil, faultf("", "%d folds of %d samples in time order: set tune.folds to at most %d", k, n, n-1)
		}
		return d.blocks(k+1, k), nil
	}
	units := d.units(true)
	if len(units) < k {
		return nil, faultf("", "%d folds of %d different samples or groups: set tune.folds to at most %d", k, len(units), len(units))
	}
	rng.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	slices.SortStableFunc(units, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	members := make([][]int, k)
	for _, unit := range units {
		smallest := 0
		for f := range members {
			if len(members[f]) < len(members[smallest]) {
				smallest = f
			}
		}
		members[smallest] = append(members[smallest], unit...)
	}
	folds := make([]Fold, k)
	for f := range folds {
		for g, rows := range members {
			if g == f {
				folds[f].Held = slices.Sorted(slices.Values(rows))
			} else {
				folds[f].Train = append(folds[f].Train, rows...)
			}
		}
		slices.Sort(folds[f].Train)
	}
	return folds, nil
}

// HoldOut holds out a share of the samples, above 0 and at most a half, k times: drawn at random, with groups and equal
// samples as in Folds, in the order in which they were drawn. A draw of which whole groups hold out more than half of
// the samples is left out.
//
// Where the samples are in time order they are divided into 1/share blocks, k+1 at least, and the last k of them are held
// out and predicted from all before them, the last one first.
//
// There are fewer than k where the samples do not suffice, and none if a share of them is not one.
func (d *Dataset) HoldOut(k int, share float64, rng *rand.Rand) []Fold {
	n := d.Len()
	if d.Ordered {
		k = min(k, n-1)
		return d.blocks(max(k+1, int(math.Round(1/share))), k)
	}
	held := int(math.Round(share * float64(n)))
	if held < 1 {
		return nil
	}
	draw := d.shuffler(true)
	var folds []Fold
	for range k {
		order, lead := draw(rng)
		end := held
		for end < n && lead[end] < held {
			end++
		}
		if 2*end <= n {
			folds = append(folds, Fold{Train: order[end:], Held: order[:end]})
		}
	}
	return folds
}

// HeldToTrain returns the number of samples held out over that of training samples, of all folds together.
func HeldToTrain(folds []Fold) float64 {
	held, train := 0, 0
	for _, f := range folds {
		held, train = held+len(f.Held), train+len(f.Train)
	}
	return float64(held) / float64(train)
}

// blocks divides the samples, in their order, into blocks of nearly equal size, and holds out the last k of them, fewer
// than blocks, each after all before it. The last block comes first, since its training samples are nearest in number
// to the whole.
func (d *Dataset) blocks(blocks, k int) []Fold {
	n := d.Len()
	if n < blocks {
		return nil
	}
	order := inOrder(n)
	folds := make([]Fold, k)
	for f := range folds {
		start, end := (blocks-1-f)*n/blocks, (blocks-f)*n/blocks
		folds[f] = Fold{Train: order[:start:start], Held: order[start:end]}
	}
	return folds
}
