package certify

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/model"
)

// ErrBroken is wrapped by the error about a promise that is refuted or open.
var ErrBroken = errors.New("broken promise")

// Summary is a certificate without the boxes of its proofs.
type Summary struct {
	Model  string  `json:"model"`
	Domain Domain  `json:"domain"`
	Proved int     `json:"proved"`
	Claims []Claim `json:"claims"`
}

// Summary returns the certificate without proofs.
func (c *Certificate) Summary() Summary {
	s := Summary{Model: c.Model, Domain: c.Domain}
	for _, claim := range c.Claims {
		claim.Steps, claim.Rules = nil, nil
		if claim.Status == Proved {
			s.Proved++
		}
		s.Claims = append(s.Claims, claim)
	}
	return s
}

// Broken returns an error that wraps [ErrBroken] about the first promise that is refuted or open; nil if all are proved.
func (c *Certificate) Broken() error {
	for _, claim := range c.Claims {
		if claim.Promised && claim.Status != Proved {
			return fmt.Errorf("%w: %s: %s", ErrBroken, claim, claim.Status)
		}
	}
	return nil
}

// Name returns the kind of the claim as a table shows it.
func (c Claim) Name() string {
	name := map[string]string{Slope: "change per unit", Jump: "change at steps", Decides: "decided", Partition: "grades sum to one"}[c.Kind]
	if c.Kind == Rounding {
		name = fmt.Sprintf("error in %d bits", c.Bits)
	} else if name == "" {
		name = c.Kind
	}
	if c.Output == "" {
		return name
	}
	return name + " of " + escape.Text(c.Output)
}

// Says returns the bounds or the direction of the claim.
func (c Claim) Says() string {
	switch {
	case c.Kind == Monotone:
		return c.Direction
	case c.Kind == Decides:
		return fmt.Sprintf("by one rule: %.4g%% of the domain", 100*(1-c.Undecided))
	case c.Kind == Rounding && c.High != nil:
		return fmt.Sprintf("at most %.2g", *c.High)
	case c.Low == nil || c.High == nil:
		return ""
	case len(c.Attained) == 2 && c.Attained[0] == 0 && c.Attained[1] == 0 && *c.Low == -*c.High:
		return fmt.Sprintf("0, within %.1g", *c.High)
	case *c.High >= math.MaxFloat64:
		return fmt.Sprintf("at least %.5g", *c.Low)
	case *c.Low <= -math.MaxFloat64:
		return fmt.Sprintf("at most %.5g", *c.High)
	}
	unit := math.Max(math.Abs(*c.Low), math.Abs(*c.High)) * 1e-6 // below it, a bound is rounding
	return fmt.Sprintf("%.5g to %.5g", settled(*c.Low, unit), settled(*c.High, unit))
}

func settled(v, unit float64) float64 {
	if math.Abs(v) < unit {
		return 0
	}
	return v
}

// Seen returns the least and the largest value that was seen at rows that were drawn.
func (c Claim) Seen() string {
	if len(c.Attained) != 2 {
		return ""
	}
	return fmt.Sprintf("%.5g to %.5g", c.Attained[0], c.Attained[1])
}

// State returns what is known of the claim, in words.
func (c Claim) State() string {
	promise := ""
	if c.Promised {
		promise = ", promised"
	}
	switch {
	case c.Status != Open:
		return string(c.Status) + promise
	case c.Reason != "":
		return "open" + promise + ": " + c.Reason
	}
	return fmt.Sprintf("open%s in %.1f%% of the domain", promise, 100*c.Undecided)
}

// String returns the domain in words.
func (d Domain) String() string {
	var of []string
	for _, c := range d.Columns {
		name := escape.Quote(c.Name)
		if c.Range != nil {
			name += fmt.Sprintf(" from %.5g to %.5g", c.Range[0], c.Range[1])
		} else {
			name += fmt.Sprintf(" of %d levels or a new one", len(c.Levels))
		}
		if c.Missing {
			name += ", or missing"
		}
		of = append(of, name)
	}
	return strings.Join(of, "; ")
}

// CSV returns rows of a domain as CSV with a header.
func CSV(d Domain, rows [][]string) string {
	var header []string
	for _, c := range d.Columns {
		header = append(header, c.Name)
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range append([][]string{header}, rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape.Text(cell)
		}
		_ = w.Write(cells) // into memory: it cannot fail
	}
	w.Flush()
	return b.String()
}

// Beside returns the certificate in a run's directory, or beside a model file, if it is of the model; nil without one. Its proofs are
// not checked again.
func Beside(path string, m *model.Model) *Certificate {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		path = filepath.Dir(path)
	}
	f, err := safefile.OpenInside(filepath.Join(path, FileName))
	if err != nil {
		return nil
	}
	defer f.Close()
	c, err := Decode(f)
	if err != nil {
		return nil
	}
	if hash, err := Hash(m); err != nil || hash != c.Model {
		return nil
	}
	return c
}

// Sentences returns what the certificate says about predictions: a line for each claim that is proved or promised, the rows that refute
// a promise, and how to check the proofs.
func (c *Certificate) Sentences() (lines []string) {
	if c == nil {
		return nil
	}
	for _, claim := range c.Claims {
		if claim.Kind == Decides || claim.Status != Proved && !claim.Promised {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s", claim.Status, claim))
		for i, row := range claim.Rows {
			lines = append(lines, fmt.Sprintf("  row %d that refutes it: %s", i+1, escape.Text(strings.Join(row, ","))))
		}
	}
	return append(lines, "for all rows of the domain: "+c.Domain.String(),
		"as "+FileName+" says, whose proofs tskgraph certify --check computes again")
}
