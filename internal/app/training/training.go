// Package training has what the commands that train share: the job of a configuration, notes and the summary.
package training

import (
	"slices"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// RunName returns the name of a run without its number: that of the data, and the shape or, if
// a race chooses the shape, the preset.
func RunName(c *config.Config) string {
	kind := c.Recipe.Model.Membership.Name()
	if slices.ContainsFunc(c.Recipe.Settings(), func(s recipe.Setting) bool { return s.Text("membership") != "" }) {
		kind = c.Preset
	}
	return safefile.Name(c.Data.Name()) + "-" + kind
}

// Job returns the job of training by a configuration on the parts.
func Job(c *config.Config, parts *data.Parts, start time.Time) runs.Job {
	return runs.Job{Training: tskgraph.Run{Recipe: c.Recipe}, Data: c.Data, WithoutTables: !c.Output.Tables, Parts: parts, Preset: c.Preset, Config: c.YAML(), Start: start}
}
