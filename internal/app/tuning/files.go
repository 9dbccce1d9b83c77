package tuning

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
)

// The files of a search, besides config.yaml (the chosen one), summary.json and
// the files of package tune.
const (
	searchConfigFile = "search.yaml" // the configuration that the search started from
	TriedFile        = "tried.csv"
)

// writeStart writes the configuration that a search starts from, unless the file exists. The directory is locked.
func writeStart(dir string, c *config.Config) error {
	d, err := safefile.OpenDir(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := os.Lstat(d.Path(searchConfigFile)); err == nil {
		return nil
	}
	return d.Write(searchConfigFile, c.YAML(), 0o666)
}

// write writes the chosen configuration, the table of trials and the summary.
func write(dir string, c *config.Config, s *report.Tuning) error {
	var table bytes.Buffer
	if err := s.WriteCSV(&table); err != nil {
		return err
	}
	summary, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	d, err := safefile.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(
		d.Write(runs.ConfigFile, c.YAML(), 0o666),
		d.Write(TriedFile, table.Bytes(), 0o666),
		d.Write(runs.SummaryFile, append(summary, '\n'), 0o666),
		d.Close(),
	)
}
