//go:build js && wasm

package main

import (
	"syscall/js"
	"time"
)

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
