//go:build js && wasm

// Command wasm is tskgraph in a page: a program for a Web Worker, which defines functions for worker.js. Its files are in memory. The
// workers of a race run the same program. It exports to all targets but excel, whose library would make it a fifth larger.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	_ "github.com/tskgraph/tskgraph/data/table/csv"
	_ "github.com/tskgraph/tskgraph/data/table/xlsx"
	"github.com/tskgraph/tskgraph/internal/app/progress"
	"github.com/tskgraph/tskgraph/internal/app/workbench"
	_ "github.com/tskgraph/tskgraph/internal/export/targets"
)

// limit is the size of the largest table, in bytes, which engine-wasm.js has, too: one text cell takes up to ten times its bytes here, and
// each worker of a race has the table.
const limit = 50e6

func main() {
	suit(0)
	bench := workbench.New(workbench.Options{Tables: "tables", Runs: "runs", Limit: limit, Private: true, Remote: remote, Pause: pause})
	js.Global().Call("tskgraphReady", map[string]any{
		"call": function(func(ctx context.Context, args []js.Value) (any, error) {
			emit := args[2]
			return bench.Call(ctx, args[0].String(), json.RawMessage(args[1].String()), func(event any) {
				text, err := json.Marshal(event)
				if err != nil {
					panic(err) // events have a form in JSON
				}
				emit.Invoke(string(text))
			})
		}),
		"upload": function(func(_ context.Context, args []js.Value) (any, error) {
			suit(int64(args[1].Length()))
			return bench.Upload(args[0].String(), bytes.NewReader(textOf(args[1])))
		}),
		"prepare": function(func(ctx context.Context, args []js.Value) (any, error) { return nil, prepare(ctx, args[0].String()) }),
		"trial": function(func(ctx context.Context, args []js.Value) (any, error) {
			return trial(ctx, args[0].Int(), args[1].Int())
		}),
		"answer": function(func(ctx context.Context, args []js.Value) (any, error) { return answerPeer(ctx, textOf(args[0])) }),
	})
	select {}
}

// function returns a function that runs do in the background and calls its last argument, done(fault, result), with the fault in JSON, or
// the result: bytes as an array, all else in JSON. It returns a function that ends the context of do. A panic is a fault.
func function(do func(ctx context.Context, args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		last := len(args) - 1
		done := args[last]
		ctx, cancel := context.WithCancel(context.Background())
		stop := js.FuncOf(func(js.Value, []js.Value) any {
			cancel()
			return nil
		})
		go func() {
			defer stop.Release()
			defer cancel()
			result, err := guarded(func() (any, error) { return do(ctx, args[:last]) })
			text, plain := result.([]byte)
			if err == nil && !plain {
				text, err = json.Marshal(result)
			}
			if err != nil {
				fault, _ := json.Marshal(progress.Fault(err)) // texts
				done.Invoke(string(fault), js.Null())
				return
			}
			if plain {
				done.Invoke(js.Null(), array(text))
				return
			}
			done.Invoke(js.Null(), string(text))
		}()
		return stop
	})
}

// guarded calls a function, and returns its panic as an error.
func guarded(do func() (any, error)) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("unexpected: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// Memory in bytes: what the workers of a race may take together, what a program takes without a table, and with one for each byte of it,
// and what it may always take, as less would cost it time.
const (
	together = 600e6
	alone    = 60e6
	perByte  = 10
	least    = 96e6
)

// needed returns the memory that a program takes with a table of some bytes.
func needed(table int64) int64 { return max(least, alone+perByte*table) }

// suit lets the garbage collector keep to the memory that is needed with a table of some bytes, as memory that a page once had is never
// free again. Below that it is lazy: a small heap would be collected all the time. A limit below what is alive lets the heap grow without
// end on a busy machine, to addresses that functions have, which the collector takes for bad pointers (as in golang.org/issue/80472).
func suit(table int64) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(needed(table))
}

// workers returns the number of workers of a race on a table of some bytes: one for each processor, as long as their memory suffices.
func workers(processors int, table int64) int {
	return max(1, min(processors, 8, int(together/needed(table))))
}

// pauseEvery is the time after which a training lets the worker receive messages, such as that which stops it.
const pauseEvery = 50 * time.Millisecond

var paused time.Time

// pause lets the worker receive messages, if it has not for a while. A timer of the browser would wait for four milliseconds; a message
// to oneself does not.
func pause() {
	if time.Since(paused) < pauseEvery {
		return
	}
	received := make(chan struct{})
	resume := js.FuncOf(func(js.Value, []js.Value) any {
		close(received)
		return nil
	})
	defer resume.Release()
	js.Global().Call("tskgraphPause", resume)
	<-received
	paused = time.Now()
}
