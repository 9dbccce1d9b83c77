package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/tskgraph/tskgraph/beam/failure"
	"github.com/tskgraph/tskgraph/internal/app/message"
)

// notice is an error that ends a command early, as its flags ask.
type notice string

func (n notice) Error() string { return string(n) }

// marked is an error whose text carries its exit code and message through a runner.
type marked struct{ error }

func (m marked) Unwrap() error { return m.error }

func (m marked) Error() string {
	return (&failure.Failure{Exit: ExitCode(m.error), Message: m.error.Error()}).Marked()
}

// Fail returns an error for a DoFn to return: [Options.Run] restores its text and its exit code, also from another
// process. Fail(nil) is nil.
func Fail(err error) error {
	if err == nil {
		return nil
	}
	return marked{err}
}

// clear returns the error of a job in plain words. The log has all of Beam's.
func clear(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	text := err.Error()
	slog.Error("the job failed", "error", text)
	if f := failure.Find(text); f != nil {
		return f
	}
	if why := cause(text); why != text {
		return fmt.Errorf("the job failed: %s (--verbose shows more)", why)
	}
	return fmt.Errorf("the job failed: %w", err)
}

// cause returns what matters of an error of Beam's SDK, one line: a panic without its stack, what a DoFn returned, or the
// last cause of an exception in Java.
func cause(text string) string {
	const (
		hungUp    = "SDK worker disconnected"
		panicked  = "panic: "
		returned  = "] failed:\n"
		exception = "\nCaused by: "
	)
	if strings.Contains(text, hungUp) {
		return "the connection to a worker broke: see whether its machine and its pool run, and run the command again; the files that were " +
			"written are whole"
	}
	if i := strings.Index(text, panicked); i >= 0 {
		text, _, _ = strings.Cut(text[i:], "\n")
		text, _, _ = strings.Cut(text, " goroutine ")
	} else if i := strings.LastIndex(text, returned); i >= 0 {
		text = text[i+len(returned):]
	} else if i := strings.LastIndex(text, exception); i >= 0 {
		text, _, _ = strings.Cut(text[i+len(exception):], "\n")
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
}

// ExitCode returns the exit code of the program that ends with an error, here or in a worker.
func ExitCode(err error) int {
	var (
		remote *failure.Failure
		asked  notice
	)
	switch {
	case errors.As(err, &asked):
		return 0
	case errors.As(err, &remote):
		return remote.Exit
	}
	code, _ := message.ExitCode(err)
	return code
}
