// Package score predicts the rows of many tables, as `tskgraph predict` does, with the workers of a cluster.
//
// An element of the pipeline is a shard (package shard): a file or a part of a large one. A worker reads it, and writes the rows with
// the predictions beside their place and renames them, so that a shard that is repeated leaves one whole file with the same bytes. The
// model's file is read once and reaches the workers in the pipeline; a worker parses it once.
package score

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/beam/cluster"
	"github.com/tskgraph/tskgraph/beam/files"
	"github.com/tskgraph/tskgraph/beam/shard"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/command"
	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/model"
)

// Options say what to score.
type Options struct {
	Input  []string // files, or patterns of files
	Model  string   // a model file, or the directory of a run
	Output string   // a directory, or a pattern with one star
	Split  int64    // see shard.Options
	Flags  command.Prediction
}

// job is a job that was checked.
type job struct {
	Options
	in         []files.Info
	flags      command.Prediction
	model      *model.Model
	modelPath  string
	text       []byte // of the model file
	modelHash  [sha256.Size]byte
	background []byte // in JSON; empty: without explanations
	naming     naming
}

func (j *job) split() shard.Options {
	return shard.Options{Split: j.Split, Delimiter: j.flags.Delimiter}
}

// newJob checks the options, of which set has the flags. Notes go to w.
func newJob(ctx context.Context, o Options, set *pflag.FlagSet, w io.Writer) (*job, error) {
	j := &job{Options: o, flags: o.Flags, modelPath: modelFile(ctx, o.Model)}
	text, m, err := readModel(ctx, j.modelPath)
	if err != nil {
		return nil, err
	}
	j.model, j.text, j.modelHash = m, text, sha256.Sum256(text)
	if j.in, err = list(ctx, o.Input); err != nil {
		return nil, err
	}
	if j.naming, err = newNaming(j.in, o.Output); err != nil {
		return nil, message.Usage(err)
	}
	if err := j.check(set); err != nil {
		return nil, message.Usage(err)
	}
	if j.flags.WithExplain {
		j.background, err = readBackground(ctx, w, m, o.Model, o.Flags.Background)
	}
	return j, err
}

// list returns the files of patterns, in the order of the patterns and of the names in each.
func list(ctx context.Context, patterns []string) (all []files.Info, err error) {
	for _, pattern := range patterns {
		found, err := files.List(ctx, pattern)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &data.Error{File: pattern, Message: "no such file, and no file matches this pattern: correct it", Err: err}
		}
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if slices.ContainsFunc(all, func(other files.Info) bool { return other.Path == f.Path }) {
				return nil, message.Usagef("--input names the file %s twice: remove one", f.Path)
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// check returns an error about options that contradict each other or the model.
func (j *job) check(set *pflag.FlagSet) error {
	switch d := j.flags.Delimiter; {
	case strings.Count(j.Output, "*") > 1:
		return fmt.Errorf("--output %s: want one * at most, which stands for the name of the input", j.Output)
	case d != "" && d != "auto" && table.Delimiter(d) == 0:
		return fmt.Errorf("--delimiter %s: want auto, comma, semicolon or tab", d)
	}
	reads := []string{j.modelPath, j.flags.Background}
	for _, f := range j.in {
		out := j.naming.of(f.Path)
		if err := j.flags.Check(set, j.model, out); err != nil {
			return err
		}
		for _, path := range append(reads, f.Path) {
			if path != "" && sameFile(path, out) {
				return fmt.Errorf("the output %s is the input %s: name another directory with --output", out, path)
			}
		}
	}
	return nil
}

// plan returns what the job does.
func (j *job) plan() cluster.Plan {
	bytes, large, parts := int64(0), 0, int64(0)
	for _, f := range j.in {
		if bytes += f.Size; j.Split > 0 && f.Size > j.Split {
			large++
			parts += (f.Size + j.Split - 1) / j.Split
		}
	}
	shards := fmt.Sprintf("%d files as they are", len(j.in)-large)
	if large > 0 {
		shards += fmt.Sprintf("; %d files of more than %d bytes, in up to %d parts unless they are compressed", large, j.Split, parts)
	}
	return cluster.Plan{Job: "score", Lines: [][2]string{
		{"model", j.modelPath},
		{"input", fmt.Sprintf("%d files, %d bytes; the first: %s", len(j.in), bytes, j.in[0].Path)},
		{"shards", shards},
		{"output", fmt.Sprintf("the first: %s", j.naming.of(j.in[0].Path))},
		{"report", j.naming.report()},
	}}
}

// Run scores files, and returns the report; nil with where.DryRun, which writes the plan to out. Notes go to notes. set has the
// flags that were added by o.Flags.
func Run(ctx context.Context, o Options, where *cluster.Options, set *pflag.FlagSet, out, notes io.Writer) (*Report, error) {
	if err := where.Check(append([]string{o.Model, o.Output}, o.Input...)...); err != nil {
		return nil, err
	}
	j, err := newJob(ctx, o, set, notes)
	if err != nil {
		return nil, err
	}
	p, err := pipeline(j, where)
	if err != nil {
		return nil, err
	}
	if _, err := where.Run(ctx, p, j.plan(), out); err != nil || where.DryRun {
		return nil, err
	}
	r, err := readReport(ctx, j.naming.report())
	if err != nil {
		return nil, err
	}
	message.Strange(notes, j.model, r.Missing)
	for _, f := range r.Files {
		message.Commas(notes, f.File, f.Commas)
	}
	return r, nil
}

func readReport(ctx context.Context, path string) (*Report, error) {
	in, err := files.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	err = json.NewDecoder(in).Decode(r)
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
