package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

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
)

// runDir is the directory of one run, which no other process writes to.
type runDir struct {
	path          string
	*safefile.Dir // to write to; nil for a run that is only read
}

// newRunDir makes a new directory for a run; note receives what the user should know.
func newRunDir(c *config.Config, name string, note func(string, ...any)) (*runDir, error) {
	path, err := newDir(c, name)
	if err != nil {
		return nil, err
	}
	d, err := lockDir(path, note)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return d, nil
}

// newDir makes a new directory below output.dir, of a name and a number:
// no2-gaussian-001. Names come from files and configurations of others: none leads
// out of output.dir.
func newDir(c *config.Config, name string) (string, error) {
	root, err := safefile.MakeDir(c.Output.Dir)
	if err != nil {
		return "", fmt.Errorf("output.dir: %w", err)
	}
	defer root.Close()
	for i := 1; ; i++ {
		run := fmt.Sprintf("%s-%03d", name, i)
		err := root.MakeNew(run)
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
func openRunDir(path string, note func(string, ...any)) (*runDir, error) {
	for _, name := range []string{configFile, checkpointFile} {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			return nil, err
		}
	}
	return lockDir(path, note)
}

// lockDir opens a directory and keeps other processes out of it until Close.
func lockDir(path string, note func(string, ...any)) (*runDir, error) {
	d, err := safefile.OpenDir(path)
	if err != nil {
		return nil, err
	}
	unlocked, err := d.Lock()
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if unlocked != "" {
		note("%s", unlocked)
	}
	return &runDir{path, d}, nil
}

// finish removes what a finished run does not need.
func (d *runDir) finish() error { return errors.Join(d.Remove(checkpointFile), d.Close()) }

// resumable reports whether the run can go on.
func (d *runDir) resumable() bool {
	_, err := os.Stat(d.file(checkpointFile))
	return err == nil
}

// remove removes the directory of a run that could not begin.
func (d *runDir) remove() error { return errors.Join(d.Close(), os.RemoveAll(d.path)) }

func (d *runDir) file(name string) string { return filepath.Join(d.path, name) }

func (d *runDir) writeConfig(c *config.Config) error {
	return d.Write(configFile, c.YAML(), 0o666)
}

func (d *runDir) writeResult(m *model.Model, s *report.Summary) error {
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		return err
	}
	if err := d.Write(model.FileName, b.Bytes(), 0o644); err != nil {
		return err
	}
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return d.Write(summaryFile, append(out, '\n'), 0o666)
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
