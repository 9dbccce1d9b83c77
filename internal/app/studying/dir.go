package studying

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/study"
	"github.com/tskgraph/tskgraph/internal/study/report"
)

// The directories in that of a study, beside tables and figures.
const (
	ResultsDir = "results"
	StateDir   = "state" // of the workers of a cluster, as long as the study runs
)

// Own refuses a directory that holds something other than a study, and a results directory that is a symbolic link.
func Own(dir string) error {
	held, err := safefile.Held(dir)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	results := filepath.Join(dir, ResultsDir)
	if info, err := os.Lstat(results); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("--out %s: %s is a symbolic link, which is not followed: remove it, or name another directory", dir, results)
	}
	inside, err := safefile.Held(results)
	held = slices.DeleteFunc(held, func(name string) bool { return name == StateDir })
	begun := err == nil && len(inside) == 0 && slices.Equal(held, []string{ResultsDir}) // interrupted before the first result
	if len(held) > 0 && !begun && !study.Begun(results) {
		return fmt.Errorf("--out: %w", safefile.Foreign(dir, "a study"))
	}
	return nil
}

// Write writes the tables and figures of a study to its directory, and the main tables to w, or averages as JSON. Of a shard it writes
// how many results there are.
func Write(w io.Writer, results *study.Results, dir string, asJSON bool) error {
	if shard := results.Plan.Shard; shard != (study.Shard{}) {
		_, err := fmt.Fprintf(w, "shard %d/%d: %d results in %s\n", shard.Index, shard.Count, len(results.Runs), results.Plan.Store)
		return err
	}
	r := report.New(results)
	if err := r.Write(dir); err != nil {
		return err
	}
	if asJSON {
		return escape.PrintJSON(w, r.Summaries())
	}
	for _, t := range r.Main() {
		if err := t.Write(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "report: %s\n", filepath.Join(dir, report.File))
	return err
}
