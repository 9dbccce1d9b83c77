package workbench

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/report/page"
	"github.com/tskgraph/tskgraph/model"
)

// exported is a target of export.
type exported struct {
	Target string `json:"target"`
	File   string `json:"file"`
	Doc    string `json:"doc"`
	// Asks has the options that the target requires: table, the name of the table that a query reads, and key, the column that
	// identifies its rows.
	Asks []string `json:"asks"`
}

// own are the targets that are files of a run, and how each is made.
var own = []struct {
	exported
	write func(c call, run, path string) (content []byte, notes []string, err error)
}{
	{exported{model.FileName, model.FileName, "the model, for every command of tskgraph", []string{}},
		func(_ call, _, path string) ([]byte, []string, error) {
			text, err := safefile.ReadInside(filepath.Join(path, model.FileName))
			return text, nil, err
		}},
	{exported{"report.html", "report.html", "the report, a page without a server", []string{}},
		func(c call, run, _ string) ([]byte, []string, error) {
			html, err := pageOn(c, run, (*page.Page).Write)
			return html, nil, err
		}},
	{exported{"sheet.html", "sheet.html", "one page of paper, for people who do not know rules of this kind", []string{}},
		func(c call, run, _ string) ([]byte, []string, error) {
			html, err := pageOn(c, run, (*page.Page).WriteSheet)
			return html, nil, err
		}},
	{exported{"rules.yaml", "rules.yaml", "the rules, to be edited, imported or trained further", []string{}},
		func(_ call, _, path string) ([]byte, []string, error) { return rulesOf(path) }},
	{exported{runs.ConfigFile, runs.ConfigFile, "the configuration, which gives this model again", []string{}},
		func(c call, _, path string) ([]byte, []string, error) {
			text, err := portable(c.Bench, path)
			return text, nil, err
		}},
	{exported{runs.StartFile, runs.StartFile, "the edited rules that training started with, which the configuration names", []string{}},
		func(_ call, run, path string) ([]byte, []string, error) {
			text, err := safefile.ReadInside(filepath.Join(path, runs.StartFile))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil, message.Usagef("target: %s did not start with edited rules", run)
			}
			return text, nil, err
		}},
}

// exports returns all targets: the files of a run, then those that are registered.
func exports() []exported {
	var all []exported
	for _, o := range own {
		all = append(all, o.exported)
	}
	for _, t := range export.Targets() {
		e := exported{Target: t.Name(), File: t.File, Doc: t.Meaning, Asks: []string{}}
		for _, name := range []string{export.OptionTable, export.OptionKey} {
			if slices.Contains(t.Options, name) {
				e.Asks = append(e.Asks, name)
			}
		}
		all = append(all, e)
	}
	return all
}

// file is an exported file.
type file struct {
	Name   string   `json:"name"`
	Type   string   `json:"type"`
	Base64 string   `json:"base64"`
	Notes  []string `json:"notes"`
}

func answerExport(c call) (any, error) {
	var args struct {
		ofRun
		Target string `json:"target"`
		Table  string `json:"table"`
		Key    string `json:"key"`
	}
	if err := c.decode(&args); err != nil {
		return nil, err
	}
	path, m, err := load(c, args.Run)
	if err != nil {
		return nil, err
	}
	for _, o := range own {
		if o.Target == args.Target {
			content, notes, err := o.write(c, args.Run, path)
			return newFile(args.Run+"-"+o.File, content, notes), err
		}
	}
	target, err := export.Lookup(args.Target)
	if err != nil {
		var names []string
		for _, e := range exports() {
			names = append(names, e.Target)
		}
		return nil, message.Usagef("target: no target %q: choose %s%s", args.Target, strings.Join(names, ", "), registry.Hint(args.Target, names))
	}
	return exportTo(c, target, args.Run, path, m, export.Options{Stem: args.Run, Table: args.Table, Key: args.Key})
}

// exportTo exports a model as the command does. Several files are one archive.
func exportTo(c call, target export.Target, run, path string, m *model.Model, options export.Options) (any, error) {
	result, err := prediction.Export(c.ctx, io.Discard, m, target, options, prediction.Saved{Path: path})
	if err != nil {
		return nil, err
	}
	result.Files[0].Name = run + filepath.Ext(target.File)
	if len(result.Files) == 1 {
		return newFile(result.Files[0].Name, result.Files[0].Data, result.Notes), nil
	}
	content, err := archive(result.Files)
	return newFile(fmt.Sprintf("%s-%s.zip", run, target.Name()), content, result.Notes), err
}

