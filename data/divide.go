package data

import "math/rand/v2"

// divide marks the samples in order, or in the order of a random permutation: the first for training, the next for
// validation, the rest for test. Shares that both round up may make one too many; then validation has one less.
func (d *Dataset) divide(sp Split, stream uint64, train, validation int) []mark {
	order, lead := d.order(sp, stream)
	marks := make([]mark, d.Len())
	for i, row := range order {
		switch at := lead[i]; {
		case at < train:
			marks[row] = inTrain
		case at < train+validation:
			marks[row] = inValidation
		default:
			marks[row] = inTest
		}
	}
	return marks
}

// order returns the samples in order, or in a random one that has each group in one piece; and for each place in
// that order the place of the first sample of its group.
func (d *Dataset) order(sp Split, stream uint64) (order, lead []int) {
	n := d.Len()
	lead = make([]int, n)
	for i := range lead {
		lead[i] = i
	}
	if sp.Kind == splitChronological {
		return lead, lead
	}
	rng := rand.New(rand.NewPCG(sp.Seed, stream))
	if d.Groups == nil {
		return rng.Perm(n), lead
	}
	var members [][]int
	number := map[int]int{} // of each group, in order of appearance
	for row, g := range d.Groups {
		if _, known := number[g]; !known {
			number[g] = len(members)
			members = append(members, nil)
		}
		members[number[g]] = append(members[number[g]], row)
	}
	for _, g := range rng.Perm(len(members)) {
		for i := range members[g] {
			lead[len(order)+i] = len(order)
		}
		order = append(order, members[g]...)
	}
	return order, lead
}
