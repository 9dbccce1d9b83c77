package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
)

// grace is how long a command may run after a signal, unless it is saving: long enough to print what it did, short enough
// for one that is blocked in input or output.
const grace = 500 * time.Millisecond

// savers is the number of calls of saving that are not done.
var savers atomic.Int32

// saving keeps the program running after a signal until done is called, while a model is trained and saved or a file is
// written. Whatever may block in between must end with the context.
func saving() (done func()) {
	savers.Add(1)
	return func() { savers.Add(-1) }
}

// interruptible returns a context that SIGINT and SIGTERM end, so that training
// stops and keeps its model, and predict leaves no half-written file. A second
// signal ends the program at once.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// runInterruptibly runs a command that gets a context, and returns its exit code. After a
// signal it does not wait for a command that saves nothing for the time grace, and returns
// message.ExitInterrupted.
func runInterruptibly(command func(context.Context) int) int {
	ctx, stop := interruptible(context.Background())
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- command(ctx) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	const step = grace / 50
	for left := grace; left > 0; left -= step {
		if savers.Load() > 0 {
			left = grace
		}
		select {
		case code := <-ended:
			return code
		case <-time.After(step):
		}
	}
	safefile.Abandon()
	go fmt.Fprintln(os.Stderr, "tskgraph: interrupted") // standard error may be what blocks
	time.Sleep(step)
	return message.ExitInterrupted
}

// interruption is an error of a command that was interrupted, with a text that says so.
type interruption struct {
	error
	text string
}

func (e interruption) Error() string { return e.text }
func (e interruption) Unwrap() error { return e.error }

// inWords says in the text of an error that the command was interrupted, in place of the texts that contexts have for it.
func inWords(err error) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	lines := strings.Split(err.Error(), "\n")
	for i, line := range lines {
		for _, cause := range []string{context.Canceled.Error(), "interrupt signal received", "terminated signal received"} {
			before, found := strings.CutSuffix(line, cause)
			switch before = strings.TrimSuffix(before, ": "); {
			case found && before == "":
				lines[i] = "interrupted"
			case found && strings.Contains(before, "interrupted"):
				lines[i] = before
			case found:
				lines[i] = before + ": interrupted"
			}
		}
	}
	return interruption{err, strings.Join(lines, "\n")}
}
