package fit

import (
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/shard"
)

func init() {
	beam.RegisterType(reflect.TypeFor[element]())
	register.DoFn4x0[int, []byte, func(int, []byte), func(int, []byte)](&partFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(element), error](&gatherFn{})
	register.Emitter1[element]()
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
}

// element is what one worker does: the encoded task of a shard, or a member of a committee with what the shards contribute to it.
type element struct {
	Index int
	Work  []byte
}

// Number spreads elements over workers.
func (e element) Number() int { return e.Index }

// pipeline adds the pipeline of the job to a scope.
func (f *Fit) pipeline(s beam.Scope) error {
	job, err := encode(&f.job)
	if err != nil {
		return err
	}
	shards, err := shard.Create(s, f.cluster, f.files, shard.Options{Split: f.split, Delimiter: f.job.Table.Source.Delimiter, Rows: true})
	if err != nil {
		return err
	}
	tasks, small := beam.ParDo2(s.Scope("plan"), &planFn{f.job.Train}, beam.GroupByKey(s, beam.ParDo(s, keyed, shards)))
	beam.ParDo0(s.Scope("train small"), &loadFn{job}, small)
	if f.job.Table.Outlined {
		o := s.Scope("outline")
		outlines := cluster.Spread(f.cluster, o, tasks, func(s beam.Scope,
			in beam.PCollection) beam.PCollection {
			return beam.ParDo(s, &outlineFn{job}, in)
		})
		tasks = beam.ParDo(o, &priorsFn{job}, beam.GroupByKey(o, outlines))
	}
	partials := cluster.Spread(f.cluster, s.Scope("ingest"), tasks,
		func(s beam.Scope, in beam.PCollection) beam.PCollection { return beam.ParDo(s, &ingestFn{job}, in) })
	if f.job.Members == 0 {
		t := s.Scope("train")
		beam.ParDo0(t, &finishFn{job}, beam.GroupByKey(t, partials))
		return nil
	}
	t := s.Scope("members")
	main, rest := beam.ParDo2(t, &partFn{}, partials)
	gathered := beam.ParDo(t, &gatherFn{}, beam.GroupByKey(t, rest))
	members := cluster.Spread(f.cluster, t, gathered, func(s beam.Scope, in beam.PCollection) beam.PCollection {
		return beam.ParDo(s,
			&memberFn{job}, in)
	})
	t = s.Scope("join")
	beam.ParDo0(t, &joinFn{job}, beam.CoGroupByKey(t, main, members))
	return nil
}

// partFn parts what is for all rows, of key 0, from what is for the members of a committee.
type partFn struct{}

// ProcessElement passes a contribution on.
func (*partFn) ProcessElement(number int, one []byte, main, members func(int, []byte)) {
	if number == 0 {
		main(0, one)
	} else {
		members(number, one)
	}
}

// gatherFn makes one element of what is for a member.
type gatherFn struct{}

// ProcessElement gathers the contributions of all shards.
func (*gatherFn) ProcessElement(_ context.Context, number int, values func(*[]byte) bool, emit func(element)) error {
	var all [][]byte
	if err := each(values, func(one []byte) error { all = append(all, one); return nil }); err != nil {
		return err
	}
	out, err := encode(all)
	if err == nil {
		emit(element{number - 1, out})
	}
	return cluster.Fail(err)
}
