package numeric

// Outvoted returns the indices, from 0 to n-1, of the results outside the largest group of results that
// agree with one another, directly or by others; nil if no group is the largest.
func Outvoted(n int, agree func(i, j int) bool) []int {
	group, size := make([]int, n), make([]int, n)
	for i := range n {
		group[i] = i
	}
	for i := range n {
		for j := range i {
			if from, to := group[i], group[j]; from != to && agree(j, i) {
				for k, g := range group {
					if g == from {
						group[k] = to
					}
				}
			}
		}
	}
	for _, g := range group {
		size[g]++
	}
	largest, tie := 0, false
	for g, s := range size {
		if s > size[largest] {
			largest = g
		}
	}
	for g, s := range size {
		tie = tie || g != largest && s == size[largest]
	}
	var out []int
	for i, g := range group {
		if !tie && g != largest {
			out = append(out, i)
		}
	}
	return out
}
