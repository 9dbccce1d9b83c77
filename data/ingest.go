package data

import (
	"cmp"
	"context"
	"errors"
	"os"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/buckets"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// samples makes data sets of the rows of a table. A row has values [K] as its columns give them: features, targets and weight. The
// levels of columns and classes are known after the last row.
type samples struct {
	*table.Reading
	rows    *table.Rows
	ordered bool // see Dataset.Ordered

	schema table.Schema // these are set by conclude
	class  []float64    // index of each level of the target; nil: the levels are the classes
	commas []string
}

// conclude fixes the levels of the columns after the last row; counts are the rows of each level of the first target.
func (s *samples) conclude(counts []int) (err error) {
	if s.commas, err = table.WithCommas(s.rows.Decimals()); err != nil {
		return err
	}
	var columns []table.Column
	for _, c := range s.rows.Features {
		if c.Finish(); c.Limits != nil && !c.Numbers() {
			return table.KeyFault("data.limits", "column %s has categories, and not numbers", escape.Quote(c.Name))
		}
		columns = append(columns, c.Column)
	}
	s.schema, s.class, err = s.Describe(s.rows, columns, counts)
	return err
}

// classOf returns the index of the class of a level of the target.
func (s *samples) classOf(level float64) int {
	if s.class == nil {
		return int(level)
	}
	return int(s.class[int(level)])
}

// dataset returns n rows of values [K]; where the features are plain it shares them.
func (s *samples) dataset(n int, row func(i int) []float64) *Dataset {
	r, F, C := s.rows, len(s.rows.Features), len(s.rows.Targets)
	d := &Dataset{Schema: s.schema, Y: make([]float64, n), Ordered: s.ordered, Missing: r.Missing, Commas: s.commas, Weightless: r.Weightless}
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
		if d.Y[i] = values[F]; s.schema.Classes != nil {
			d.Y[i] = float64(s.classOf(values[F]))
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

// Buckets of a part: those of the training part are small, so that a training that visits few of them sees random rows.
const (
	trainBuckets = 256
	heldBuckets  = 64
)

// The places of the parts among the shards of an ingest.
const (
	trainShard = iota
	calibrationShard
	validationShard
	testShard
	shardCount
)

// ingest reads a table of more than SampleRows rows in one pass: each row is assigned to a part, and goes to a random bucket of
// its store, to the moments of its part and, by chance, to its sample. Rows are kept as table.Coder.Value gives them, since the levels
// of a column are known after the last row only.
type ingest struct {
	samples
	assign  assignment
	store   *buckets.Store // nil: the rows are not kept
	shards  [shardCount]*shard
	members []reservoir // of the rows of each member of a committee, of the training part
	records *table.Recorder
	header  string
	kept    int       // rows
	values  []float64 // [K] of the current row: features, targets and weight

	blanks bool // of the test part, under Missing error
}

// shard is a part of an ingest.
type shard struct {
	first, count int // its buckets in the store
	n            int
	weight       float64
	sample       reservoir
	moments      *statistics
	classes      witnesses
}

// newIngest prepares to ingest a table without a store.
func newIngest(re *table.Reading, r *table.Rows, a assignment) *ingest {
	g := &ingest{samples: samples{Reading: re, rows: r, ordered: a.Kind == splitChronological}, assign: a, records: table.NewRecorder(r.T)}
	g.header = g.records.Header(r.T)
	columns, first := r.Columns(), 0
	for i := range g.shards {
		s := &shard{first: first, count: heldBuckets, sample: reservoir{most: SampleRows}, moments: newStatistics(columns, false),
			classes: witnesses{}}
		if i == trainShard {
			s.count = trainBuckets
		}
		first += s.count
		g.shards[i] = s
	}
	return g
}

// defaultMemory is Options.Memory if that is 0.
const defaultMemory = 1 << 30

// keep makes the store of the rows, in memory up to half of that of the options.
func (g *ingest) keep(o table.Options) (err error) {
	g.store, err = buckets.New(buckets.Options{
		Columns: len(g.rows.Columns()), Buckets: trainBuckets + (shardCount-1)*heldBuckets,
		Memory: cmp.Or(o.Memory, defaultMemory) / 2, Dir: cmp.Or(o.Scratch, os.TempDir()),
	})
	return storeFault(err)
}

// run ingests all rows.
func (g *ingest) run(ctx context.Context) error {
	if err := g.read(ctx); err != nil {
		return err
	}
	return g.finish()
}

// read reads and adds all rows.
func (g *ingest) read(ctx context.Context) error {
	err := g.rows.Each(ctx, g.add)
	for _, s := range g.shards {
		s.moments.flush()
	}
	return err
}

// add adds the current row.
func (g *ingest) add() error {
	r := g.rows
	g.values = append(append(g.values[:0], r.Raw...), r.Y...)
	values := g.values
	at, err := g.place(values)
	if err != nil {
		return err
	}
	weight := 1.0
	if r.Weight != nil {
		weight = r.W
		values = append(values, weight)
	}
	s, row := g.shards[at], uint64(r.T.Row)
	s.n++
	s.weight += weight
	s.moments.add(values, weight)
	new := sampledRow{hash: rowHash(g.assign.Seed, sampleStream, row), row: r.T.Row, values: values, member: r.Member}
	if s.sample.admits(new.hash) {
		new.record = g.records.Kept(r.T)
		s.sample.add(new)
	}
	if class := int(r.Y[0]); !r.Targets[0].Numbers() && s.classes.lack(class, new.hash) {
		one := new
		one.values, one.record = append(s.classes[class].values[:0], values...), g.records.Kept(r.T)
		s.classes[class] = one
	}
	if at == trainShard && g.members != nil {
		if m := &g.members[rowHash(g.assign.Seed, memberStream, g.assign.key(r))%uint64(len(g.members))]; m.admits(new.hash) {
			new.record = ""
			m.add(new)
		}
	}
	if g.kept++; g.store == nil {
		return nil
	}
	bucket := int(rowHash(g.assign.Seed, bucketStream, row) % uint64(s.count))
	return storeFault(g.store.Add(s.first+bucket, values))
}

// place returns the part of the current row. A missing cell that its part may not have is an error.
func (g *ingest) place(values []float64) (int, error) {
	r := g.rows
	if g.assign.listed != nil {
		delete(r.Late, r.T.Row) // judged before
		return g.assign.listed[r.T.Row], nil
	}
	m := g.assign.mark(g.kept, r)
	if fault := r.Late[r.T.Row]; fault != nil {
		if m != table.InTest {
			return 0, fault
		}
		delete(r.Late, r.T.Row)
		g.blanks = true
	}
	switch {
	case m == table.InTest:
		return testShard, nil
	case m == table.InValidation:
		return validationShard, nil
	case g.assign.calibrates(g.kept, r, values):
		return calibrationShard, nil
	}
	return trainShard, nil
}

// finish fixes the levels of the columns, and checks the training part.
func (g *ingest) finish() (err error) {
	if g.store != nil {
		if err := storeFault(g.store.Finish()); err != nil {
			return err
		}
	}
	F := len(g.rows.Features)
	counts := make([]int, len(g.rows.Targets[0].Levels))
	for _, s := range g.shards {
		tallied, _ := s.moments.tallied(F)
		for n, count := range tallied {
			counts[n] += count
		}
	}
	return g.conclude(counts)
}

// storeFault returns an error of the store, as an *Error if the rows in the scratch file are damaged.
func storeFault(err error) error {
	if errors.Is(err, buckets.ErrDamaged) {
		return &table.Error{Message: err.Error(), Err: err}
	}
	return err
}
