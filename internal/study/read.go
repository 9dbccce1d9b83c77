package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/data"
)

// Read reads the set from a directory. A file whose SHA-256 is not that of the manifest
// is a *data.Error that names the first difference. A set of [OwnSets] is read from its
// own path, whatever dir is.
func (s Set) Read(dir string) (*data.Dataset, error) {
	if s.path != "" {
		return s.readOwn()
	}
	path := filepath.Join(dir, s.File)
	content, err := os.ReadFile(path)
	if err != nil {
		message := "cannot read the table: " + err.Error()
		if errors.Is(err, os.ErrNotExist) {
			message = "no such file; docs/datasets.md says where to get the data sets"
		}
		return nil, &data.Error{File: path, Message: message, Err: err}
	}
	if err := s.check(path, content); err != nil {
		return nil, err
	}
	return data.Read(path, data.Options{Target: s.Target, Delimiter: "comma", NoCategorical: true})
}

// check compares the content of a file with the manifest.
func (s Set) check(path string, content []byte) error {
	sum := sha256.Sum256(content)
	if hex.EncodeToString(sum[:]) == s.SHA256 {
		return nil
	}
	return &data.Error{File: path, Message: fmt.Sprintf("not the data of the study: %s; docs/datasets.md says how to make the file",
		s.difference(content, hex.EncodeToString(sum[:])))}
}

// difference describes the first difference between the content of a file and the
// manifest: line ends, columns, number of rows, or values.
func (s Set) difference(content []byte, sum string) string {
	header, _, _ := bytes.Cut(content, []byte("\n"))
	if bytes.HasSuffix(header, []byte("\r")) {
		return "lines end in CR LF, want LF"
	}
	columns := strings.Split(string(header), ",")
	for i, want := range s.Columns {
		if i >= len(columns) {
			return fmt.Sprintf("%d columns, want %d: column %q is missing", len(columns), len(s.Columns), want)
		}
		if columns[i] != want {
			return fmt.Sprintf("column %d is %q, want %q", i+1, shorten(columns[i]), want)
		}
	}
	if len(columns) > len(s.Columns) {
		return fmt.Sprintf("%d columns, want %d: column %q is not expected", len(columns), len(s.Columns), shorten(columns[len(s.Columns)]))
	}
	rows := bytes.Count(content, []byte("\n")) - 1
	if !bytes.HasSuffix(content, []byte("\n")) {
		rows++
	}
	if rows != s.Samples {
		return fmt.Sprintf("%d rows, want %d", rows, s.Samples)
	}
	return fmt.Sprintf("columns and number of rows match, but values, their digits or their order differ (sha256 %s, want %s)", sum, s.SHA256)
}

// shorten truncates a name for a message.
func shorten(name string) string {
	if len(name) > 40 {
		return strings.ToValidUTF8(name[:40], "") + "..."
	}
	return name
}
