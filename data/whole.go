package data

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// ingested is a part of an ingested table, a [Whole].
type ingested struct {
	*ingest
	*shard
	name string
}

// Len, Weight, Features, Targets, ClassWeights, Buckets, Bucket and Fingerprint make ingested a [Whole].
func (p *ingested) Len() int        { return p.n }
func (p *ingested) Weight() float64 { return p.weight }

func (p *ingested) Features() []Moments { return p.moments.of(0, len(p.rows.Features)) }

func (p *ingested) Targets() []Moments {
	if p.schema.Classes != nil {
		return make([]Moments, 1)
	}
	F := len(p.rows.Features)
	return p.moments.of(F, F+len(p.rows.Targets))
}

func (p *ingested) ClassWeights() []float64 {
	if p.schema.Classes == nil {
		return nil
	}
	sums := make([]float64, len(p.schema.Classes))
	_, weights := p.moments.tallied(len(p.rows.Features))
	for n, weight := range weights {
		if weight > 0 {
			sums[p.classOf(float64(n))] += weight
		}
	}
	return sums
}

func (p *ingested) Buckets() int { return p.count }

func (p *ingested) Bucket(i int) (*Dataset, error) {
	values, err := p.store.Read(p.first+i, nil)
	if err != nil {
		return nil, storeFault(err)
	}
	K := len(p.rows.Columns())
	n := len(values) / K
	if n == 0 {
		return nil, nil
	}
	return p.dataset(n, func(i int) []float64 { return values[i*K : (i+1)*K : (i+1)*K] }), nil
}

func (p *ingested) Fingerprint() string {
	return fmt.Sprintf("%d rows of the %s part, %s", p.n, p.name, p.store.Sum())
}

// part returns the sample of a part; nil if the part has no rows.
func (g *ingest) part(at int, name string) *Dataset {
	s := g.shards[at]
	if s.n == 0 {
		return nil
	}
	rows := s.sample.with(s.classes)
	d := g.dataset(len(rows), func(i int) []float64 { return rows[i].values })
	d.table = &original{header: g.header}
	for _, row := range rows {
		d.Rows = append(d.Rows, row.row)
		d.table.records = append(d.table.records, row.record)
		if g.rows.Group >= 0 && !d.Ordered {
			d.Groups = append(d.Groups, row.member)
		}
	}
	switch {
	case g.blanks && at == testShard:
		d.Missing.Policy = table.MissingMean
	case g.blanks:
		d.Missing = table.Missing{Policy: table.MissingError}
	}
	if s.n > len(rows) {
		d.Whole = &ingested{ingest: g, shard: s, name: name}
	}
	return d
}

// parts returns the parts, whose Close removes the scratch file.
func (g *ingest) parts() (*Parts, error) {
	if err := g.check(); err != nil {
		return nil, errors.Join(err, g.store.Close())
	}
	return &Parts{
		Train: g.part(trainShard, "train"), Calibration: g.part(calibrationShard, "calibration"),
		Validation: g.part(validationShard, "validation"), Test: g.part(testShard, "test"), stores: []io.Closer{g.store},
	}, nil
}

// check refuses a training part without rows, or one that lacks a class or all values of a column.
func (g *ingest) check() error {
	if g.assign.fixed != nil {
		return nil
	}
	train := g.shards[trainShard]
	switch {
	case train.n == 0:
		return table.Faultf("", "no row of %d is left for training: give more rows, or a larger data.train", g.kept)
	case g.assign.Calibration > 0 && g.shards[calibrationShard].n == 0:
		return table.Faultf("", "data.calibration: %v of %d training rows leaves nothing to train on or to calibrate with",
			g.assign.Calibration, train.n)
	}
	if c := train.moments.empty(0, len(g.rows.Features)); c != "" {
		return table.Faultf("", "the train part: column %s has no value in any row: ignore it (data.ignore)", escape.Quote(c))
	}
	if lost := g.lostClass(); lost != "" {
		return table.Faultf("",
			"the train part has no row of the class %s: give it some (data.split, data.train), or leave the rows of the class out",
			escape.Quote(lost))
	}
	return nil
}

// lostClass returns a class without a training row; empty if there is none.
func (g *ingest) lostClass() string {
	weights := (&ingested{ingest: g, shard: g.shards[trainShard]}).ClassWeights()
	for k, w := range weights {
		if !(w > 0) {
			return g.schema.Classes[k]
		}
	}
	return ""
}

// Sampled returns a data set of more than SampleRows samples as a uniform random sample of them whose Whole is d in memory, as
// Source.Load returns the parts of a large table; it returns d itself if it has no more, or has a Whole. The sample has a row of each
// class. The samples of d must have positive weight, see [Dataset.Weighed].
func (d *Dataset) Sampled(seed uint64) *Dataset {
	if d.Len() <= SampleRows || d.Whole != nil {
		return d
	}
	chosen, classes := reservoir{most: SampleRows}, witnesses{}
	for i, y := range d.Y {
		row := sampledRow{hash: rowHash(seed, sampleStream, uint64(i+1)), row: i}
		if chosen.admits(row.hash) {
			chosen.add(row)
		}
		if d.Schema.Classes != nil && classes.lack(int(y), row.hash) {
			classes[int(y)] = row
		}
	}
	var rows []int
	for _, row := range chosen.with(classes) {
		rows = append(rows, row.row)
	}
	s := d.Subset(rows)
	s.Whole = newInMemory(d, seed, inOrder(d.Len()), 1)
	return s
}

// inMemory is the [Whole] of a data set in memory.
type inMemory struct {
	data    *Dataset
	buckets [][]int // the samples of each
	moments *statistics
	classes []float64
}

// newInMemory returns the Whole of a data set, whose samples lie in buckets by the hashes of their numbers from a first one, as those of an
// ingested table.
func newInMemory(d *Dataset, seed uint64, numbers []int, first int) *inMemory {
	w := &inMemory{data: d, buckets: make([][]int, trainBuckets)}
	for i, n := range numbers {
		b := rowHash(seed, bucketStream, uint64(first+n)) % trainBuckets
		w.buckets[b] = append(w.buckets[b], i)
	}
	w.measure()
	return w
}

// measure computes the moments.
func (w *inMemory) measure() {
	d := w.data
	numeric := make([]*table.Coder, d.width()+1+len(d.Others))
	for k := range numeric {
		numeric[k] = &table.Coder{Column: table.NewColumn("", "", nil, false)}
	}
	w.moments = newStatistics(numeric, false)
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

// described is the [Whole] of a sample that stands for more rows than there are: its rows are those of the sample, but the moments of
// features and targets those of all rows.
type described struct {
	inMemory
	all Whole // without buckets
}

// describedBy returns the Whole of a sample.
func describedBy(d *Dataset, all Whole, seed uint64) *described {
	sample := *d
	sample.table, sample.Whole = nil, nil
	return &described{*newInMemory(&sample, seed, d.Rows, 0), all}
}

// Features, Targets and Fingerprint replace those of inMemory.
func (w *described) Features() []Moments { return w.all.Features() }
func (w *described) Targets() []Moments  { return w.all.Targets() }

func (w *described) Fingerprint() string {
	return fmt.Sprintf("%s of %d rows %v %v", w.inMemory.Fingerprint(), w.all.Len(), w.Features(), w.Targets())
}