// archive returns a ZIP archive of files.
func archive(files []export.File) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// types are the media types of files by extension; others are application/octet-stream.
var types = map[string]string{
	".json": "application/json", ".html": "text/html; charset=utf-8", ".yaml": "application/yaml", ".zip": "application/zip",
	".csv": "text/csv; charset=utf-8", ".parquet": "application/vnd.apache.parquet",
	".c": "text/plain; charset=utf-8", ".go": "text/plain; charset=utf-8", ".py": "text/plain; charset=utf-8",
	".sql": "text/plain; charset=utf-8",
	".fis": "text/plain; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// newFile returns an exported file.
func newFile(name string, content []byte, notes []string) file {
	kind, known := types[filepath.Ext(name)]
	if !known {
		kind = "application/octet-stream"
	}
	return file{name, kind, base64.StdEncoding.EncodeToString(content), append([]string{}, notes...)}
}

// portable returns the configuration of a run. A private workbench names the table and the rules without their directory, for
// another computer, as the page saves them.
func portable(b *Bench, path string) ([]byte, error) {
	c, err := configOf(b, path)
	if err != nil {
		return nil, err
	}
	if b.options.Private && c.Data.Path != "" {
		c.Data.Path = filepath.Base(c.Data.Path)
	}
	if b.options.Private && c.Recipe.Model.FromRules() {
		c.Recipe.Model.Init = savedStart(path)
	}
	return c.YAML(), nil
}

// portableSet changes values of --set as portable does.
func portableSet(b *Bench, path string, set []string) {
	for i, s := range set {
		if table, is := strings.CutPrefix(s, "data.path="); is && b.options.Private {
			set[i] = "data.path=" + filepath.Base(table)
		}
		if strings.HasPrefix(s, "model.init=") && strings.HasSuffix(s, runs.StartFile) && b.options.Private {
			set[i] = "model.init=" + savedStart(path)
		}
	}
}

// savedStart is where model.init finds the rules that the page saves of the run in a directory.
func savedStart(path string) string { return "./" + filepath.Base(path) + "-" + runs.StartFile }

// answerCommand returns commands that train the model of a run again: with the configuration that export writes, and without it.
func answerCommand(c call) (any, error) {
	run, path, err := namedRun(c)
	if err != nil {
		return nil, err
	}
	lines := []string{escape.ShellLine("tskgraph", "train", "--config", run+"-"+runs.ConfigFile)}
	wanted, err := configOf(c.Bench, path)
	if err != nil {
		return nil, err
	}
	set, err := settingsOf(wanted)
	if err != nil {
		return nil, err
	}
	portableSet(c.Bench, path, set)
	if set != nil {
		words := []string{"tskgraph", "train"}
		for _, s := range set {
			words = append(words, "--set", s)
		}
		lines = append(lines, escape.ShellLine(words...))
	}
	return struct {
		Lines []string `json:"lines"`
	}{lines}, nil
}

// settingsOf returns the values of --set that give a configuration; nil if --set cannot.
func settingsOf(wanted *config.Config) ([]string, error) {
	values := wanted.Values()
	set := []string{"preset=" + wanted.Preset}
	for _, key := range []string{"data.path", "data.builtin", "data.target"} {
		if value, has := values[key]; has {
			one, err := setting(key, value)
			if err != nil {
				return nil, err
			}
			set = append(set, one)
		}
	}
	base, err := config.Load(config.Source{Set: set})
	if err != nil {
		return nil, err
	}
	usual, differ := base.Values(), []string{}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if values[key] != usual[key] {
			differ = append(differ, key)
		}
	}
	for _, leave := range []string{"train.race", ""} { // the other keys may say what its settings are
		tried := slices.Clone(set)
		for _, key := range differ {
			if key == leave {
				continue
			}
			one, err := setting(key, values[key])
			if err != nil {
				return nil, err
			}
			tried = append(tried, one)
		}
		if got, err := config.Load(config.Source{Set: tried}); err == nil && bytes.Equal(got.YAML(), wanted.YAML()) {
			return tried, nil
		}
	}
	return nil, nil
}

// setting returns a key with its value in one line, for --set.
func setting(key, value string) (string, error) {
	var v any
	if err := yaml.Unmarshal([]byte(value), &v); err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	if text, is := v.(string); is {
		return key + "=" + text, nil
	}
	if !strings.Contains(value, "\n") && !strings.HasPrefix(value, "- ") {
		return key + "=" + value, nil
	}
	text, err := json.Marshal(v)
	return key + "=" + string(text), err
}
