package workbench

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/page"
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
	Opened   bool      `json:"opened"`   // a model alone, of the file Table
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
		return listOpened(name, path)
	}
	c, err := configOf(b, path)
	if err != nil {
		return nil, err
	}
	r := &listed{
		Run: name, When: info.ModTime(), Table: tableOf(b, c), Target: s.Target, Preset: c.Preset, Rules: s.Rules, Metric: s.Metric,
		Seconds: s.Seconds,
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
	case c.Data.Path != b.options.Table:
		return b.named(c.Data.Path)
	}
	return c.Data.Path
}

// named returns the path of a file, without the directory of the tables if it is there.
func (b *Bench) named(path string) string {
	if filepath.Dir(path) == filepath.Clean(b.options.Tables) {
		return filepath.Base(path)
	}
	return path
}

// builtin is what the names of built-in tables begin with.
const builtin = "builtin:"

// table is where the rows of a table come from.
type table struct {
	name    string // as the page has it
	path    string // data.path
	builtin string // data.builtin, if path is empty
}

// find returns the table of a name: a built-in one, the one that the program was given, or an uploaded one.
func find(b *Bench, name string) (*table, error) {
	switch set, is := strings.CutPrefix(name, builtin); {
	case name == "":
		return nil, message.Usagef("table: name one")
	case is && !slices.Contains(data.Builtins(), set):
		return nil, message.Usagef("table: no built-in table %q: choose one of %s", set, strings.Join(data.Builtins(), ", "))
	case is:
		return &table{name: name, builtin: set}, nil
	case name == b.options.Table:
		return &table{name: name, path: name}, nil
	}
	path, err := inside(b.options.Tables, "table", name)
	if err != nil {
		return nil, err
	}
	switch names, err := tablesOf(b); {
	case err != nil:
		return nil, err
	case !slices.Contains(names, name):
		return nil, message.Usagef("table: no table %q: upload it first", name)
	}
	return &table{name: name, path: path}, nil
}

// runPath returns the directory of a run. That of the tables is none, whatever they are called.
func runPath(b *Bench, name string) (string, error) {
	path, err := inside(b.options.Runs, "run", name)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() { // a link may lead elsewhere
		return "", message.Usagef("run: no run %q", name)
	}
	if tables, err := os.Lstat(b.options.Tables); err == nil && os.SameFile(info, tables) {
		return "", message.Usagef("run: no run %q", name)
	}
	for _, file := range []string{runs.ConfigFile, runs.OpenedFile} {
		if info, err := os.Lstat(filepath.Join(path, file)); err == nil {
			if !info.Mode().IsRegular() {
				break
			}
			return path, nil
		}
	}
	return "", message.Usagef("run: no run %q", name)
}

// inside returns the path of a name in a directory; what is not the name of a file there is an error.
func inside(dir, key, name string) (string, error) {
	if !plain(name) {
		return "", message.Usagef("%s: %q is not a name: want letters, digits, dots, dashes and underscores", key, name)
	}
	return filepath.Join(dir, name), nil
}

// plain reports whether a text is the name of a file that has no meaning beyond that, in any system.
func plain(name string) bool { return name != "" && safefile.Name(name) == name }

// runsOf returns the names of the directories that may be runs; none if that of the runs does not exist.
func runsOf(b *Bench) (names []string, err error) {
	all, err := os.ReadDir(filepath.Clean(b.options.Runs))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range all {
		if plain(e.Name()) && e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// removed is the result of delete and forget.
type removed struct {
	Kept []string `json:"kept"` // files that are not of tskgraph, in directories of runs that stay with them, and tables that were changed
}

// answerDelete removes a run of the list: another directory with a config.yaml is not one of tskgraph.
func answerDelete(c call) (any, error) {
	run, path, err := namedRun(c)
	if err != nil {
		return nil, err
	}
	if _, err := listRun(c.Bench, run); err != nil {
		return nil, message.Usagef("run: %q is not a complete run, remove its directory yourself: %w", run, err)
	}
	c.last.forget()
	kept, err := runs.Remove(path, "report.html", "sheet.html")
	return removed{append([]string{}, kept...)}, err
}

// answerForget removes the uploaded tables and, of a private workbench, the runs.
func answerForget(c call) (any, error) {
	if err := c.decode(&struct{}{}); err != nil {
		return nil, err
	}
	c.last.forget()
	result := removed{Kept: []string{}}
	switch u, err := openUploaded(c.Bench, false); {
	case err == nil:
		defer u.Close()
		kept, err := u.forget()
		if result.Kept = append(result.Kept, kept...); err != nil {
			return nil, err
		}
	case unlessMissing(err) != nil:
		return nil, err
	}
	if !c.options.Private {
		return result, nil
	}
	all, err := runsOf(c.Bench)
	if err != nil {
		return nil, err
	}
	for _, name := range all {
		path, err := runPath(c.Bench, name)
		if err != nil {
			continue // not a run
		}
		kept, err := runs.Remove(path, "report.html", "sheet.html")
		if result.Kept = append(result.Kept, kept...); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// ofRun are the arguments of a method on a run.
type ofRun struct {
	Run string `json:"run"`
}

// namedRun returns the run that the arguments of a method on a run name, and its directory.
func namedRun(c call) (run, path string, err error) {
	var args ofRun
	if err := c.decode(&args); err != nil {
		return "", "", err
	}
	path, err = runPath(c.Bench, args.Run)
	return args.Run, path, err
}

// load reads the model of the run that the arguments name.
func load(c call, run string) (path string, m *model.Model, err error) {
	if path, err = runPath(c.Bench, run); err != nil {
		return "", nil, err
	}
	m, err = model.Load(path)
	return path, m, err
}

func answerReport(c call) (any, error) {
	var args ofRun
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	html, err := pageOn(c, args.Run, (*page.Page).Write)
	return struct {
		HTML string `json:"html"`
	}{string(html)}, err
}

// pageOn returns the page on a run that write writes: the report, or the sheet.
func pageOn(c call, run string, write func(*page.Page, io.Writer) error) ([]byte, error) {
	path, m, err := load(c, run)
	if err != nil {
		return nil, err
	}
	tables := prediction.Tables{Notes: io.Discard, Options: data.Options{Lenient: true}}
	in, err := tables.Page(c.ctx, m, path, "")
	if errors.Is(err, prediction.ErrNoTables) {
		return nil, message.Usagef("run: %q: %w, which a report needs", run, err)
	}
	if err != nil {
		return nil, err
	}
	p, err := page.New(in)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err = write(p, &b); errors.Is(err, page.ErrNoSheet) {
		err = message.Usage(err)
	}
	return b.Bytes(), err
}
