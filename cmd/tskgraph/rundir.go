package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/internal/safefile"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/report"
)

// The files of a run.
const (
	configFile     = "config.yaml"
	metricsFile    = "metrics.jsonl"
	summaryFile    = "summary.json"
	checkpointFile = "checkpoint.json" // until it is finished
	lockFile       = "lock"            // likewise
)

// runDir is the directory of one run, which no other program writes to.
type runDir struct {
	path string
	lock *flock.Flock
}

// newRunDir makes a new directory for a run.
func newRunDir(c *config.Config, name string) (*runDir, error) {
	path, err := newDir(c, name)
	if err != nil {
		return nil, err
	}
	return lockDir(path)
}

// newDir makes a new directory below output.dir, of a name and a number:
// no2-gaussian-001. Names come from files and configurations of others: none leads
// out of output.dir.
func newDir(c *config.Config, name string) (string, error) {
	if err := os.MkdirAll(c.Output.Dir, 0o777); err != nil {
		return "", fmt.Errorf("output.dir: %w", err)
	}
	root, err := os.OpenRoot(c.Output.Dir)
	if err != nil {
		return "", fmt.Errorf("output.dir: %w", err)
	}
	defer root.Close()
	for i := 1; ; i++ {
		run := fmt.Sprintf("%s-%03d", name, i)
		err := root.Mkdir(run, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("output.dir: %w", err)
		}
		return filepath.Join(c.Output.Dir, run), nil
	}
}

// openRunDir opens the directory of a run that was interrupted.
func openRunDir(path string) (*runDir, error) {
	for _, name := range []string{configFile, checkpointFile} {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			return nil, err
		}
	}
	d, err := lockDir(path)
	if err != nil {
		return nil, err
	}
	return d, safefile.Clear(path)
}

// lockDir keeps other programs out of a directory, as long as this one runs. A lock
// that a killed program left behind is no obstacle.
func lockDir(path string) (*runDir, error) {
	d := &runDir{path, flock.New(filepath.Join(path, lockFile))}
	switch free, err := d.lock.TryLock(); {
	case err != nil:
		return nil, err
	case !free:
		return nil, fmt.Errorf("%s: another program is at work there: wait for its end, or choose another directory", path)
	}
	return d, nil
}

// finish removes what a finished run does not need.
func (d *runDir) finish() error {
	if err := os.Remove(d.file(checkpointFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(os.Remove(d.file(lockFile)), d.lock.Close())
}

// resumable reports whether the run can go on.
func (d *runDir) resumable() bool {
	_, err := os.Stat(d.file(checkpointFile))
	return err == nil
}

// safeName keeps letters, digits, dots, dashes and underscores: at most 80, a letter
// or digit first. Of nothing it makes "data".
func safeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
	return cmp.Or(strings.TrimLeft(safe[:min(len(safe), 80)], ".-_"), "data")
}

// remove removes the directory of a run that could not begin.
func (d *runDir) remove() error { return errors.Join(d.lock.Close(), os.RemoveAll(d.path)) }

func (d *runDir) file(name string) string { return filepath.Join(d.path, name) }

func (d *runDir) writeConfig(c *config.Config) error {
	return safefile.Write(d.file(configFile), c.YAML(), 0o666)
}

func (d *runDir) writeResult(m *model.Model, s *report.Summary) error {
	if err := m.Save(d.file(model.FileName)); err != nil {
		return err
	}
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return safefile.Write(d.file(summaryFile), append(out, '\n'), 0o666)
}

// readSummary reads the summary of a run; nil if there is none.
func (d *runDir) readSummary() (*report.Summary, error) {
	text, err := os.ReadFile(d.file(summaryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(report.Summary)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w: remove the file to do without", d.file(summaryFile), err)
	}
	return s, nil
}
