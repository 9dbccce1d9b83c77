package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"math/rand/v2"
	"slices"
)

// divide marks the samples in their order, or in a random one if they are not Ordered: the first for training, the next
// for validation, the rest for test. Shares that both round up may make one too many; then validation has one less.
// Samples of a unit, with equal samples or without (see units), have the mark of the first of them.
func divide(d *Dataset, equal bool, rng *rand.Rand, train, validation int) []table.Mark {
	if train >= d.Len() { // no order matters
		return slices.Repeat([]table.Mark{table.InTrain}, d.Len())
	}
	order := inOrder(d.Len())
	lead := order
	if !d.Ordered {
		order, lead = shuffler(d, equal)(rng)
	}
	marks := make([]table.Mark, len(order))
	for i, row := range order {
		switch at := lead[i]; {
		case at < train:
			marks[row] = table.InTrain
		case at < train+validation:
			marks[row] = table.InValidation
		default:
			marks[row] = table.InTest
		}
	}
	return marks
}

// inOrder returns the samples as they stand.
func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// shuffler returns a function that draws the samples in a random order that has each unit, with equal samples or without, in
// one piece; and for each place in that order the place of the first sample of its unit. Equal samples go where the first of
// them is drawn, so that they leave the others where they would be without them. Where d is stratified, every beginning of the
// order has the shares of the classes.
func shuffler(d *Dataset, equal bool) func(*rand.Rand) (order, lead []int) {
	drawn := units(d, false)
	whole := make([][]int, d.Len()) // units, by their first sample
	for _, u := range units(d, equal) {
		whole[u[0]] = u
	}
	return func(rng *rand.Rand) (order, lead []int) {
		draws := rng.Perm(len(drawn))
		if stratified(d) {
			inShares(d, draws) // without groups, what is drawn are the samples
		}
		for _, u := range draws {
			first := len(order)
			for _, i := range whole[drawn[u][0]] {
				order, lead = append(order, i), append(lead, first)
			}
		}
		return order, lead
	}
}
