package workbench

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/model"
)

// edited are the rules of a run, edited by people, with which a training starts.
type edited struct {
	Run   string `json:"run"`
	Rules string `json:"rules"` // rules.yaml
}

// complete fills in the table, the columns and the preset of the run whose rules were edited if the settings name no table.
func complete(b *Bench, s *settings) error {
	if s.From == nil {
		return nil
	}
	path, err := runPath(b, s.From.Run)
	if err != nil || s.Table != "" {
		return err
	}
	if s.Preset != "" || s.Target != nil || s.LeaveOut != nil || s.Units != nil {
		return message.Usagef("table: name it, or leave out preset, target, leave_out and units too: they are then those of the run")
	}
	c, err := configOf(b, path)
	if err != nil {
		return err
	}
	if c.Data.Path == "-" { // which the workbench would read from its terminal
		return message.Usagef("table: %s was trained on standard input: name a table", s.From.Run)
	}
	s.Table, s.Preset = tableOf(b, c), c.Preset
	s.found = &table{name: s.Table, path: c.Data.Path, builtin: c.Data.Builtin}
	if c.Data.Path != "" {
		s.Target, s.LeaveOut, s.Units = c.Data.Targets(), &c.Data.Ignore, c.Data.Units
	}
	return nil
}

// begin makes the directory of a run that starts with edited rules, which it writes there, and the configuration that names them.
func (e *edited) begin(p *plan, task *runs.Task) error {
	book, err := byhand.ReadYAML(strings.NewReader(e.Rules), runs.StartFile)
	if err != nil {
		return err
	}
	if task.Config, err = p.load(); err != nil {
		return err
	}
	text, err := e.start(book, task)
	if err != nil {
		return err
	}
	dir, err := runs.New(task.Config, runs.RunName(task.Config), task.Notes)
	if err != nil {
		return err
	}
	private(dir)
	if err = dir.Write(runs.StartFile, text); err == nil {
		task.Config, err = p.load(config.Pair{Key: "model.init", Value: dir.File(runs.StartFile)})
	}
	if err != nil {
		return errors.Join(err, dir.Discard())
	}
	task.Dir = dir
	kept := 0
	for _, r := range book.Rules {
		if r.Keep != 0 {
			kept++
		}
	}
	message.Note(task.Notes, "training starts with %d rules edited from %s, of which %d have parts that stay as they are", len(book.Rules), e.Run, kept)
	return nil
}

// start returns the rules as rules.yaml for a training. Curves are in the scaled units of the run that they are of, and each split of a
// race has others: for a race they are left out.
func (e *edited) start(book *byhand.Rulebook, task *runs.Task) ([]byte, error) {
	if book.Saved == nil || book.Saved.Curves == nil || len(task.Config.Recipe.Train.Race) == 0 {
		return []byte(e.Rules), nil
	}
	saved := *book.Saved
	saved.Curves, saved.Knots = nil, nil
	book.Saved = &saved
	var text bytes.Buffer
	err := book.WriteYAML(&text)
	message.Note(task.Notes, "the curves of %s are left out: the splits of a race scale the columns otherwise, and training finds new ones unless a THEN part stays as it is", e.Run)
	return text.Bytes(), err
}

// rulesOf writes the rules of the model of a run as rules.yaml.
func rulesOf(w io.Writer, path string) error {
	m, err := model.Load(path)
	if err != nil {
		return err
	}
	if m.Committee() {
		return message.Usagef("run: %s is a committee of %d models, each with rules of its own: tskgraph show --style yaml --member 1 writes those of the first", filepath.Base(path), len(m.Members))
	}
	b, err := byhand.FromModel(m)
	if err != nil {
		return message.Usage(err)
	}
	return b.WriteYAML(w)
}
