package runs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/optim"
)

// ReadSummary reads the summary of the run in a directory; nil if there is none.
func ReadSummary(dir string) (*report.Summary, error) {
	path := filepath.Join(dir, SummaryFile)
	text, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(report.Summary)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s: %w: remove the file to do without", path, err)
	}
	return s, nil
}

// ReadMetrics reads the metrics of the run in a directory, those of a committee member by member; nil if there are none.
func ReadMetrics(dir string) ([]optim.Metrics, error) {
	path := filepath.Join(dir, MetricsFile)
	f, err := safefile.OpenInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []optim.Metrics
	for lines := json.NewDecoder(bufio.NewReader(f)); ; {
		var m optim.Metrics
		switch err := lines.Decode(&m); {
		case err == io.EOF:
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: after line %d: %w: remove the file to do without", path, len(all), err)
		}
		all = append(all, m)
	}
}

// ReadCheckpoint reads the checkpoint of the run in a directory.
func ReadCheckpoint(dir string) (*tskgraph.Checkpoint, error) {
	path := filepath.Join(dir, CheckpointFile)
	f, err := safefile.OpenInside(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := tskgraph.DecodeCheckpoint(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}
