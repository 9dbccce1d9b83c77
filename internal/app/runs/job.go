package runs

import (
	"context"
	"errors"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

// Job describes a training and its data.
type Job struct {
	// Training holds the recipe, callbacks, the time between two checkpoints, and the Identity, see [Identity]. The run
	// sets the other fields.
	Training tskgraph.Run
	// Train is what trains the model; nil: Training does.
	Train func(ctx context.Context, run tskgraph.Run, train, validation *data.Dataset) (*tskgraph.Result, error)
	Parts *data.Parts // training part, and those of validation, calibration and test that exist
	Data  data.Source // where the parts come from
	// Validation is the table of the validation part, if it has its own; Data then has the other parts.
	Validation string
	// WithoutTables leaves out the tables of the parts.
	WithoutTables bool

	Preset string    // that the configuration names
	Config []byte    // content of config.yaml
	Start  time.Time // when reading began; the summary counts seconds from here
}

// writeParts writes the rows of each part unchanged, unless the run is without tables.
func (j Job) writeParts(dir string) error {
	if j.WithoutTables {
		return nil
	}
	if j.Validation == "" {
		return j.Data.WriteParts(dir, j.Parts)
	}
	separate := j.Data
	separate.Path, separate.TestPath = j.Validation, ""
	return errors.Join(
		j.Data.WriteParts(dir, &data.Parts{Train: j.Parts.Train, Test: j.Parts.Test}),
		separate.WriteParts(dir, &data.Parts{Validation: j.Parts.Validation}))
}
