package data

import (
	"cmp"
	"slices"
)

// units returns the samples in sets that must not be divided, in the order of their first samples: the groups, and with
// equal also the samples that equal one another. A group with a sample that equals one of another group forms one set with it.
func units(d *Dataset, equal bool) [][]int {
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
	first := map[int]int{} // the first sample of each group
	for i := range leader {
		leader[i] = i
		if d.Groups == nil {
			continue
		}
		if _, known := first[d.Groups[i]]; !known {
			first[d.Groups[i]] = i
		}
		join(first[d.Groups[i]], i)
	}
	if equal {
		eachEqual(d, join)
	}
	at := make([]int, d.Len()) // of a root: its place in all
	var all [][]int
	for i := range leader {
		r := root(i)
		if r == i {
			at[i] = len(all)
			all = append(all, nil)
		}
		all[at[r]] = append(all[at[r]], i)
	}
	return all
}

// eachEqual calls found with each pair of neighbours among samples that are equal, the earlier one first.
func eachEqual(d *Dataset, found func(i, j int)) {
	sorted := sortedSamples(d)
	for at := 1; at < len(sorted); at++ {
		if i, j := sorted[at-1], sorted[at]; compareSamples(d, i, j) == 0 {
			found(i, j)
		}
	}
}

// sortedSamples returns the samples in the order of compareSamples, equal ones in their order.
func sortedSamples(d *Dataset) []int {
	order := inOrder(d.Len())
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(compareSamples(d, i, j), i-j) })
	return order
}

// compareSamples orders samples by targets, then by features. Equal samples agree in both: the same features with another
// target are a separate measurement. Weights are ignored.
func compareSamples(d *Dataset, i, j int) int {
	if c := cmp.Compare(d.Y[i], d.Y[j]); c != 0 {
		return c
	}
	for _, values := range d.Others {
		if c := cmp.Compare(values[i], values[j]); c != 0 {
			return c
		}
	}
	return slices.Compare(d.X[i], d.X[j])
}

// Duplicates counts the samples of d that equal an earlier one, the target included.
func Duplicates(d *Dataset) int {
	n := 0
	eachEqual(d, func(int, int) { n++ })
	return n
}
