package data

import "fmt"

// described is the [Whole] of a sample that stands for more rows than there are: its rows are those of the sample, but the moments of
// features and targets those of all rows.
type described struct {
	inMemory
	all Whole // without buckets
}

// describedBy returns the Whole of a sample. Its rows lie in buckets by the hashes of their numbers, as those of an ingested table.
func describedBy(d *Dataset, all Whole, seed uint64) *described {
	sample := *d
	sample.table, sample.Whole = nil, nil
	w := &described{inMemory{data: &sample, buckets: make([][]int, trainBuckets)}, all}
	for i, row := range d.Rows {
		b := rowHash(seed, bucketStream, uint64(row)) % trainBuckets
		w.buckets[b] = append(w.buckets[b], i)
	}
	w.measure()
	return w
}

// Features, Targets and Fingerprint replace those of inMemory.
func (w *described) Features() []Moments { return w.all.Features() }
func (w *described) Targets() []Moments  { return w.all.Targets() }

func (w *described) Fingerprint() string {
	return fmt.Sprintf("%s of %d rows %v %v", w.inMemory.Fingerprint(), w.all.Len(), w.Features(), w.Targets())
}
