package tune

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
)

// foldStream separates the random stream of the folds from the others drawn from
// the same seed.
const foldStream = 0x666f6c6473 // "folds"

// fold is a division of the training part: samples to train on and samples to
// measure on, in ascending order.
type fold struct{ train, test []int }

// divide returns the folds of every repeat, one repeat after the other.
func (o Options) divide(d *data.Dataset, seed uint64) ([]fold, error) {
	if o.Split == splitChronological {
		return chronologicalFolds(d, o.Folds)
	}
	var all []fold
	for repeat := range o.Repeats {
		folds, err := randomFolds(d, o.Folds, seed, repeat)
		if err != nil {
			return nil, err
		}
		all = append(all, folds...)
	}
	return all, nil
}

// randomFolds divides the samples into k folds of nearly equal size. Samples that
// repeat another one exactly stay with it, and so do those of a group.
func randomFolds(d *data.Dataset, k int, seed uint64, repeat int) ([]fold, error) {
	units := unitsOf(d)
	if len(units) < k {
		return nil, &data.Error{Message: fmt.Sprintf("%d folds of %d different samples or groups: set tune.folds to at most %d", k, len(units), len(units))}
	}
	rng := rand.New(rand.NewPCG(seed, foldStream+uint64(repeat)))
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
	folds := make([]fold, k)
	for f := range folds {
		for g, rows := range members {
			if g == f {
				folds[f].test = slices.Sorted(slices.Values(rows))
			} else {
				folds[f].train = append(folds[f].train, rows...)
			}
		}
		slices.Sort(folds[f].train)
	}
	return folds, nil
}

// chronologicalFolds divides the samples, in their order, into k+1 blocks: each
// but the first is predicted from all before it. The last block comes first, since
// its training samples are nearest in number to the whole part.
func chronologicalFolds(d *data.Dataset, k int) ([]fold, error) {
	n := d.Len()
	if n < k+1 {
		return nil, &data.Error{Message: fmt.Sprintf("%d folds of %d samples in time order: set tune.folds to at most %d", k, n, n-1)}
	}
	if d.Groups != nil {
		return nil, &data.Error{Message: "groups do not go with folds in time order: set tune.split to random, or leave data.group out"}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	folds := make([]fold, k)
	for f := range folds {
		start, end := (k-f)*n/(k+1), (k-f+1)*n/(k+1)
		folds[f] = fold{order[:start], order[start:end]}
	}
	return folds, nil
}

// unitsOf returns the samples in sets that must not be divided: equal samples and
// groups, in order of their first sample.
func unitsOf(d *data.Dataset) [][]int {
	leader := make([]int, d.Len()) // a tree per unit, its root the first sample
	root := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	join := func(i, j int) {
		a, b := root(i), root(j)
		leader[max(a, b)] = min(a, b)
	}
	equal, group := map[string]int{}, map[int]int{}
	for i := range leader {
		leader[i] = i
		if first, ok := equal[keyOf(d, i)]; ok {
			join(first, i)
		} else {
			equal[keyOf(d, i)] = i
		}
		if d.Groups == nil {
			continue
		}
		if first, ok := group[d.Groups[i]]; ok {
			join(first, i)
		} else {
			group[d.Groups[i]] = i
		}
	}
	at := map[int]int{}
	var units [][]int
	for i := range leader {
		r := root(i)
		if _, ok := at[r]; !ok {
			at[r] = len(units)
			units = append(units, nil)
		}
		units[at[r]] = append(units[at[r]], i)
	}
	return units
}

// duplicates counts the samples that repeat an earlier one exactly, the target
// included.
func duplicates(d *data.Dataset) int {
	seen := map[string]bool{}
	for i := range d.Y {
		seen[keyOf(d, i)] = true
	}
	return d.Len() - len(seen)
}

// keyOf is the bits of a sample.
func keyOf(d *data.Dataset, i int) string {
	key := make([]byte, 0, 8*(len(d.X[i])+1))
	for _, v := range d.X[i] {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
	}
	return string(binary.LittleEndian.AppendUint64(key, math.Float64bits(d.Y[i])))
}
