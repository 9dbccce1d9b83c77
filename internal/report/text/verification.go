package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/drift"
	"github.com/tskgraph/tskgraph/verify"
)

// WriteVerification writes the checks of a verification, one table per shape, then a line for
// each failure, and a summary line. Of a verification that found a fault it writes the lines of the fault alone.
func WriteVerification(w io.Writer, r *verify.Report) error {
	if r.Fault != nil {
		_, err := fmt.Fprintln(w, strings.Join(r.Fault, "\n"))
		return err
	}
	for _, checks := range byShape(r.Checks) {
		fmt.Fprintf(w, "%s (%d samples skipped: near a kink, or too far from a rule that fires)\n", checks[0].Membership, checks[0].Skipped)
		t := Table{Head: []string{"parameter", "routes", "max abs error", "max rel error", "tolerance", "worst at", ""}, Left: 2}
		before := ""
		for _, c := range checks {
			name := c.Parameter
			if name == before {
				name = ""
			}
			before = c.Parameter
			t.Add(name, c.Pair, tiny(c.MaxAbsErr), tiny(c.MaxRelErr), tiny(c.Tolerance), c.Worst, verdict(c.Passed))
		}
		fmt.Fprint(w, &t)
	}
	for _, line := range r.Failures() {
		fmt.Fprintln(w, line)
	}
	passed := 0
	for _, c := range r.Checks {
		if c.Passed {
			passed++
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d checks passed\n", passed, len(r.Checks))
	return err
}

// byShape groups adjacent checks of one shape.
func byShape(checks []verify.Check) [][]verify.Check {
	var parts [][]verify.Check
	for i, c := range checks {
		if i == 0 || c.Membership != checks[i-1].Membership {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], c)
	}
	return parts
}

func verdict(passed bool) string {
	if passed {
		return "ok"
	}
	return "FAILED"
}

func tiny(v float64) string { return fmt.Sprintf("%.1e", v) }

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

// WriteDrift writes a comparison of rows with those of training: what has changed, then the tables.
func WriteDrift(w io.Writer, r *drift.Report) error {
	for _, sentence := range r.Lead() {
		fmt.Fprintln(w, sentence)
	}
	for _, change := range r.Changes {
		fmt.Fprintln(w, "  - "+change)
	}
	for _, part := range r.Tables() {
		t := Table{Head: part.Head, Rows: part.Rows, Left: 1}
		fmt.Fprintf(w, "\n%s%s\n", &t, part.Note)
	}
	if r.Refit == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", r.Refit)
	return err
}
