package runs

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
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

// RunName returns the name of a run without its number: that of the data, and the shape or, of a page and if
// a race chooses the shape, the preset.
func RunName(c *config.Config) string {
	kind := c.Recipe.Model.Membership.Name()
	chosen := slices.ContainsFunc(c.Recipe.Settings(), func(s recipe.Setting) bool { return s.Text("membership") != "" })
	if chosen || c.Recipe.Model.OnPage() {
		kind = c.Preset
	}
	return safefile.Name(c.Data.Name()) + "-" + kind
}

// NewJob returns the job of training by a configuration on the parts.
func NewJob(c *config.Config, parts *data.Parts, start time.Time) Job {
	return Job{Training: tskgraph.Run{Recipe: c.Recipe}, Data: c.Data, WithoutTables: !c.Output.Tables, Parts: parts, Preset: c.Preset,
		Config: c.YAML(), Start: start}
}

// Identity returns what a run depends on besides its recipe and its parts, by name: the values of the configuration by key,
// without the keys of output and tune and those that say where a large table is kept, and the hashes of the files that it
// reads. An error about a file is a *data.Error.
func Identity(values map[string]string, files ...string) (tskgraph.Identity, error) {
	id := tskgraph.Identity{}
	maps.Copy(id, values)
	maps.DeleteFunc(id, func(key, _ string) bool {
		return strings.HasPrefix(key, "output.") || strings.HasPrefix(key, "tune.") || key == "data.memory" || key == "data.scratch"
	})
	for _, path := range files {
		sum, err := table.HashFile(path)
		if err != nil {
			return nil, err
		}
		id[message.FilePrefix+path] = "sha256 " + sum[:16]
	}
	return id, nil
}
