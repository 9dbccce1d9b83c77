// Package exitcode has the exit codes of the commands.
package exitcode

import (
	"context"
	"errors"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/model"
)

// Exit codes.
const (
	Failed      = 1   // training diverged, verify found a wrong gradient, a file could not be written, ...
	Usage       = 2   // usage or configuration
	Data        = 3   // an error in a table
	Model       = 4   // an error in a model file or a checkpoint
	Interrupted = 130 // SIGINT or SIGTERM
)

// UsageError marks errors in the command line.
type UsageError interface {
	error
	Usage()
}

// Of returns the exit code of a command that ends with an error, by the errors that it wraps, and the kind of the error:
// failed, interrupted, usage, config, data or model; 0 and no kind for nil.
func Of(err error) (code int, kind string) {
	var (
		usage    UsageError
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
		return Interrupted, "interrupted"
	case errors.As(err, &changed) && runs.DataChanged(changed):
		return Data, "data"
	case errors.As(err, &usage):
		return Usage, "usage"
	case errors.As(err, &changed), errors.As(err, &settings), errors.As(err, &option), errors.As(err, &key), errors.As(err, &rules):
		return Usage, "config"
	case errors.As(err, &table):
		return Data, "data"
	case errors.Is(err, model.ErrFile), errors.Is(err, tskgraph.ErrCheckpoint):
		return Model, "model"
	}
	return Failed, "failed"
}
