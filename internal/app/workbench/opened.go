package workbench

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/model"
)

// answerOpen makes a run of a model file, without rows and configuration, unless the model is that of a run already. It returns the run.
func answerOpen(c call) (any, error) {
	var args struct {
		Name  string `json:"name"` // of the file
		Model string `json:"model"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	m, err := model.Decode(strings.NewReader(args.Model))
	if err != nil {
		return nil, &data.Error{File: args.Name, Message: err.Error(), Err: err}
	}
	names, err := runsOf(c.Bench)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(c.options.Runs, name)
		if text, err := safefile.ReadInside(filepath.Join(path, model.FileName)); err == nil && string(text) == args.Model {
			return ofRun{name}, nil
		}
	}
	stem, _ := divide(args.Name)
	if args.Name == model.FileName {
		stem = safefile.Name(m.Schema.Target)
	}
	path, err := runs.NewDir(c.options.Runs, stem)
	if err != nil {
		return nil, err
	}
	_ = os.Chmod(path, 0o700) // as private
	err = errors.Join(os.WriteFile(filepath.Join(path, model.FileName), []byte(args.Model), 0o600),
		os.WriteFile(filepath.Join(path, runs.OpenedFile), []byte(args.Name), 0o600))
	return ofRun{filepath.Base(path)}, err
}

// listOpened lists a run of a model alone.
func listOpened(name, path string) (*listed, error) {
	from, err := safefile.ReadInside(filepath.Join(path, runs.OpenedFile))
	if err != nil {
		return nil, err
	}
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(filepath.Join(path, model.FileName))
	if err != nil {
		return nil, err
	}
	return &listed{Run: name, When: info.ModTime(), Table: string(from), Target: strings.Join(m.Schema.Targets(), ", "),
		Rules: model.CountRules(m), Opened: true}, nil
}

// configured is the result of settings: the arguments of train by which a table is trained on as a configuration says.
type configured struct {
	Table    string            `json:"table"` // that the configuration names, or that was given
	Preset   string            `json:"preset"`
	Target   []string          `json:"target"`
	LeaveOut []string          `json:"leave_out"`
	Units    map[string]string `json:"units"`
	Set      map[string]any    `json:"set"`
	Left     []string          `json:"left"` // keys that are left out, since they say what is read or written
}

// answerSettings returns the settings of a config.yaml; without a table only which it names.
func answerSettings(c call) (any, error) {
	var args struct {
		Config string `json:"config"`
		Table  string `json:"table"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	wanted, err := config.Load(config.Source{Path: runs.ConfigFile, Text: []byte(args.Config)})
	if err != nil {
		return nil, err
	}
	of := configured{Table: args.Table, Preset: wanted.Preset, Target: wanted.Data.Targets(),
		LeaveOut: append([]string{}, wanted.Data.Ignore...), Units: wanted.Data.Units, Set: map[string]any{}, Left: []string{}}
	if args.Table == "" {
		of.Table = filepath.Base(wanted.Data.Path)
		if wanted.Data.Path == "" {
			of.Table = builtin + wanted.Data.Builtin
		}
		return of, nil
	}
	s := settings{Table: args.Table, Preset: of.Preset, Target: of.Target, LeaveOut: &of.LeaveOut, Units: of.Units}
	p, err := prepare(c.ctx, c.Bench, s)
	if err != nil {
		return nil, err
	}
	usual, err := p.load()
	if err != nil {
		return nil, err
	}
	of.Units = map[string]string{}
	for name := range usual.Data.Units {
		of.Units[name] = "" // of a name that ends in a unit
	}
	maps.Copy(of.Units, wanted.Data.Units)
	return of, of.differ(p, usual.Values(), wanted.Values())
}

// chosenApart are the keys that the page has fields of its own for.
var chosenApart = []string{"preset", "data.path", "data.target", "data.ignore", "data.units"}

// differ sets the values in which the wanted configuration differs from the usual one of the plan.
func (of *configured) differ(p *plan, usual, wanted map[string]string) error {
	var set []config.Pair
	for key, text := range wanted {
		one := config.Pair{Key: key, Value: text}
		switch {
		case usual[key] == text || slices.Contains(chosenApart, key) || strings.HasPrefix(key, "output."):
		case one.Outside() || slices.Contains(fixed, key):
			of.Left = append(of.Left, key)
		default:
			set = append(set, one)
		}
	}
	slices.Sort(of.Left)
	const race = "train.race" // which the others may decide
	short := slices.DeleteFunc(slices.Clone(set), func(one config.Pair) bool { return one.Key == race })
	if got, err := p.load(short...); err == nil && got.Values()[race] == wanted[race] {
		set = short
	}
	for _, one := range set {
		var v any
		if err := yaml.Unmarshal([]byte(one.Value), &v); err != nil {
			return err
		}
		of.Set[one.Key] = v
	}
	_, err := p.load(set...)
	return err
}
