package score

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/model"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func([]byte), error](&modelFn{})
	register.DoFn5x1[context.Context, shard.Shard, []byte, []byte, func(int, []byte), error](&scoreFn{})
	register.DoFn3x1[context.Context, shard.Shard, func(int, []byte), error](&selfContainedFn{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&reportFn{})
	register.Emitter1[[]byte]()
	register.Emitter2[int, []byte]()
	register.Iter1[[]byte]()
}

// pipeline returns the pipeline of a job.
func pipeline(j *job, where *cluster.Options) (*beam.Pipeline, error) {
	p, s := beam.NewPipelineWithRoot()
	shards, err := shard.Create(s, where, j.in, j.split())
	if err != nil {
		return nil, err
	}
	options, err := json.Marshal(j.flags.TableOptions)
	if err != nil {
		return nil, err
	}
	step := j.step(s, scoreFn{options, j.naming}, where)
	results := cluster.Spread(where, s, shards, step)
	beam.ParDo0(s, &reportFn{j.naming.report()}, beam.GroupByKey(s, results))
	return p, nil
}

// step returns the step that scores shards. The model is a side input; on Prism, whose scheduler never rests while a step with side
// inputs works, it is part of the step.
func (j *job) step(s beam.Scope, fn scoreFn, where *cluster.Options) func(beam.Scope, beam.PCollection) beam.PCollection {
	if where.OnPrism() {
		return func(s beam.Scope, some beam.PCollection) beam.PCollection {
			return beam.ParDo(s, &selfContainedFn{fn, j.text, j.background}, some)
		}
	}
	text := beam.SideInput{Input: beam.ParDo(s, &modelFn{j.modelPath, j.modelHash}, beam.Impulse(s))}
	background := beam.SideInput{Input: beam.Create(s, j.background)}
	return func(s beam.Scope, some beam.PCollection) beam.PCollection {
		return beam.ParDo(s, &fn, some, text, background)
	}
}

// selfContainedFn is a scoreFn with its inputs.
type selfContainedFn struct {
	Score            scoreFn
	Text, Background []byte
}

// ProcessElement is that of scoreFn.
func (fn *selfContainedFn) ProcessElement(ctx context.Context, s shard.Shard, emit func(int, []byte)) error {
	return fn.Score.ProcessElement(ctx, s, fn.Text, fn.Background, emit)
}

// modelFn reads the model file for all workers.
type modelFn struct {
	Path string
	Hash [sha256.Size]byte // of the file that the command checked
}

// ProcessElement emits the content of the file.
func (fn *modelFn) ProcessElement(ctx context.Context, _ []byte, emit func([]byte)) error {
	text, _, err := readModel(ctx, fn.Path)
	if err == nil && sha256.Sum256(text) != fn.Hash {
		err = fmt.Errorf("%s has changed since the job began: start it again", fn.Path)
	}
	if err == nil {
		emit(text)
	}
	return cluster.Fail(err)
}

// scoreFn scores shards.
type scoreFn struct {
	Options []byte // model.TableOptions in JSON, without Explain
	Naming  naming
}

// ProcessElement writes the predictions of a shard and emits its counts. A repeated call writes the same file.
func (fn *scoreFn) ProcessElement(ctx context.Context, s shard.Shard, text, background []byte, emit func(int, []byte)) error {
	release, err := cluster.Slot(ctx)
	if err != nil {
		return err
	}
	defer release()
	r, err := fn.score(ctx, s, text, background)
	if err != nil {
		return cluster.Fail(err)
	}
	counted(ctx, r)
	encoded, err := json.Marshal(r)
	if err == nil {
		emit(0, encoded)
	}
	return cluster.Fail(err)
}

func (fn *scoreFn) score(ctx context.Context, s shard.Shard, text, background []byte) (r result, err error) {
	p, err := predictorOf(text, background)
	if err != nil {
		return r, err
	}
	in, file, err := s.Open(ctx)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var o model.TableOptions
	if err := json.Unmarshal(fn.Options, &o); err != nil {
		return r, err
	}
	o.Explain, o.Part = p.explain, !s.Whole()
	r = result{File: s.File, Out: pieceOf(fn.Naming.of(s.File), s), Order: s.Order, Index: s.Index, Of: s.Of, Bytes: s.Bytes()}
	err = files.Write(ctx, r.Out, func(w io.Writer) (err error) {
		r.Counts, err = prediction.Write(ctx, p.model, in, o, r.Out, w)
		return err
	})
	r.Marks = r.Counts.Marks
	return r, err
}

// counted adds the counts of a shard to those of the job.
func counted(ctx context.Context, r result) {
	for name, n := range map[string]int{
		"rows": r.Counts.Rows, "bytes": int(r.Bytes), "shards": 1,
		"rows outside the training range": r.Counts.OutOfRange, "rows that no rule covers": r.Counts.Uncovered, "rows limited": r.Counts.Limited,
		"cells missing": r.Counts.Missing.Imputed, "categories unknown": total(r.Counts.Missing.Unknown),
	} {
		cluster.Counter(name).Inc(ctx, int64(n))
	}
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// reportFn writes the report.
type reportFn struct{ Path string }

// ProcessElement merges the results of all shards.
func (fn *reportFn) ProcessElement(ctx context.Context, _ int, next func(*[]byte) bool) error {
	var all []result
	for text := []byte(nil); next(&text); {
		var r result
		if err := json.Unmarshal(text, &r); err != nil {
			return cluster.Fail(err)
		}
		all = append(all, r)
	}
	r, err := report(all)
	if err != nil {
		return cluster.Fail(err)
	}
	return cluster.Fail(files.Write(ctx, fn.Path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}))
}
