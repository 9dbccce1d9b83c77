//go:build !nofigures

package cli

import (
	"bytes"
	"io"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
)

// drawPath writes the figures of a path to the directory of the run: path.svg and path.png.
func drawPath(_ io.Writer, r *runs.Run, s *report.Summary, m *model.Model) error {
	target, unit := model.Measured(m)
	figure, err := plot.PruningPath(s.Path, s.Rules, target, unit)
	if err != nil {
		return err
	}
	for _, format := range plot.Formats() {
		var drawn bytes.Buffer
		if err := figure.Write(&drawn, format); err != nil {
			return err
		}
		if err := r.Write("path."+format, drawn.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
