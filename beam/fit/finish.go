package fit

import (
	"context"
	"errors"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/data"
)

func init() {
	register.DoFn2x1[context.Context, element, error](&loadFn{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&finishFn{})
	register.DoFn4x1[context.Context, int, func(*[]byte) bool, func(*[]byte) bool, error](&joinFn{})
	register.DoFn3x1[context.Context, element, func(int, []byte), error](&memberFn{})
}

// scarce is the counter of samples for which the shards kept too few rows, see data.ErrScarce: then nothing is written.
const scarce = "scarce samples"

// finish calls do with the work of an encoded job. Errors are marked for the pipeline.
func finish(ctx context.Context, job []byte, do func(w *work) error) (err error) {
	defer func() { err = cluster.Fail(err) }()
	w, err := begin(job)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.end()) }()
	err = do(w)
	if errors.Is(err, data.ErrScarce) {
		cluster.Counter(scarce).Inc(ctx, 1)
		return nil
	}
	return err
}

// loadFn trains on a small table, which is not ingested.
type loadFn struct{ Job []byte }

// ProcessElement trains on the files of an element.
func (f *loadFn) ProcessElement(ctx context.Context, e element) error {
	return finish(ctx, f.Job, func(w *work) error {
		t := &gathered{}
		if err := decode(e.Work, &t.files); err != nil {
			return err
		}
		return w.run(ctx, t)
	})
}

// finishFn merges what the shards contribute, and trains.
type finishFn struct{ Job []byte }

// ProcessElement merges and trains.
func (f *finishFn) ProcessElement(ctx context.Context, _ int, partials func(*[]byte) bool) error {
	return finish(ctx, f.Job, func(w *work) error {
		t, err := w.merge(partials)
		if err != nil {
			return err
		}
		return w.run(ctx, t)
	})
}

// memberFn trains a member of a committee.
type memberFn struct{ Job []byte }

// ProcessElement merges what the shards contribute to a member, trains it, and emits it.
func (f *memberFn) ProcessElement(ctx context.Context, e element, emit func(int, []byte)) error {
	return finish(ctx, f.Job, func(w *work) error {
		release, err := cluster.Slot(ctx)
		if err != nil {
			return err
		}
		defer release()
		one, err := trainMember(ctx, w, e)
		if err != nil {
			return err
		}
		out, err := encode(one)
		if err == nil {
			emit(0, out)
		}
		return err
	})
}

// joinFn merges what the shards contribute, and joins the members of a committee.
type joinFn struct{ Job []byte }

// ProcessElement merges and joins.
func (f *joinFn) ProcessElement(ctx context.Context, _ int, partials, members func(*[]byte) bool) error {
	return finish(ctx, f.Job, func(w *work) error {
		t, err := w.merge(partials)
		if err != nil {
			return err
		}
		w.members = make([]*member, w.Members)
		n := 0
		err = each(members, func(from []byte) error {
			one := &member{}
			err := decode(from, one)
			if err == nil {
				w.members[one.Number], n = one, n+1
			}
			return err
		})
		if err != nil || n < w.Members { // a sample was scarce: the members that are missing count it
			return err
		}
		return w.run(ctx, t)
	})
}
