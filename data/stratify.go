package data

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// stratified reports whether random parts of d keep the shares of its classes. Whole groups do not allow it.
func stratified(d *Dataset) bool { return d.Schema.Classes != nil && d.Groups == nil }

// inShares reorders samples, of each class in their order, so that every beginning of the order has the shares of the
// classes: sample j of n in a class, from 0, comes at (j+1/2)/n, as seats are awarded in the method of Webster and Sainte-Lague.
// Ties keep their order.
func inShares(d *Dataset, order []int) {
	counts := make([]int, len(d.Schema.Classes))
	place := make([]int, d.Len()) // 2j+1
	for _, i := range order {
		k := int(d.Y[i])
		place[i] = 2*counts[k] + 1
		counts[k]++
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(place[i]*counts[int(d.Y[j])], place[j]*counts[int(d.Y[i])])
	})
}

// Draw returns n different samples of d, at most all, at random and in ascending order, with the shares of its classes. n must
// not be negative.
func Draw(d *Dataset, n int, rng *rand.Rand) []int {
	order := rng.Perm(d.Len())
	if d.Schema.Classes != nil {
		inShares(d, order)
	}
	rows := order[:min(n, len(order))]
	slices.Sort(rows)
	return rows
}

// lostClass returns a class that d has and some of its samples have not; empty if there is none.
func lostClass(d *Dataset, some []int) string {
	if d.Schema.Classes == nil {
		return ""
	}
	has := make([]bool, len(d.Schema.Classes))
	for _, i := range some {
		has[int(d.Y[i])] = true
	}
	for _, y := range d.Y {
		if !has[int(y)] {
			return d.Schema.Classes[int(y)]
		}
	}
	return ""
}
