package data

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/internal/data/table"
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
	sorted := inOrder(d.Len())
	slices.SortFunc(sorted, func(i, j int) int { return cmp.Or(compareSamples(d, i, j), i-j) })
	for at := 1; at < len(sorted); at++ {
		if i, j := sorted[at-1], sorted[at]; compareSamples(d, i, j) == 0 {
			found(i, j)
		}
	}
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

// divide marks the samples in their order, or in a random one if they are not Ordered: the first for training, the next
// for validation, the rest for test. Shares that both round up may make one too many; then validation has one less.
// Samples of a unit, with equal samples or without (see units), have the mark of the first of them.
func divide(d *Dataset, equal bool, rng *rand.Rand, train, validation int) []table.Mark {
	if train >= d.Len() { // no order matters
		return slices.Repeat([]table.Mark{table.InTrain}, d.Len())
	}
	order := inOrder(d.Len())
	lead := d.instants()
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

// instants returns the first sample of the time of each, of samples in time order; without a clock each has its own.
func (d *Dataset) instants() []int {
	first := inOrder(d.Len())
	if d.Clock == nil {
		return first
	}
	for i := 1; i < len(first); i++ {
		if d.Clock.Steps[d.Rows[i]-1] == d.Clock.Steps[d.Rows[i-1]-1] {
			first[i] = first[i-1]
		}
	}
	return first
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

// Twins reports which samples of d have a twin in another Dataset of the same features: a sample in which every
// feature is equal. Missing features equal one another, and 0 equals -0; targets, weights and groups are not compared.
// The cost is sorting the samples of the other Dataset, N log N comparisons of rows and N integers.
func Twins(d, other *Dataset) []bool {
	sorted := inOrder(other.Len())
	slices.SortFunc(sorted, func(i, j int) int { return slices.Compare(other.X[i], other.X[j]) })
	twins := make([]bool, d.Len())
	for i, row := range d.X {
		_, twins[i] = slices.BinarySearchFunc(sorted, row, func(j int, row []float64) int { return slices.Compare(other.X[j], row) })
	}
	return twins
}
