package fit

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/text"
	"github.com/tskgraph/tskgraph/model"
)

// publish writes the files of a run to the directory of the job, the summary last. Each is written whole: another attempt
// replaces them by the same.
func publish(ctx context.Context, w *work, run *runs.Run, summary *report.Summary, statistics *Statistics) error {
	summary.RunDir, summary.Model, summary.Data = w.Dir, files.Join(w.Dir, model.FileName), w.config.Data.Name()
	var printed strings.Builder
	if err := text.WriteSummary(&printed, summary); err != nil {
		return err
	}
	message.Warn(&w.notes, summary)
	statistics.Notes, statistics.Summary = linesOf(w.notes.String()), linesOf(printed.String())
	text, err := statistics.json()
	if err != nil {
		return err
	}
	if err := write(ctx, files.Join(w.Dir, StatisticsFile), text); err != nil {
		return err
	}
	for _, name := range runs.Files() {
		if name == runs.SummaryFile {
			continue
		}
		if err := copyFile(ctx, filepath.Join(run.Path(), name), files.Join(w.Dir, name)); err != nil {
			return err
		}
	}
	out, err := json.MarshalIndent(summary, "", "  ")
	if err != nil {
		return err
	}
	return write(ctx, files.Join(w.Dir, runs.SummaryFile), append(out, '\n'))
}

func linesOf(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
