// Package runs trains and prunes in the directory of a run, which holds model.json, config.yaml,
// metrics.jsonl (a line per iteration), summary.json, the rows of each part, and a checkpoint until the run is finished.
//
// [Create] makes the directory of a new run, [Resume] opens that of an interrupted one; both lock it. Then call
// [Run.Train], [Run.Prune] or [Run.PrunePath]:
//
//	run, err := runs.Create("runs", "no2-gaussian", note)
//	if err != nil {
//		return err
//	}
//	defer run.Close()
//	result, summary, err := run.Train(ctx, job)
//
// A training that ends early leaves the best model so far. Every file is written completely or not at all, so that a run
// killed at any moment can be resumed, and ends with the bits of an uninterrupted one.
//
// The package does not write to a terminal: messages for the user go to the function note. [ReadSummary],
// [ReadMetrics] and [ReadCheckpoint] read the files of a run.
package runs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// The files of a run, besides the model, which is named [model.FileName], and the tables of the parts.
const (
	ConfigFile     = "config.yaml"     // the resolved configuration
	MetricsFile    = "metrics.jsonl"   // a line per iteration
	SummaryFile    = "summary.json"    // see report.Summary
	CheckpointFile = "checkpoint.json" // until the run is finished
	PathFile       = "path.csv"        // the steps of a pruning path
	StartFile      = "start.yaml"      // the rules that training began with, if a page sent them
	OpenedFile     = "opened"          // in place of all others, the name of the file that a page opened the model from
)

// Files returns the names that the files of a run may have.
func Files() []string {
	return []string{model.FileName, ConfigFile, MetricsFile, SummaryFile, CheckpointFile, PathFile, StartFile, OpenedFile,
		"train.csv", "calibration.csv", "validation.csv", "test.csv"}
}

// Errors of [Resume].
var (
	ErrNone     = errors.New("no run to resume")
	ErrFinished = errors.New("the run is finished; nothing to resume")
)

// Run is a run whose directory is locked: no other process writes to it.
type Run struct {
	path   string
	dir    *safefile.Dir
	note   func(string)
	resume *tskgraph.Checkpoint // nil: a new run
	begun  bool                 // the directory is that of this training, see begin
}

// NewDir makes a new directory below root, which is created if necessary, and returns its path: the name and a number,
// such as no2-gaussian-001. Neither a name nor a symbolic link leads out of root.
func NewDir(root, name string) (string, error) {
	d, err := safefile.MakeDir(root)
	if err != nil {
		return "", err
	}
	defer d.Close()
	for i := 1; ; i++ {
		numbered := fmt.Sprintf("%s-%03d", name, i)
		err := d.MakeNew(numbered)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return filepath.Join(root, numbered), nil
	}
}

// Create makes the directory of a new run, as [NewDir] does, and locks it. The function note receives messages for the
// user, one at a time; it may be nil.
func Create(root, name string, note func(string)) (*Run, error) {
	path, err := NewDir(root, name)
	if err != nil {
		return nil, err
	}
	r, err := claim(path, note)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	return r, nil
}

// Resume locks the directory of an interrupted run, and reads its checkpoint. The error wraps [ErrNone] if there is no such
// run, and [ErrFinished] if the run is finished.
func Resume(path string, note func(string)) (*Run, error) {
	if exists(path, SummaryFile) && !exists(path, CheckpointFile) {
		return nil, fmt.Errorf("%s: %w", path, ErrFinished)
	}
	for _, name := range []string{ConfigFile, CheckpointFile} {
		if _, err := os.Stat(filepath.Join(path, name)); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %w", ErrNone, err)
		} else if err != nil {
			return nil, err
		}
	}
	if f, err := safefile.OpenInside(filepath.Join(path, StartFile)); err == nil { // the configuration names it
		_ = f.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	r, err := claim(path, note)
	if err != nil {
		return nil, err
	}
	if r.resume, err = ReadCheckpoint(path); err == nil {
		err = r.dir.Clear(".")
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// claim locks the directory of a run.
func claim(path string, note func(string)) (*Run, error) {
	d, unlocked, err := safefile.Claim(path, "a run", func([]string) bool { return true })
	if err != nil {
		return nil, err
	}
	if note == nil {
		note = func(string) {}
	}
	if unlocked != "" {
		note(unlocked)
	}
	return &Run{path: path, dir: d, note: note}, nil
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// Path returns the path of the directory.
func (r *Run) Path() string { return r.path }

// File returns the path of a file in the directory.
func (r *Run) File(name string) string { return filepath.Join(r.path, name) }

// Write writes a file in the directory, completely or not at all.
func (r *Run) Write(name string, content []byte) error { return r.dir.Write(name, content, 0o666) }

// Iterations returns the number of iterations before the run was resumed, of all members together.
func (r *Run) Iterations() int {
	sum := 0
	if r.resume != nil {
		for _, n := range r.resume.Iterations() {
			sum += n
		}
	}
	return sum
}

// Resumable reports whether a training that ended early left a checkpoint to resume from. A run whose data or configuration
// have changed is not resumable.
func (r *Run) Resumable() bool { return r.begun && exists(r.path, CheckpointFile) }

// Close unlocks the directory.
func (r *Run) Close() error { return r.dir.Close() }

// Discard removes the directory of a new run that failed to start.
func (r *Run) Discard() error { return errors.Join(r.Close(), os.RemoveAll(r.path)) }

// ReadSummary reads the summary of the run in a directory; nil if there is none.
func ReadSummary(dir string) (*report.Summary, error) {
	path := filepath.Join(dir, SummaryFile)
	text, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(report.Summary)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w: remove the file to do without", path, err)
	}
	return s, nil
}

// ReadMetrics reads the metrics of the run in a directory, those of a committee member by member; nil if there are none.
func ReadMetrics(dir string) ([]optim.Metrics, error) {
	path := filepath.Join(dir, MetricsFile)
	f, err := safefile.OpenInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []optim.Metrics
	for lines := json.NewDecoder(bufio.NewReader(f)); ; {
		var m optim.Metrics
		switch err := lines.Decode(&m); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: after line %d: %w: remove the file to do without", path, len(all), err)
		}
		all = append(all, m)
	}
}

// ReadCheckpoint reads the checkpoint of the run in a directory.
func ReadCheckpoint(dir string) (*tskgraph.Checkpoint, error) {
	path := filepath.Join(dir, CheckpointFile)
	f, err := safefile.OpenInside(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := tskgraph.DecodeCheckpoint(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Remove removes the files of a run, and others of the given names, then its directory. A directory that has further files is
// kept with them: kept has their names. A run at which another process works is an error.
func Remove(path string, others ...string) (kept []string, err error) {
	d, _, err := safefile.Claim(path, "a run", func(held []string) bool {
		return slices.Contains(held, ConfigFile) || slices.Contains(held, OpenedFile)
	})
	if err != nil {
		return nil, err
	}
	err = d.Clear(".")
	for _, name := range slices.Concat(Files(), []string{certify.FileName}, others) {
		err = errors.Join(err, d.Remove(name))
	}
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	if kept, err = safefile.Held(path); err != nil || len(kept) > 0 {
		return kept, err
	}
	if err := os.Remove(filepath.Join(path, safefile.LockName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.Remove(path); err != nil {
		return nil, fmt.Errorf("the files of the run are removed, its directory is not: %w", err)
	}
	return nil, nil
}
