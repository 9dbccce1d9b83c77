package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"github.com/tskgraph/tskgraph/config"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/report"
)

// The files of a run.
const (
	configFile  = "config.yaml"
	metricsFile = "metrics.jsonl"
	summaryFile = "summary.json"
)

// runDir is the directory of one run.
type runDir struct{ path string }

// newRunDir makes a new directory below output.dir, of a name and a number:
// no2-gaussian-001. Names come from files and configurations of others: none leads
// out of output.dir.
func newRunDir(c *config.Config, name string) (*runDir, error) {
	if err := os.MkdirAll(c.Output.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("output.dir: %w", err)
	}
	root, err := os.OpenRoot(c.Output.Dir)
	if err != nil {
		return nil, fmt.Errorf("output.dir: %w", err)
	}
	defer root.Close()
	for i := 1; ; i++ {
		run := fmt.Sprintf("%s-%03d", name, i)
		err := root.Mkdir(run, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("output.dir: %w", err)
		}
		return &runDir{filepath.Join(c.Output.Dir, run)}, nil
	}
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
func (d *runDir) remove() error { return os.RemoveAll(d.path) }

func (d *runDir) file(name string) string { return filepath.Join(d.path, name) }

func (d *runDir) writeConfig(c *config.Config) error {
	return maybe.WriteFile(d.file(configFile), c.YAML(), 0o666)
}

func (d *runDir) writeResult(m *model.Model, s *report.Summary) error {
	if err := m.Save(d.file(model.FileName)); err != nil {
		return err
	}
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return maybe.WriteFile(d.file(summaryFile), append(out, '\n'), 0o666)
}

// metricsWriter writes a line of JSON per iteration.
type metricsWriter struct {
	file *os.File
	buf  *bufio.Writer
	enc  *json.Encoder
}

func (d *runDir) createMetrics() (*metricsWriter, error) {
	f, err := os.Create(d.file(metricsFile))
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriter(f)
	return &metricsWriter{f, buf, json.NewEncoder(buf)}, nil
}

func (w *metricsWriter) write(m optim.Metrics) error { return w.enc.Encode(m) }

func (w *metricsWriter) close() error { return errors.Join(w.buf.Flush(), w.file.Close()) }

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

// readMetrics reads the lines that a metricsWriter wrote; none if there is no such
// file.
func (d *runDir) readMetrics() ([]optim.Metrics, error) {
	f, err := os.Open(d.file(metricsFile))
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
			return nil, fmt.Errorf("%s: after line %d: %w: remove the file to do without", d.file(metricsFile), len(all), err)
		}
		all = append(all, m)
	}
}
