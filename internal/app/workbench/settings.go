package workbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/model"
)

// settings are what a page says of a training. What is nil or empty is left to config.Init.
type settings struct {
	Table    string            `json:"table"`
	Preset   string            `json:"preset"` // empty: readable
	Target   []string          `json:"target"`
	LeaveOut *[]string         `json:"leave_out"`
	Units    map[string]string `json:"units"`
	Set      map[string]value  `json:"set"` // by key of the configuration, over all else
	Columns  ofColumns         `json:"columns"`
	From     *edited           `json:"from"`
	Page     *another          `json:"page"`

	found *table // that Table names, if it is known
}

// value is the value of a key: JSON, or a text as --set takes it.
type value string

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) != nil {
		var escaped bytes.Buffer
		json.HTMLEscape(&escaped, text) // two ends of lines in YAML among it
		s = escaped.String()
	}
	*v = value(s)
	return nil
}

// plan is what configurations of the settings are made of.
type plan struct {
	table   *table
	initial *config.Initial // nil for a built-in table
	builtin []config.Pair   // what the table is, if it is built in
	set     []config.Pair
}

// fixed are the keys that the table and the directory of the runs decide, besides those whose values are outside of the configuration.
var fixed = []string{"data.builtin", "output.tables"}

// prepare looks at the table of the settings.
func prepare(ctx context.Context, b *Bench, s settings) (*plan, error) {
	t, err := s.found, error(nil)
	if t == nil {
		if t, err = find(b, s.Table); err != nil {
			return nil, err
		}
	}
	if s.Preset == "" {
		s.Preset = presets[0].Name
	}
	p := &plan{table: t}
	if t.builtin != "" {
		p.builtin, err = ofBuiltin(t.builtin, s)
		p.set = slices.Clip(p.builtin)
	} else {
		p.initial, err = config.Init(data.Input{Name: t.path, Context: ctx}, config.InitOptions{
			Preset: s.Preset, Targets: s.Target, Ignore: s.noFeatures(), Units: s.Units, FromRules: s.From != nil,
		})
	}
	if err != nil {
		return nil, err
	}
	chosen, err := s.chosen()
	if err == nil && p.initial != nil {
		var parts []config.Pair
		parts, err = s.Columns.pairs(p, s.Set)
		p.set = append(p.set, parts...)
	}
	p.set = append(append(p.set, chosen...), config.Pair{Key: "output.dir", Value: b.options.Runs})
	return p, err
}

// chosen returns the values of keys that the page has set, none of which says what is read or written.
func (s settings) chosen() (set []config.Pair, err error) {
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		one := config.Pair{Key: key, Value: string(s.Set[key])}
		if one.Outside() || slices.Contains(fixed, key) || key == "model.init" && s.From != nil {
			return nil, message.Usagef("set: %s says what is read or written, which a page may not set: leave it out, or use the command", key)
		}
		set = append(set, one)
	}
	return set, nil
}

// ofBuiltin returns the settings of a built-in table.
func ofBuiltin(name string, s settings) ([]config.Pair, error) {
	if len(s.Units) > 0 || len(s.Columns) > 0 {
		return nil, message.Usagef("units, columns: those of a built-in table cannot be changed: leave them out")
	}
	set := []config.Pair{{Key: "preset", Value: s.Preset}, {Key: "data.builtin", Value: name}}
	if len(s.Target) > 0 {
		set = append(set, config.Pair{Key: "data.target", Value: inYAML(s.Target)})
	}
	if s.LeaveOut != nil && len(*s.LeaveOut) > 0 {
		set = append(set, config.Pair{Key: "data.ignore", Value: inYAML(*s.LeaveOut)})
	}
	return set, nil
}

// load returns the configuration of the plan with further keys.
func (p *plan) load(more ...config.Pair) (*config.Config, error) {
	source := config.Source{Pairs: slices.Concat(p.set, more)}
	if p.initial != nil {
		source.Path, source.Text = runs.ConfigFile, p.initial.YAML
	}
	return config.Load(source)
}

// usual returns the configuration without what the page has set.
func (p *plan) usual() (*config.Config, error) {
	if p.initial == nil {
		return config.Load(config.Source{Pairs: p.builtin})
	}
	return config.Load(config.Source{Path: runs.ConfigFile, Text: p.initial.YAML})
}

