package prediction

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/runs"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/report/dossier"
	"github.com/tskgraph/tskgraph/model"
)

// Dossier returns what a dossier says of the model of a run, without what people say of its purpose. The caller calls done when the
// dossier is computed. A table of the run that is no longer there is a *data.Error.
func (t Tables) Dossier(ctx context.Context, m *model.Model, dir string) (in dossier.Input, done func() error, err error) {
	done = func() error { return nil }
	in = dossier.Input{Model: m, Program: program()}
	if in.Summary, err = runs.ReadSummary(dir); err != nil {
		return in, done, err
	}
	if err := present(dir, in.Summary); err != nil {
		return in, done, err
	}
	t.Options.Run, t.Options.Lenient = true, true
	var closers []*data.Parts
	done = func() (err error) {
		for _, p := range closers {
			err = errors.Join(err, p.Close())
		}
		return err
	}
	for name, to := range map[string]**data.Dataset{"train.csv": &in.Train, "calibration.csv": &in.Calibration,
		"validation.csv": &in.Validation, "test.csv": &in.Test} {
		path := PartTable(dir, name)
		if path == "" {
			continue
		}
		parts, err := LoadTable(ctx, t.Notes, m, path, t.Options)
		if err != nil {
			return in, done, err
		}
		closers, *to = append(closers, parts), parts.Test
	}
	if in.Described, err = Describe(ctx, t.Notes, m, Saved{Path: dir}); err != nil {
		return in, done, err
	}
	if in.Stability, err = readStability(dir, in); err != nil {
		return in, done, err
	}
	in.Certificate, err = safefile.ReadInside(filepath.Join(dir, certify.FileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return in, done, err
	}
	if in.Files, err = hashes(dir); err != nil {
		return in, done, err
	}
	return in, done, configured(dir, &in)
}

// present refuses a run without its tables. A run without a test part has none.
func present(dir string, s *report.Summary) error {
	lost := ""
	if PartTable(dir, "train.csv") == "" {
		lost = "train.csv"
	} else if s != nil && s.SamplesTest > 0 && PartTable(dir, "test.csv") == "" {
		lost = "test.csv"
	}
	if lost == "" {
		return nil
	}
	what := fmt.Sprintf("the run has no such table any more, and a dossier measures the model on it: put it back, or train again with "+
		"output.tables: true (tskgraph train --config %s)", escape.ShellLine(filepath.Join(dir, runs.ConfigFile)))
	return &data.Error{File: filepath.Join(dir, lost), Message: what, Err: fs.ErrNotExist}
}

// readStability reads what `stability --json` printed to the directory of a run; nil without. One of another model is an error.
func readStability(dir string, in dossier.Input) (*report.Stability, error) {
	path := filepath.Join(dir, dossier.StabilityFile)
	content, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(report.Stability)
	if err := json.Unmarshal(content, s); err != nil || s.Dependence == nil {
		return nil, fmt.Errorf("%s: not what tskgraph stability --json prints: %w: remove the file to do without", path,
			cmp.Or(err, errors.New("it has no seeds")))
	}
	on := cmp.Or(in.Test, in.Train)
	if len(s.Seeds) == 0 || s.Seeds[0] != in.Model.Training.Seed || s.Target != in.Model.Schema.Target || s.Samples != on.Len() {
		return nil, fmt.Errorf("%s: it is of other rows or of another seed than this run: remove the file, or measure it again", path)
	}
	return s, nil
}

// hashes returns the hashes of the files of a run that its dossier is about.
func hashes(dir string) (all []dossier.File, err error) {
	for _, name := range append(runs.Files(), dossier.StabilityFile, certify.FileName) {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() || name == runs.CheckpointFile {
			continue
		}
		sum, err := table.HashFile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, dossier.File{Name: name, SHA256: sum})
	}
	return all, nil
}

// configured adds what the configuration of a run says of the table and of promises. It reads the text alone: files that the configuration
// names need not be there.
func configured(dir string, in *dossier.Input) error {
	path := filepath.Join(dir, runs.ConfigFile)
	text, err := safefile.ReadInside(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var all map[string]yaml.Node
	if err := yaml.Unmarshal(text, &all); err != nil {
		return &config.Error{Where: path, Message: err.Error()}
	}
	values := map[string]map[string]yaml.Node{}
	for _, section := range []string{"data", "model"} {
		var keys map[string]yaml.Node
		if node, ok := all[section]; ok && node.Decode(&keys) == nil {
			values[section] = keys
		}
	}
	if in.Source = values["data"]["path"].Value; in.Source == "" {
		in.Source = "the built-in data " + values["data"]["builtin"].Value
	}
	for _, key := range []string{"roles", "interactions", "monotone", "signs", "range", "bounds"} {
		if node, ok := values["model"][key]; ok {
			text, err := yaml.Marshal(&node)
			if err != nil {
				return err
			}
			in.Options = append(in.Options, [2]string{"model." + key, strings.TrimSpace(string(text))})
		}
	}
	return nil
}

// program names the running program and what its figures depend on.
func program() [][2]string {
	b := buildinfo.Read()
	all := [][2]string{{"tskgraph", tskgraph.Version}, {"go", b.Go}, {"platform", b.OS + "/" + b.Arch}, {"kernel", b.Kernel}}
	if b.Revision != "" {
		all = append(all, [2]string{"revision", b.Sources()})
	}
	return all
}
