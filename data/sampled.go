package data

import (
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"slices"
)

// sample returns the sample of [Dataset.Sampled].
func sample(d *Dataset, seed uint64) *Dataset {
	w := &inMemory{data: d, buckets: make([][]int, trainBuckets)}
	chosen, classes := reservoir{most: SampleRows}, map[int]sampledRow{}
	for i := range d.Y {
		row := sampledRow{hash: rowHash(seed, sampleStream, uint64(i+1)), row: i}
		if chosen.admits(row.hash) {
			chosen.add(row)
		}
		if d.Schema.Classes != nil {
			k := int(d.Y[i])
			if known, ok := classes[k]; !ok || row.hash < known.hash {
				classes[k] = row
			}
		}
		b := rowHash(seed, bucketStream, uint64(i+1)) % trainBuckets
		w.buckets[b] = append(w.buckets[b], i)
	}
	w.measure()
	var rows []int
	for _, row := range chosen.with(classes) {
		rows = append(rows, row.row)
	}
	s := d.Subset(rows)
	s.Whole = w
	return s
}

// inMemory is the [Whole] of a data set in memory.
type inMemory struct {
	data    *Dataset
	buckets [][]int // the samples of each
	moments *accumulator
	classes []float64
}

// measure computes the moments.
func (w *inMemory) measure() {
	d := w.data
	numeric := make([]*table.Coder, d.width()+1+len(d.Others))
	for k := range numeric {
		numeric[k] = &table.Coder{Column: table.Column{Encoding: table.Numeric}}
	}
	w.moments = newAccumulator(numeric)
	if K := len(d.Schema.Classes); K > 0 {
		w.classes = make([]float64, K)
	}
	values := make([]float64, len(numeric))
	for i, x := range d.X {
		row := append(append(values[:0], x...), d.Y[i])
		for _, other := range d.Others {
			row = append(row, other[i])
		}
		weight := at(d.Weights, i)
		w.moments.add(row, weight)
		if w.classes != nil {
			w.classes[int(d.Y[i])] += weight
		}
	}
	w.moments.flush()
}

// Len, Weight, Features, Targets, ClassWeights, Buckets, Bucket and Fingerprint make inMemory a [Whole].
func (w *inMemory) Len() int { return w.data.Len() }

func (w *inMemory) Weight() (sum float64) {
	for i := range w.data.Y {
		sum += at(w.data.Weights, i)
	}
	return sum
}

func (w *inMemory) Features() []Moments { return w.moments.of(0, w.data.width()) }

func (w *inMemory) Targets() []Moments {
	if w.classes != nil {
		return make([]Moments, 1)
	}
	return w.moments.of(w.data.width(), len(w.moments.columns))
}

func (w *inMemory) ClassWeights() []float64 { return slices.Clone(w.classes) }
func (w *inMemory) Buckets() int            { return len(w.buckets) }

func (w *inMemory) Bucket(i int) (*Dataset, error) {
	if len(w.buckets[i]) == 0 {
		return nil, nil
	}
	return w.data.Subset(w.buckets[i]), nil
}

func (w *inMemory) Fingerprint() string {
	all := *w.data
	all.Whole = nil
	return fmt.Sprintf("%s in memory", all.Fingerprint())
}
