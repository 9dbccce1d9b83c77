package training

import (
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
)

// Warn writes what to mind about the model: that its rules should not be read one by one, and that it is no better than a baseline.
func Warn(w io.Writer, s *report.Summary) {
	if text := s.Readability.Remark(); text != "" {
		fmt.Fprintln(w, text)
	}
	WarnOf(w, s.Verdict)
}

// WarnOf writes a warning if the model is no better than a baseline.
func WarnOf(w io.Writer, v *baseline.Verdict) {
	if text := v.Warning(); text != "" {
		fmt.Fprintf(w, "WARNING: %s\n", text)
	}
}
