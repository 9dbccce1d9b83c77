package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/safefile"
	"github.com/tskgraph/tskgraph/model"
)

// finished reports whether a directory holds a run that has nothing to go on with.
func finished(path string) bool {
	_, err := os.Stat(filepath.Join(path, checkpointFile))
	if err == nil {
		return false
	}
	_, err = os.Stat(filepath.Join(path, summaryFile))
	return err == nil
}

// tellFinished says so, and where the model is.
func tellFinished(cmd *cobra.Command, path string, asJSON bool) error {
	fmt.Fprintf(cmd.ErrOrStderr(), "note: %s is finished: there is nothing to go on with\n", path)
	if !asJSON {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "model: %s\n", filepath.Join(path, model.FileName))
		return err
	}
	text, err := os.ReadFile(filepath.Join(path, summaryFile))
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}

// reopen reads the checkpoint of a run, and keeps others out of its directory.
func (t *training) reopen(path string) error {
	dir, err := openRunDir(path, t.note)
	if errors.Is(err, os.ErrNotExist) {
		return usageError{fmt.Errorf("--resume %s: there is no run to continue: %w: train again", path, err)}
	}
	if err != nil {
		return err
	}
	if t.resume, err = dir.readCheckpoint(); err != nil {
		return errors.Join(err, dir.Close())
	}
	t.dir = dir
	return dir.Clear(".")
}

func (d *runDir) readCheckpoint() (*tskgraph.Checkpoint, error) {
	f, err := os.Open(d.file(checkpointFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := tskgraph.DecodeCheckpoint(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.file(checkpointFile), err)
	}
	return c, nil
}

// open makes the run's directory ready: a new one, or the one to go on in, if neither
// data nor configuration have changed.
func (t *training) open(parts *data.Parts, origin map[string]string) (*runDir, error) {
	if t.dir == nil {
		dir, err := newRunDir(t.config, safefile.Name(t.config.Data.Name())+"-"+t.config.Options.Model.Membership.Name(), t.note)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(dir.writeConfig(t.config), t.config.Data.WriteParts(dir.path, parts)); err != nil {
			return nil, errors.Join(err, dir.remove())
		}
		return dir, nil
	}
	if changes := t.resume.Differences(origin); len(changes) > 0 {
		return nil, fmt.Errorf("%s: %w", t.dir.path, &tskgraph.ChangedError{Changes: changes})
	}
	if err := t.dir.cutMetrics(t.resume); err != nil {
		return nil, err
	}
	switch n := made(t.resume); {
	case t.resume.Racing():
		t.note("%s goes on in the race of settings", t.dir.path)
	default:
		t.note("%s goes on after iteration %d", t.dir.path, n)
	}
	return t.dir, nil
}

// made returns the iterations of a checkpoint, of all members together.
func made(c *tskgraph.Checkpoint) int {
	sum := 0
	if c != nil {
		for _, n := range c.Iterations() {
			sum += n
		}
	}
	return sum
}

// filePrefix begins the names of files in what a run depends on.
const filePrefix = "file "

// originOf returns what a run depends on: every key that has an effect on it, and the
// files that it reads.
func originOf(c *config.Config) (map[string]string, error) {
	of := c.Values()
	maps.DeleteFunc(of, func(key, _ string) bool { return strings.HasPrefix(key, "output.") || strings.HasPrefix(key, "tune.") })
	for _, path := range []string{c.Data.Path, c.Data.TestPath} {
		if path == "" {
			continue
		}
		sum, err := data.HashFile(path)
		if err != nil {
			return nil, err
		}
		of[filePrefix+path] = "sha256 " + sum[:16]
	}
	return of, nil
}

// changedData reports whether nothing but data have changed.
func changedData(e *tskgraph.ChangedError) bool {
	return !slices.ContainsFunc(e.Changes, func(c tskgraph.Change) bool {
		return !strings.HasPrefix(c.Name, filePrefix) && !strings.HasSuffix(c.Name, " part")
	})
}
