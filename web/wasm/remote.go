//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"syscall/js"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/ensemble"
)

// remote returns what runs the race of a training in workers of this one, which read the same files; nil if there can be none.
func remote(_ context.Context, c *config.Config) (*ensemble.Remote, func(), error) {
	pool := js.Global().Get("tskgraphPool")
	var paths []any
	var size int64
	for _, path := range []string{c.Data.Path, c.Data.TestPath, c.Recipe.Model.Init} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			paths, size = append(paths, path), size+info.Size()
		}
	}
	n := workers(pool.Get("processors").Int(), size)
	if !pool.Call("begin", append([]any{n, string(c.YAML())}, paths...)...).Bool() { // a browser without workers of workers
		return nil, func() {}, nil
	}
	train := func(ctx context.Context, t ensemble.Trial) (o ensemble.Outcome, err error) {
		answers := make(chan [2]string, 1)
		done := js.FuncOf(func(_ js.Value, args []js.Value) any {
			if args[0].IsNull() {
				answers <- [2]string{"", args[1].String()}
			} else {
				answers <- [2]string{args[0].String(), ""}
			}
			return nil
		})
		pool.Call("train", t.Setting, t.Split, done)
		select {
		case <-ctx.Done(): // done may still be called until the workers end: it is not released
			return o, ctx.Err()
		case answer := <-answers:
			done.Release()
			if answer[0] != "" {
				return o, fault(answer[0])
			}
			return o, json.Unmarshal([]byte(answer[1]), &o)
		}
	}
	return &ensemble.Remote{Workers: n, Train: train}, func() { pool.Call("end") }, nil
}

// fault returns the error of a fault in JSON.
func fault(text string) error {
	var f struct{ Message string }
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return err
	}
	return errors.New(f.Message)
}

// trials are those that this worker of a race runs.
var trials struct {
	sync.Mutex
	all *ensemble.Trials
	err error
}

// prepare reads the table of a configuration for the trials.
func prepare(ctx context.Context, text string) error {
	trials.Lock()
	defer trials.Unlock()
	trials.all, trials.err = newTrials(ctx, text)
	return trials.err
}

func newTrials(ctx context.Context, text string) (*ensemble.Trials, error) {
	c, err := config.Load(config.Source{Text: []byte(text)})
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(c.Data.Path); err == nil {
		suit(info.Size())
	}
	parts, err := c.Source().Load(ctx) // open until the worker ends
	if err != nil {
		return nil, err
	}
	return tskgraph.Run{Recipe: c.Recipe}.Trials(parts.Train)
}

// trial runs a trial.
func trial(ctx context.Context, setting, split int) (ensemble.Outcome, error) {
	trials.Lock()
	defer trials.Unlock()
	if trials.err != nil {
		return ensemble.Outcome{}, trials.err
	}
	return trials.all.Train(ctx, ensemble.Trial{Setting: setting, Split: split})
}
