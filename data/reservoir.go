package data

import (
	"cmp"
	"container/heap"
	"slices"
)

// sampledRow is a row of a sample.
type sampledRow struct {
	hash   uint64
	row    int       // number in the table, from 1
	values []float64 // [K]
	member int       // number of the group
	record string    // the row as it stands
}

// reservoir keeps the rows of least hash, at most a number of them: a uniform random sample, whatever the order of the rows.
type reservoir struct {
	most int
	rows byHash
}

// admits reports whether a row of the hash belongs to the sample of the rows so far.
func (r *reservoir) admits(hash uint64) bool { return len(r.rows) < r.most || hash < r.rows[0].hash }

// add adds a row that the sample admits. It keeps a copy of the values.
func (r *reservoir) add(s sampledRow) {
	if len(r.rows) < r.most {
		s.values = slices.Clone(s.values)
		heap.Push(&r.rows, s)
		return
	}
	s.values = append(r.rows[0].values[:0], s.values...)
	r.rows[0] = s
	heap.Fix(&r.rows, 0)
}

// sorted returns the sample in the order of the table, and forgets it.
func (r *reservoir) sorted() []sampledRow {
	rows := r.rows
	r.rows = nil
	slices.SortFunc(rows, func(a, b sampledRow) int { return cmp.Compare(a.row, b.row) })
	return rows
}

// byHash is a heap whose first row has the largest hash.
type byHash []sampledRow

func (h byHash) Len() int           { return len(h) }
func (h byHash) Less(i, j int) bool { return h[i].hash > h[j].hash }
func (h byHash) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byHash) Push(s any)        { *h = append(*h, s.(sampledRow)) }
func (h *byHash) Pop() any {
	last := len(*h) - 1
	s := (*h)[last]
	*h = (*h)[:last]
	return s
}
