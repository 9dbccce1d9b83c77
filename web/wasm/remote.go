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
	"github.com/tskgraph/tskgraph/internal/train/pages"
)

// shared is the size in bytes of the largest table whose search of a page is shared: with larger ones, each worker would take as much
// memory as the search itself.
const shared = 2e6

// remote returns what runs the race of a training, or parts of the search of a page, in workers of this one, which read the same files; nil
// if there can be none.
func remote(c *config.Config, onPage bool) (*ensemble.Remote, func()) {
	pool := js.Global().Get("tskgraphPool")
	var paths []any
	var size int64
	for _, path := range []string{c.Data.Path, c.Data.TestPath, c.Recipe.Model.Init} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			paths, size = append(paths, path), size+info.Size()
		}
	}
	n, config := workers(pool.Get("processors").Int(), size), any(string(c.YAML()))
	if onPage { // this worker has a part of the search, and sends all that its peers read
		n, config, paths = n-1, nil, nil
		if size > shared {
			pool.Call("end") // workers that wait take memory, too
			n = 0
		}
	}
	if n == 0 || !pool.Call("begin", append([]any{n, config}, paths...)...).Bool() { // a browser without workers of workers
		return nil, func() {}
	}
	train := func(ctx context.Context, t ensemble.Trial) (o ensemble.Outcome, err error) {
		text, err := asked(pool, "train", t.Setting, t.Split)(ctx)
		if err == nil {
			err = json.Unmarshal(text, &o)
		}
		return o, err
	}
	send := func(peer int, text []byte) func(context.Context) ([]byte, error) {
		return asked(pool, "answer", peer, array(text))
	}
	return &ensemble.Remote{Workers: n, Train: train, Peers: &pages.Peers{Count: n, Send: send}}, func() { pool.Call("end") }
}

// asked calls a function of the pool, and returns what waits for its answer.
func asked(pool js.Value, name string, args ...any) func(context.Context) ([]byte, error) {
	type answer struct {
		fault string
		text  []byte
	}
	answers := make(chan answer, 1)
	var done js.Func
	done = js.FuncOf(func(_ js.Value, args []js.Value) any {
		defer done.Release()
		if args[0].IsNull() {
			answers <- answer{text: textOf(args[1])}
		} else {
			answers <- answer{fault: args[0].String()}
		}
		return nil
	})
	pool.Call(name, append(args, done)...)
	return func(ctx context.Context) ([]byte, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case answer := <-answers:
			if answer.fault != "" {
				return nil, fault(answer.fault)
			}
			return answer.text, nil
		}
	}
}

// array returns bytes for JavaScript.
func array(text []byte) js.Value {
	to := js.Global().Get("Uint8Array").New(len(text))
	js.CopyBytesToJS(to, text)
	return to
}

// textOf returns the bytes of an array, or of a string.
func textOf(v js.Value) []byte {
	if v.Type() == js.TypeString {
		return []byte(v.String())
	}
	text := make([]byte, v.Length())
	js.CopyBytesToGo(text, v)
	return text
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

// peer has this worker's parts of the searches of another.
var peer struct {
	sync.Mutex
	pages.Peer
	most int // bytes of a text
}

// answerPeer answers another worker.
func answerPeer(ctx context.Context, text []byte) ([]byte, error) {
	peer.Lock()
	defer peer.Unlock()
	peer.most = max(peer.most, len(text))
	suit(int64(peer.most))
	return peer.Answer(ctx, text)
}
