package export

import "reflect"

// Formulas returns the first member of each group of members that have the same formulas, and the
// index of the group of each member.
func Formulas(members []Member) (first []*Member, group []int) {
	for i := range members {
		m := &members[i]
		at := 0
		for at < len(first) && !sameFormulas(m, first[at]) {
			at++
		}
		if at == len(first) {
			first = append(first, m)
		}
		group = append(group, at)
	}
	return first, group
}

func sameFormulas(a, b *Member) bool {
	return a.LogSpace == b.LogSpace && reflect.DeepEqual(a.Grade, b.Grade) && reflect.DeepEqual(a.Join, b.Join) && reflect.DeepEqual(a.Weight, b.Weight)
}
