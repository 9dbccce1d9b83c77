package runs

import (
	"errors"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

// Job is what a run trains, and on what.
type Job struct {
	// Training says how: the recipe, callbacks, the time between two checkpoints, and as its Identity what the run depends
	// on, see [Identity]. The run sets the rest.
	Training tskgraph.Run
	Parts    *data.Parts // training, and as far as there are validation, calibration and test
	Data     data.Source // where the parts come from
	// Validation is the table of the validation part where that is one of its own; Data then gives the others.
	Validation string

	Config []byte    // what config.yaml is to hold
	Start  time.Time // when reading began, from which the summary counts seconds
}

// writeParts writes the rows of each part as they stand in their tables.
func (j Job) writeParts(dir string) error {
	if j.Validation == "" {
		return j.Data.WriteParts(dir, j.Parts)
	}
	separate := j.Data
	separate.Path, separate.TestPath = j.Validation, ""
	return errors.Join(
		j.Data.WriteParts(dir, &data.Parts{Train: j.Parts.Train, Test: j.Parts.Test}),
		separate.WriteParts(dir, &data.Parts{Validation: j.Parts.Validation}))
}
