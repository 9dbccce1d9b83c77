package text

import (
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/internal/drift"
)

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
