package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/safefile"
	"github.com/tskgraph/tskgraph/optim"
)

// metricsWriter writes a line of JSON per iteration.
type metricsWriter struct {
	mu   sync.Mutex // guards buf
	file *os.File
	buf  *bufio.Writer
	enc  *json.Encoder
}

func (d *runDir) openMetrics() (*metricsWriter, error) {
	f, err := d.Append(metricsFile, 0o666)
	if err != nil {
		return nil, err
	}
	buf := bufio.NewWriter(f)
	return &metricsWriter{file: f, buf: buf, enc: json.NewEncoder(buf)}, nil
}

func (w *metricsWriter) write(m optim.Metrics) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.enc.Encode(m)
}

// sync brings all lines so far to the disk.
func (w *metricsWriter) sync() error {
	w.mu.Lock()
	err := w.buf.Flush()
	w.mu.Unlock()
	return errors.Join(err, safefile.Fsync(w.file))
}

func (w *metricsWriter) close() error { return errors.Join(w.sync(), w.file.Close()) }

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

// metricsOf says of which iteration a line is.
type metricsOf struct {
	Member    int `json:"member"`
	Iteration int `json:"iteration"`
}

// cutMetrics drops the lines beyond a checkpoint, which are going to be written again.
func (d *runDir) cutMetrics(c *tskgraph.Checkpoint) error {
	text, err := os.ReadFile(d.file(metricsFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	made := c.Iterations()
	have := make([]int, len(made))
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		var m metricsOf
		if json.Unmarshal(line, &m) != nil || line[len(line)-1] != '\n' {
			continue // it was being written
		}
		k := max(m.Member-1, 0) // a single model has no number
		if k < len(made) && m.Iteration == have[k]+1 && m.Iteration <= made[k] {
			have[k]++
			kept.Write(line)
		}
	}
	for k := range made {
		if have[k] < made[k] {
			return fmt.Errorf("%s: iteration %d is missing, but the checkpoint is of iteration %d: the file was changed: restore it, or train again", d.file(metricsFile), have[k]+1, made[k])
		}
	}
	return d.Write(metricsFile, kept.Bytes(), 0o666)
}

// sortMetrics brings the lines of each member of a committee together. They train side
// by side, so that lines come in any order.
func (d *runDir) sortMetrics() error {
	text, err := os.ReadFile(d.file(metricsFile))
	if err != nil {
		return err
	}
	type entry struct {
		metricsOf
		line []byte
	}
	var entries []entry
	for line := range bytes.Lines(text) {
		e := entry{line: line}
		if err := json.Unmarshal(line, &e.metricsOf); err != nil {
			return fmt.Errorf("%s: %w", d.file(metricsFile), err)
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.Member, b.Member) })
	var sorted bytes.Buffer
	for _, e := range entries {
		sorted.Write(e.line)
	}
	return d.Write(metricsFile, sorted.Bytes(), 0o666)
}
