package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/internal/base/escape"
)

// WriteCertificate writes the claims of a certificate as a table, and the rows that refute claims as CSV.
func WriteCertificate(w io.Writer, c certify.Summary) error {
	t := Table{Head: []string{"claim", "column", "", "seen", "status"}, Left: 3}
	for _, claim := range c.Claims {
		t.Add(claim.Name(), escape.Text(claim.Column), claim.Says(), claim.Seen(), claim.State())
	}
	var b strings.Builder
	fmt.Fprint(&b, &t)
	for _, claim := range c.Claims {
		if claim.Status == certify.Refuted {
			fmt.Fprintf(&b, "refuted: %s\n%s", claim, certify.CSV(c.Domain, claim.Rows))
		}
	}
	fmt.Fprintf(&b, "%d of %d claims are proved, for all rows of the domain: %s\n", c.Proved, len(c.Claims), c.Domain)
	_, err := io.WriteString(w, b.String())
	return err
}
