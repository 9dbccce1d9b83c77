package data

import (
	"errors"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/base/escape"
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

// classOf returns the index of the class of a level of the target.
func (g *ingest) classOf(level float64) int {
	if g.class == nil {
		return int(level)
	}
	return int(g.class[int(level)])
}

// dataset returns n rows of values [K]; where the features are plain it shares them.
func (g *ingest) dataset(n int, row func(i int) []float64) *Dataset {
	r, F, C := g.rows, len(g.rows.Features), len(g.rows.Targets)
	d := &Dataset{Schema: g.schema, Y: make([]float64, n), Ordered: g.assign.Kind == splitChronological, Missing: r.Missing, Commas: g.commas, Weightless: r.Weightless}
	for range C - 1 {
		d.Others = append(d.Others, make([]float64, n))
	}
	plain := r.Plain()
	if plain {
		d.X = make([][]float64, n)
	} else {
		d.X = matrix(n, r.Width())
	}
	for i := range n {
		values := row(i)
		if plain {
			d.X[i] = values[:F:F]
		} else {
			r.Encode(d.X[i], values[:F])
		}
		if d.Y[i] = values[F]; g.schema.Classes != nil {
			d.Y[i] = float64(g.classOf(values[F]))
		}
		for c := range d.Others {
			d.Others[c][i] = values[F+1+c]
		}
		if r.Weight != nil {
			d.Weights = append(d.Weights, values[F+C])
		}
	}
	return d
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
		return table.Faultf("", "data.calibration: %v of %d training rows leaves nothing to train on or to calibrate with", g.assign.Calibration, train.n)
	}
	if c := train.moments.empty(0, len(g.rows.Features)); c != "" {
		return table.Faultf("", "the train part: column %s has no value in any row: ignore it (data.ignore)", escape.Quote(c))
	}
	if lost := g.lostClass(); lost != "" {
		return table.Faultf("", "the train part has no row of the class %s: give it some (data.split, data.train), or leave the rows of the class out", escape.Quote(lost))
	}
	return nil
}

// lostClass returns a class without a training row; empty if there is none.
func (g *ingest) lostClass() string {
	if g.schema.Classes == nil {
		return ""
	}
	weights := (&ingested{ingest: g, shard: g.shards[trainShard]}).ClassWeights()
	for k, w := range weights {
		if !(w > 0) {
			return g.schema.Classes[k]
		}
	}
	return ""
}
