package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// WriteParts writes train.csv, calibration.csv, validation.csv and test.csv to dir, for the parts that Load returned. A part
// of a table holds its rows unchanged, byte by byte, under the same header: all columns, the same delimiter. WriteParts
// reads the source again, row by row; a source that has changed is an *Error. The parts of a built-in data set are written
// with full precision. An existing file is an error. The files and dir are synced.
func (s Source) WriteParts(dir string, p *Parts) error {
	d, err := safefile.OpenDir(dir)
	if err != nil {
		return fmt.Errorf("data: writing the parts: %w", err)
	}
	defer d.Close()
	if err := s.writeParts(dir, p); err != nil {
		return err
	}
	if err := d.Sync(); err != nil {
		return fmt.Errorf("data: writing the parts: %w", err)
	}
	return nil
}

func (s Source) writeParts(dir string, p *Parts) error {
	if s.Path == "" {
		for _, part := range p.all() {
			if err := writeDataset(filepath.Join(dir, part.file), part.data); err != nil {
				return err
			}
		}
		return nil
	}
	first, rest := p.all(), []namedPart(nil)
	if s.TestPath != "" {
		first, rest = (&Parts{Train: p.Train, Calibration: p.Calibration, Validation: p.Validation}).all(), (&Parts{Test: p.Test}).all()
	}
	return errors.Join(s.copyParts(dir, s.Path, first), s.copyParts(dir, s.TestPath, rest))
}

// copyParts writes the rows of parts of the table at path: those of samples and queries from memory.
func (s Source) copyParts(dir, path string, parts []namedPart) error {
	var again []namedPart
	for _, part := range parts {
		if part.data.table == nil {
			again = append(again, part)
			continue
		}
		if err := part.data.table.write(filepath.Join(dir, part.file)); err != nil {
			return err
		}
		part.data.table = nil // frees its memory; another call reads the table again
	}
	if again == nil {
		return nil
	}
	return s.copyRows(dir, path, again)
}

// write writes the rows to a new file.
func (o *original) write(path string) (err error) {
	f, err := createPart(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	f.record(o.header)
	for _, record := range o.records {
		f.record(record)
	}
	return nil
}

// copyRows copies the rows of each part from the table at path to the part's file.
func (s Source) copyRows(dir, path string, parts []namedPart) (err error) {
	in := table.Input{Name: path}
	if path == s.Path {
		in = s.Input(path)
	}
	in.Samples, in.Learn = parts[0].data.Schema.Samples(), true
	t, err := table.OpenTable(in, s.Delimiter)
	if err != nil {
		return err
	}
	defer t.Close()
	records := table.NewRecorder(t)
	copies := make([]*rowCopy, len(parts))
	for i, part := range parts {
		if copies[i], err = newRowCopy(filepath.Join(dir, part.file), part.data, t, records); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, copies[i].Close()) }()
	}
	for {
		switch err := t.Next(); {
		case err == io.EOF:
			for _, c := range copies {
				if c.next < c.data.Len() {
					return changed(t, c.data.Rows[c.next])
				}
			}
			return nil
		case err != nil:
			return err
		}
		for _, c := range copies {
			if err := c.offer(t); err != nil {
				return err
			}
		}
	}
}

// rowCopy writes the rows of one part as they pass by.
type rowCopy struct {
	*partFile
	data     *Dataset
	targets  []*table.Coder
	exposure *table.Coder // nil: none
	next     int          // sample whose row is awaited
	records  *table.Recorder
}

func newRowCopy(path string, d *Dataset, t *table.Cursor, records *table.Recorder) (*rowCopy, error) {
	targets, err := table.KnownTargets(t, d.Schema)
	if err != nil {
		return nil, err
	}
	exposure, err := table.KnownExposure(t, d.Schema)
	if err != nil {
		return nil, err
	}
	f, err := createPart(path)
	if err != nil {
		return nil, err
	}
	f.record(records.Header(t))
	return &rowCopy{partFile: f, data: d, targets: targets, exposure: exposure, records: records}, nil
}

// offer writes the current row of the table if it belongs to the part.
func (c *rowCopy) offer(t *table.Cursor) error {
	if c.next == c.data.Len() || c.data.Rows[c.next] != t.Row {
		return nil
	}
	exposure, err := 1.0, error(nil)
	if c.exposure != nil {
		if exposure, err = c.exposure.Value(t); err != nil {
			return changed(t, t.Row)
		}
	}
	for k, column := range c.targets {
		if y, err := column.Value(t); err != nil || y/exposure != c.data.Target(k).Y[c.next] {
			return changed(t, t.Row)
		}
	}
	c.next++
	c.record(c.records.Verbatim(t))
	return nil
}

func changed(t *table.Cursor, row int) error {
	return table.Faultf(t.Name, "the table changed while it was used: row %d differs", row)
}

// writeDataset writes a Dataset of numeric columns and one target, which is last.
func writeDataset(path string, d *Dataset) (err error) {
	f, err := createPart(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	f.record(strings.Join(append(d.Schema.Features(), d.Schema.Target), ","))
	var line []byte
	for i, x := range d.X {
		line = line[:0]
		for _, v := range x {
			line = append(numeric.AppendShortest(line, v), ',')
		}
		if classes := d.Schema.Classes; classes != nil {
			f.record(string(append(line, classes[int(d.Y[i])]...)))
			continue
		}
		f.record(string(numeric.AppendShortest(line, d.Y[i])))
	}
	return nil
}

// partFile is a file of records under way. Close reports what failed, from the first write on.
type partFile struct {
	*bufio.Writer
	file *os.File
}

func createPart(path string) (*partFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("data: writing the parts: %w", err)
	}
	return &partFile{Writer: bufio.NewWriter(f), file: f}, nil
}

// record writes a record, with a line end if it has none. Errors stay in the bufio.Writer until Close.
func (f *partFile) record(raw string) {
	_, _ = f.WriteString(raw)
	if n := len(raw); n == 0 || raw[n-1] != '\n' {
		_ = f.WriteByte('\n')
	}
}

func (f *partFile) Close() error {
	if err := errors.Join(f.Flush(), safefile.Fsync(f.file), f.file.Close()); err != nil {
		return fmt.Errorf("data: writing the parts: %w", err)
	}
	return nil
}
