// Package message has what commands, the page that trains and programs that run commands say in the same words: notes on tables and
// trainings, warnings, kinds of errors and exit codes.
package message

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/model"
)

// Exit codes of commands.
const (
	ExitFailed      = 1   // training diverged, verify found a wrong gradient, a file could not be written, ...
	ExitUsage       = 2   // usage or configuration
	ExitData        = 3   // an error in a table
	ExitModel       = 4   // an error in a model file or a checkpoint
	ExitInterrupted = 130 // SIGINT or SIGTERM
)

// usageError is an error in the command line, or in the arguments of a call.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error in the command line.
func Usage(err error) error { return usageError{err} }

// Usagef returns an error in the command line, with a text as of fmt.Errorf.
func Usagef(format string, a ...any) error { return usageError{fmt.Errorf(format, a...)} }

// ExitCode returns the exit code of a command that ends with an error, by the errors that it wraps, and the kind of the error:
// failed, interrupted, usage, config, data or model; 0 and no kind for nil.
func ExitCode(err error) (code int, kind string) {
	var (
		usage    usageError
		settings *config.Error
		option   *tskgraph.RecipeError
		key      *data.KeyError
		table    *data.Error
		changed  *tskgraph.ChangedError
		rules    *byhand.Error
	)
	switch {
	case err == nil:
		return 0, ""
	case errors.Is(err, context.Canceled):
		return ExitInterrupted, "interrupted"
	case errors.As(err, &changed) && dataChanged(changed):
		return ExitData, "data"
	case errors.As(err, &usage):
		return ExitUsage, "usage"
	case errors.As(err, &changed), errors.As(err, &settings), errors.As(err, &option), errors.As(err, &key), errors.As(err, &rules):
		return ExitUsage, "config"
	case errors.As(err, &table):
		return ExitData, "data"
	case errors.Is(err, model.ErrFile), errors.Is(err, tskgraph.ErrCheckpoint):
		return ExitModel, "model"
	}
	return ExitFailed, "failed"
}

// FilePrefix is the prefix of the names of files in what a run depends on, see runs.Identity.
const FilePrefix = "file "

// dataChanged reports whether a checkpoint differs from a run by its data alone.
func dataChanged(e *tskgraph.ChangedError) bool {
	return !slices.ContainsFunc(e.Changes, func(c checkpoint.Change) bool {
		return !strings.HasPrefix(c.Name, FilePrefix) && !strings.HasSuffix(c.Name, " part")
	})
}
