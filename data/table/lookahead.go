package table

import (
	"io"
	"runtime"
	"sync"
)

// lookahead reads the blocks of a source in order. Those of a Decoder are decoded concurrently, some blocks ahead of the reader:
// at most GOMAXPROCS, and none before the first block is read, so that a slow stream is read soon.
type Lookahead struct {
	Src     RowSource
	Columns int
	blocks  int         // read
	queue   []*decoding // in the order of the table
	free    []*decoding
	err     error // after the blocks of queue
	workers sync.WaitGroup
}

// decoding is a block that is being decoded.
type decoding struct {
	block Block
	err   error         // after its rows
	done  chan struct{} // receives a value when block and err are complete
}

// next replaces b by the next block; the error is about what follows its rows.
func (l *Lookahead) next(b *Block) error {
	for most := l.most(); l.err == nil && len(l.queue) < most; {
		l.read()
	}
	if len(l.queue) == 0 {
		b.Rows = 0
		return l.err
	}
	d := l.queue[0]
	l.queue = append(l.queue[:0], l.queue[1:]...)
	<-d.done
	*b, d.block = d.block, *b
	l.free = append(l.free, d)
	return d.err
}

// most is how many blocks may be under way.
func (l *Lookahead) most() int {
	if _, ok := l.Src.(Decoder); !ok {
		return 1
	}
	return 1 + min(l.blocks, runtime.GOMAXPROCS(0))
}

// read reads a block and begins to decode it.
func (l *Lookahead) read() {
	var d *decoding
	if n := len(l.free); n > 0 {
		d, l.free = l.free[n-1], l.free[:n-1]
	} else {
		d = &decoding{done: make(chan struct{}, 1)}
	}
	if l.err = d.block.next(l.Src); l.err != nil {
		return
	}
	l.blocks++
	l.queue = append(l.queue, d)
	if d.block.fault != nil {
		l.err = io.EOF // d.err will be the fault
	}
	l.workers.Go(func() { // which owns the block until done
		d.err = d.block.decode(l.Src, l.Columns)
		d.done <- struct{}{}
	})
}

// stop waits for the blocks that are being decoded.
func (l *Lookahead) stop() { l.workers.Wait() }
