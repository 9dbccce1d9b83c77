package workbench

import (
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/internal/app/runs"
)

// portable returns the configuration of a run. A private workbench names the table and the rules without their directory, for
// another computer, as the page saves them.
func portable(b *Bench, path string) ([]byte, error) {
	c, err := configOf(b, path)
	if err != nil {
		return nil, err
	}
	if b.options.Private && c.Data.Path != "" {
		c.Data.Path = filepath.Base(c.Data.Path)
	}
	if b.options.Private && c.Recipe.Model.FromRules() {
		c.Recipe.Model.Init = savedStart(path)
	}
	return c.YAML(), nil
}

// portableSet changes values of --set as portable does.
func portableSet(b *Bench, path string, set []string) {
	for i, s := range set {
		if table, is := strings.CutPrefix(s, "data.path="); is && b.options.Private {
			set[i] = "data.path=" + filepath.Base(table)
		}
		if strings.HasPrefix(s, "model.init=") && strings.HasSuffix(s, runs.StartFile) && b.options.Private {
			set[i] = "model.init=" + savedStart(path)
		}
	}
}

// savedStart is where model.init finds the rules that the page saves of the run in a directory.
func savedStart(path string) string { return "./" + filepath.Base(path) + "-" + runs.StartFile }
