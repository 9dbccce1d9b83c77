package certify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/model"
)

const (
	format  = "tskgraph certificate"
	version = 1

	// FileName is the name of the certificate in the directory of a run.
	FileName = "certificate.json"
)

// ErrCertificate is wrapped by every error about the content of a certificate.
var ErrCertificate = errors.New("certificate")

// Certificate is a list of claims about a model with the proofs of those that are proved.
type Certificate struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	Model   string  `json:"model"` // see [Hash]
	Domain  Domain  `json:"domain"`
	Claims  []Claim `json:"claims"`
	Covers  [][]Box `json:"covers"`
}

// Hash returns what names a model in a certificate: sha256 of the bytes of its file, as [model.Model.Encode] writes it.
func Hash(m *model.Model) (string, error) {
	var file bytes.Buffer
	if err := m.Encode(&file); err != nil {
		return "", err
	}
	sum := sha256.Sum256(file.Bytes())
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// Encode writes the certificate as JSON, a line for each claim and each box.
func (c *Certificate) Encode(w io.Writer) error {
	var b bytes.Buffer
	line := func(prefix string, v any, suffix string) error {
		text, err := json.Marshal(v)
		b.WriteString(prefix)
		b.Write(escape.JSON(text))
		b.WriteString(suffix)
		return err
	}
	err := line("{\"format\":", c.Format, ",")
	err = errors.Join(err, line("\"version\":", c.Version, ",\n"), line("\"model\":", c.Model, ",\n"), line("\"domain\":", c.Domain, ",\n"))
	b.WriteString("\"claims\":[")
	for i, claim := range c.Claims {
		err = errors.Join(err, line(separator(i), claim, ""))
	}
	b.WriteString("],\n\"covers\":[")
	for i, cover := range c.Covers {
		b.WriteString(separator(i) + "[")
		for k, box := range cover {
			err = errors.Join(err, line(separator(k), box, ""))
		}
		b.WriteString("]")
	}
	b.WriteString("]}\n")
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	return err
}

func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}

// Decode reads a certificate. Unknown fields and other formats are errors that wrap [ErrCertificate].
func Decode(r io.Reader) (*Certificate, error) {
	c, d := &Certificate{}, json.NewDecoder(r)
	d.DisallowUnknownFields()
	switch err := d.Decode(c); {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrCertificate, err)
	case c.Format != format || c.Version != version:
		return nil, fmt.Errorf("%w: format %s, version %d; this program reads %s, version %d", ErrCertificate, escape.Quote(c.Format), c.Version,
			format, version)
	}
	return c, nil
}
