package runs

import (
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data/table"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

// filePrefix is the prefix of file names in an identity.
const filePrefix = "file "

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
		id[filePrefix+path] = "sha256 " + sum[:16]
	}
	return id, nil
}

// DataChanged reports whether a checkpoint differs from a run by its data alone.
func DataChanged(e *tskgraph.ChangedError) bool {
	return !slices.ContainsFunc(e.Changes, func(c checkpoint.Change) bool {
		return !strings.HasPrefix(c.Name, filePrefix) && !strings.HasSuffix(c.Name, " part")
	})
}
