package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/beam/failure"
	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// Exit codes, those of tskgraph.
const (
	ExitFailed      = 1
	ExitUsage       = 2
	ExitData        = 3
	ExitModel       = 4
	ExitInterrupted = 130
)

type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error in the command line.
func Usage(err error) error { return usageError{err} }

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
		panicked  = "panic: "
		returned  = "] failed:\n"
		exception = "\nCaused by: "
	)
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

// ExitCode returns the exit code of the program that ends with an error.
func ExitCode(err error) int {
	var (
		usage    usageError
		settings *config.Error
		option   *tskgraph.RecipeError
		key      *data.KeyError
		table    *data.Error
		remote   *failure.Failure
		asked    notice
	)
	switch {
	case err == nil, errors.As(err, &asked):
		return 0
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.As(err, &remote):
		return remote.Exit
	case errors.As(err, &usage), errors.As(err, &settings), errors.As(err, &option), errors.As(err, &key):
		return ExitUsage
	case errors.As(err, &table):
		return ExitData
	case errors.Is(err, model.ErrFile), errors.Is(err, tskgraph.ErrCheckpoint):
		return ExitModel
	}
	return ExitFailed
}