// inYAML returns names as a list in YAML.
func inYAML(names []string) string {
	text, err := json.Marshal(names)
	if err != nil {
		panic(fmt.Sprintf("workbench: %v", err)) // texts can always be written
	}
	return string(text)
}

// edited are the rules of a run, edited by people, with which a training starts.
type edited struct {
	Run   string `json:"run"`
	Rules string `json:"rules"` // rules.yaml
}

// another is a page like that of a run, of at most other numbers: all else that the run was trained with stays. With a preset it is a
// model of this preset instead, on the same parts of the table, with the same loss and seed.
type another struct {
	Run     string `json:"run"`
	Numbers int    `json:"numbers"`
	Preset  string `json:"preset"`
}

// config returns the configuration of the run with other numbers on the page, or that of the preset.
func (a *another) config(b *Bench, s settings) (*config.Config, error) {
	if s.From != nil || s.Table != "" || s.Preset != "" || s.Target != nil || s.LeaveOut != nil || s.Units != nil || s.Set != nil ||
		s.Columns != nil {
		return nil, message.Usagef("page: all settings are those of the run: leave out the others")
	}
	path, err := runPath(b, a.Run)
	if err != nil {
		return nil, err
	}
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	if m.Pages == nil {
		return nil, message.Usagef("page: %s has no page: the preset readable trains one", a.Run)
	}
	c, err := configOf(b, path)
	if err != nil {
		return nil, err
	}
	if c.Data.Path == "-" { // which the workbench would read from its terminal
		return nil, message.Usagef("page: %s was trained on standard input: name a table", a.Run)
	}
	set := []config.Pair{{Key: "output.dir", Value: b.options.Runs}}
	if a.Preset == "" {
		set = append(set, config.Pair{Key: "model.init", Value: recipe.PageInit},
			config.Pair{Key: "model.page", Value: strconv.Itoa(a.Numbers)})
		return config.Load(config.Source{Path: filepath.Join(path, runs.ConfigFile), Run: true, Pairs: set})
	}
	if a.Numbers != 0 {
		return nil, message.Usagef("page: the model of a preset has no numbers: leave them out")
	}
	for key, value := range c.Values() {
		if sameProblem(key, value) {
			set = append(set, config.Pair{Key: key, Value: value})
		}
	}
	return config.Load(config.Source{Pairs: append(set, config.Pair{Key: "preset", Value: a.Preset})})
}

// sameProblem reports whether a key says what is learned from which rows: models of different presets that share these are comparable. Of
// the squared error, and the cross-entropy, each preset has its own scale.
func sameProblem(key, value string) bool {
	switch key {
	case "task", "model.range", "train.target_weights", "train.class_weights", "train.label_smoothing", "train.seed":
		return true
	case "train.loss":
		return value != recipe.MeanLoss && value != recipe.SumLoss
	}
	return strings.HasPrefix(key, "data.") ||
		slices.ContainsFunc(loss.Params(), func(p loss.Param) bool { return key == "train."+p.Name })
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
	if s.Preset != "" || s.Target != nil || s.LeaveOut != nil || s.Units != nil || s.Columns != nil {
		return message.Usagef("table: name it, or leave out preset, target, leave_out, units and columns too: they are then those of the run")
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
	message.Note(task.Notes, "training starts with %d rules edited from %s, of which %d have parts that stay as they are", len(book.Rules),
		e.Run, kept)
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
	message.Note(task.Notes,
		"the curves of %s are left out: the splits of a race scale the columns otherwise, and training finds new ones unless a THEN part "+
			"stays as it is", e.Run)
	return text.Bytes(), err
}

// rulesOf returns the rules of the model of a run as rules.yaml, and notes on what is not there.
func rulesOf(path string) ([]byte, []string, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, nil, err
	}
	if m.Committee() {
		return nil, nil, message.Usagef("run: %s is a committee of %d models, each with rules of its own: tskgraph show --style yaml --member 1 "+
			"writes those of the first", filepath.Base(path), len(m.Members))
	}
	b, notes, err := prediction.Rules(m)
	if err != nil {
		return nil, nil, err
	}
	var text bytes.Buffer
	err = b.WriteYAML(&text)
	return text.Bytes(), notes, err
}
