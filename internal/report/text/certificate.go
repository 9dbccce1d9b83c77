package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// Certificate returns the claims of a certificate as a table.
func Certificate(c certify.Summary) *Table {
	t := &Table{Head: []string{"claim", "column", "", "seen", "status"}, Left: 3}
	for _, claim := range c.Claims {
		t.Add(claim.Name(), escape.Text(claim.Column), claim.Says(), claim.Seen(), state(claim))
	}
	return t
}

// WriteCertificate writes the claims of a certificate as a table, and the rows that refute claims as CSV.
func WriteCertificate(w io.Writer, c certify.Summary) error {
	var b strings.Builder
	fmt.Fprint(&b, Certificate(c))
	for _, claim := range c.Claims {
		if claim.Status == certify.Refuted {
			fmt.Fprintf(&b, "refuted: %s\n%s", claim, certify.CSV(c.Domain, claim.Rows))
		}
	}
	fmt.Fprintf(&b, "%d of %d claims are proved, for all rows of the domain: %s\n", c.Proved, len(c.Claims), c.Domain)
	_, err := io.WriteString(w, b.String())
	return err
}

// state returns what is known of a claim.
func state(c certify.Claim) string {
	promise := ""
	if c.Promised {
		promise = ", promised"
	}
	switch {
	case c.Status != certify.Open:
		return string(c.Status) + promise
	case c.Reason != "":
		return "open" + promise + ": " + c.Reason
	}
	return fmt.Sprintf("open%s in %s of the domain", promise, percent(c.Undecided))
}
