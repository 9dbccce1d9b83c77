package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/rules"
)

const (
	fileFormat  = "tskgraph model"
	fileVersion = 5 // of the file format; files of all versions from 1 are read

	// FileName is the name of the model file in the directory of a run.
	FileName = "model.json"
)

// ErrFile is wrapped by every error about the content of a model file.
var ErrFile = errors.New("model file")

// envelope is the model file: format, version, and the content with its checksum.
type envelope struct {
	Format   string          `json:"format"`
	Version  int             `json:"version"`
	Checksum string          `json:"checksum"` // sha256 of the content, white space removed
	Content  json.RawMessage `json:"content"`
}

// checkedContent returns the content of a model after checking that it can be read back.
func checkedContent(m *Model) (*content, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	for _, one := range append([]*Model{m}, m.Members...) {
		if one.Committee() {
			continue
		}
		err := one.RuleBase.Validate()
		if err == nil {
			err = rules.Restorable(one.RuleBase)
		}
		if err != nil {
			return nil, err
		}
	}
	c := newContent(m)
	_, err := c.model()
	return c, err
}

// Encode writes the model as JSON. The same model gives the same bytes.
func (m *Model) Encode(w io.Writer) error {
	out, err := m.encoded()
	if err != nil {
		return fmt.Errorf("model: not saved: %w", err)
	}
	_, err = w.Write(append(out, '\n'))
	return err
}

// encoded returns the text of the file, which can be read back.
func (m *Model) encoded() ([]byte, error) {
	c, err := checkedContent(m)
	if err != nil {
		return nil, err
	}
	inner, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	out, err := json.MarshalIndent(envelope{fileFormat, fileVersion, checksum(inner), inner}, "", " ")
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, &bounded{in: bytes.NewReader(out)})
	return out, err
}

// Save writes the model to a file atomically.
func (m *Model) Save(path string) error {
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		return err
	}
	return safefile.Write(path, b.Bytes(), 0o644)
}

// Decode reads and checks a model. Unknown, missing and duplicate fields, a wrong checksum, wrong sizes, and values that are not finite
// or outside their domain are errors that name the field and wrap [ErrFile]. A file is never executed; its size is limited to 1 GiB, and
// the memory in use to a multiple of its size.
func Decode(r io.Reader) (*Model, error) {
	m, err := decoded(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return m, nil
}

func decoded(r io.Reader) (*Model, error) {
	text, err := readValue(r)
	if err != nil {
		return nil, err
	}
	var e envelope
	if err := strictly(text, &e); err != nil {
		return nil, err
	}
	switch {
	case e.Format != fileFormat:
		return nil, fmt.Errorf("format is %s, not %q: not a tskgraph model file", escape.Quote(e.Format), fileFormat)
	case e.Version < 1 || e.Version > fileVersion:
		return nil, fmt.Errorf("version is %d; this program reads versions 1 to %d", e.Version, fileVersion)
	}
	var inner bytes.Buffer
	var c content
	if err = json.Compact(&inner, e.Content); err == nil {
		if sum := checksum(inner.Bytes()); sum != e.Checksum {
			return nil, fmt.Errorf("checksum: the content is damaged or was edited (its checksum is %s, the file states %s)",
				sum, escape.Quote(e.Checksum))
		}
		err = strictly(inner.Bytes(), &c)
	}
	var m *Model
	if err == nil {
		m, err = c.model()
	}
	if err != nil {
		return nil, fmt.Errorf("content: %w", err)
	}
	return m, nil
}

// Load reads a model from a file, or from the file named FileName in a directory, which must be a regular file and no link.
// An error about the file's content wraps ErrFile and names the file.
func Load(path string) (*Model, error) {
	open := os.Open
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path, open = filepath.Join(path, FileName), safefile.OpenInside
	}
	f, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	defer f.Close()
	m, err := Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Clean(path), err)
	}
	return m, nil
}

func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
