package shard

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
)

func init() {
	beam.RegisterCoder(reflect.TypeFor[Shard](), encodeShard, decodeShard)
	beam.RegisterCoder(reflect.TypeFor[file](), encodeFile, decodeFile)
	beam.RegisterCoder(reflect.TypeFor[interval](), encodeInterval, decodeInterval)
	beam.RegisterType(reflect.TypeFor[Shard]())
	beam.RegisterType(reflect.TypeFor[file]())
	beam.RegisterType(reflect.TypeFor[interval]())
	register.DoFn2x1[[]byte, func(file), error](&listFn{})
	register.DoFn3x1[context.Context, file, func(interval), error](&divideFn{})
	register.DoFn2x3[context.Context, interval, int, interval, error](&countFn{})
	register.DoFn3x0[int, func(*interval) bool, func(Shard)](&mergeFn{})
	register.DoFn3x0[int, func(*Shard) bool, func(Shard)](&numberFn{})
	register.Emitter1[file]()
	register.Emitter1[interval]()
	register.Emitter1[Shard]()
	register.Iter1[interval]()
	register.Iter1[Shard]()
	register.Function1x2(keyed)
}

// Create returns the shards of files as a collection of Shard, which [cluster.Spread] spreads. The workers divide the files.
func Create(s beam.Scope, where *cluster.Options, in []files.Info, o Options) (beam.PCollection, error) {
	s = s.Scope("shards")
	list, err := packed(filesOf(in))
	if err != nil {
		return beam.PCollection{}, err
	}
	all := beam.Reshuffle(s, beam.ParDo(s, &listFn{list}, beam.Impulse(s)))
	counted := cluster.Spread(where, s, beam.ParDo(s, &divideFn{o}, all), func(s beam.Scope, some beam.PCollection) beam.PCollection {
		return beam.ParDo(s, &countFn{o}, some)
	})
	shards := beam.ParDo(s, &mergeFn{}, beam.GroupByKey(s, counted))
	if o.Rows {
		shards = beam.ParDo(s, &numberFn{}, beam.GroupByKey(s, beam.ParDo(s, keyed, shards)))
	}
	return shards, nil
}

// packed compresses a list of files: the graph of a job holds it, and some runners limit its size.
func packed(list []file) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(list); err != nil {
		return nil, err
	}
	err := z.Close()
	return b.Bytes(), err
}

// listFn lists the files.
type listFn struct{ List []byte }

// ProcessElement emits the files.
func (fn *listFn) ProcessElement(_ []byte, emit func(file)) error {
	z, err := gzip.NewReader(bytes.NewReader(fn.List))
	if err != nil {
		return fmt.Errorf("the list of files: %w", err)
	}
	var list []file
	if err := json.NewDecoder(z).Decode(&list); err != nil {
		return fmt.Errorf("the list of files: %w", err)
	}
	for _, f := range list {
		emit(f)
	}
	return nil
}

// divideFn divides a file.
type divideFn struct{ Options Options }

// ProcessElement emits the intervals of a file.
func (fn *divideFn) ProcessElement(ctx context.Context, f file, emit func(interval)) error {
	all, err := fn.Options.divide(ctx, f)
	for _, v := range all {
		emit(v)
	}
	return cluster.Fail(err)
}

// countFn counts an interval.
type countFn struct{ Options Options }

// ProcessElement returns the interval with its counts, by file.
func (fn *countFn) ProcessElement(ctx context.Context, v interval) (int, interval, error) {
	v, err := fn.Options.count(ctx, v)
	return v.Order, v, cluster.Fail(err)
}

// mergeFn merges the intervals of a file.
type mergeFn struct{}

// ProcessElement emits the shards of a file.
func (*mergeFn) ProcessElement(_ int, next func(*interval) bool, emit func(Shard)) {
	var all []interval
	for v := (interval{}); next(&v); v = (interval{}) {
		all = append(all, v)
	}
	for _, s := range merge(all) {
		emit(s)
	}
}

func keyed(s Shard) (int, Shard) { return 0, s }

// numberFn numbers the rows of all files.
type numberFn struct{}

// ProcessElement emits the shards with the numbers of their rows.
func (*numberFn) ProcessElement(_ int, next func(*Shard) bool, emit func(Shard)) {
	var all []Shard
	for s := (Shard{}); next(&s); s = (Shard{}) {
		all = append(all, s)
	}
	number(all)
	for _, s := range all {
		emit(s)
	}
}
