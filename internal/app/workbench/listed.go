package workbench

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// listed is a run in a list.
type listed struct {
	Run      string    `json:"run"`
	When     time.Time `json:"when"` // it ended
	Table    string    `json:"table"`
	Target   string    `json:"target"`
	Preset   string    `json:"preset"`
	Rules    int       `json:"rules"`
	Metric   string    `json:"metric"`
	Train    *float64  `json:"error_train"`
	Test     *float64  `json:"error_test"` // null without a test part
	Seconds  float64   `json:"seconds"`
	Stopped  bool      `json:"stopped"`  // before training was complete
	Edited   bool      `json:"edited"`   // training started with edited rules: it has a start.yaml
	Warnings []string  `json:"warnings"` // that the model is no better than a baseline, that its rules should not be read one by one
}

func answerRuns(c call) (any, error) {
	if err := c.decode(&struct{}{}); err != nil {
		return nil, err
	}
	return listRuns(c.Bench)
}

// listRuns returns the runs that have a model, the latest first. A directory whose files are damaged is left out: others may keep
// their own there.
func listRuns(b *Bench) ([]listed, error) {
	names, err := runsOf(b)
	if err != nil {
		return nil, err
	}
	all := []listed{}
	for _, name := range names {
		if r, err := listRun(b, name); err == nil {
			all = append(all, *r)
		}
	}
	slices.SortStableFunc(all, func(x, y listed) int { return y.When.Compare(x.When) })
	return all, nil
}

// listRun returns a run of a name.
func listRun(b *Bench, name string) (*listed, error) {
	path, err := runPath(b, name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(path, model.FileName))
	if err != nil {
		return nil, err
	}
	s, err := runs.ReadSummary(path)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fs.ErrNotExist
	}
	c, err := configOf(b, path)
	if err != nil {
		return nil, err
	}
	r := &listed{
		Run: name, When: info.ModTime(), Table: tableOf(b, c), Target: s.Target, Preset: c.Preset, Rules: s.Rules, Metric: s.Metric, Seconds: s.Seconds,
		Stopped: s.Stopped != optim.StoppedCompleted && s.Stopped != optim.StoppedPatience,
	}
	r.Train, r.Test = errorsOf(s)
	if r.Warnings, err = warningsOf(path, s); err != nil {
		return nil, err
	}
	_, err = os.Stat(filepath.Join(path, runs.StartFile))
	r.Edited = err == nil
	return r, nil
}

// warningsOf returns what to mind about the model of the run in a directory.
func warningsOf(path string, s *report.Summary) (warnings []string, err error) {
	if s.Verdict.Warning() != "" { // with the names of the model's baselines
		m, err := model.Load(path)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, "The model"+strings.TrimPrefix(s.Verdict.Of(m).Warning(), "the model"))
	}
	if text := s.Readability.Remark(); text != "" {
		warnings = append(warnings, text)
	}
	return warnings, nil
}

// configOf reads the configuration of the run in a directory.
func configOf(b *Bench, path string) (*config.Config, error) {
	return config.Load(config.Source{Path: filepath.Join(path, runs.ConfigFile), Run: true})
}

// tableOf returns the name of the table of a configuration, as the page has it.
func tableOf(b *Bench, c *config.Config) string {
	switch {
	case c.Data.Path == "":
		return builtin + c.Data.Builtin
	case c.Data.Path != b.options.Table && filepath.Dir(c.Data.Path) == filepath.Clean(b.options.Tables):
		return filepath.Base(c.Data.Path)
	}
	return c.Data.Path
}
