package dossier

import (
	"bytes"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/internal/report/text"
)

// promises says what the configuration promises, and what the certificate of the run proves for all rows of a domain. Each box of its
// proofs is checked again.
func (b *builder) promises() error {
	for _, o := range b.Options {
		b.add("", "The configuration asks for %s: %s.", o[0], o[1])
	}
	const check = "tskgraph certify . --check " + certify.FileName
	if b.Certificate == nil {
		b.add("tskgraph certify .", "Nothing is proved: the run has no %s. The command below makes one.", certify.FileName)
		return nil
	}
	c, err := certify.Decode(bytes.NewReader(b.Certificate))
	if err == nil {
		err = c.Check(b.m)
	}
	if err != nil {
		b.add(check, "WARNING: %s is refused, so that nothing is proved: %v. The command tskgraph certify . makes another.", certify.FileName,
			err).Warning = true
		return nil
	}
	s := c.Summary()
	t := text.Certificate(s)
	b.addTable(check, len(t.Head), t.Head, t.Rows, "%d of %d claims are proved, for all rows of a domain: %s. Each box of the proofs was checked again.",
		s.Proved, len(s.Claims), s.Domain)
	for _, claim := range s.Claims {
		if claim.Status == certify.Refuted {
			i := b.add(check, "Refuted by the rows below: %s.", claim)
			i.Printed, i.Warning = certify.CSV(s.Domain, claim.Rows), claim.Promised
		}
	}
	return nil
}
