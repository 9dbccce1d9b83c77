// Package message has what commands, the page that trains and programs that run commands say in the same words: notes on tables and
// trainings, warnings, kinds of errors and exit codes.
package message

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Note prints a note, which is no part of the results.
func Note(w io.Writer, format string, a ...any) { fmt.Fprintf(w, "note: "+format+"\n", a...) }

// Commas reports which columns of a table were read with decimal commas.
func Commas(w io.Writer, table string, columns []string) {
	if len(columns) > 0 {
		Note(w, "%s: numbers with a decimal comma in %s", escape.Text(table), escape.List(columns))
	}
}

// Weightless reports how many rows of a table have weight zero.
func Weightless(w io.Writer, table string, d *data.Dataset) {
	if d.Weightless > 0 {
		Note(w, "%s: rows of weight zero in %s: %d; they are left out", escape.Text(table), escape.Quote(d.Schema.Weight), d.Weightless)
	}
}

// Tables reports what was found in the tables of the parts of a source.
func Tables(w io.Writer, s *data.Source, parts *data.Parts) {
	Commas(w, s.Path, parts.Train.Commas)
	Weightless(w, s.Path, parts.Train)
	if parts.Train.Clock != nil {
		for _, note := range parts.Train.Clock.Notes {
			Note(w, "%s: %s", s.Path, note)
		}
	}
	if s.TestPath != "" {
		Commas(w, s.TestPath, parts.Test.Commas)
		Weightless(w, s.TestPath, parts.Test)
	}
}

// Strange reports the missing cells and unknown categories of a table, and the first of them.
func Strange(w io.Writer, by *model.Model, m data.Missing) {
	Limited(w, m)
	if m.First == "" {
		return
	}
	missing, unknown := report.StandIn(by)
	var parts []string
	if m.Imputed > 0 {
		parts = append(parts, fmt.Sprintf("missing cells%s: %s", byColumn(m.Filled(by.Schema)), missing))
	}
	if len(m.Unknown) > 0 {
		parts = append(parts, fmt.Sprintf("categories unknown to the model%s: read as %s", byColumn(m.Unknown), unknown))
	}
	if m.Dropped > 0 {
		parts = append(parts, fmt.Sprintf("rows left out: %d", m.Dropped))
	}
	Note(w, "%s; the first: %s", strings.Join(parts, "; "), m.First)
}

// Limited reports the cells beyond the limits of their columns.
func Limited(w io.Writer, m data.Missing) {
	if len(m.Limited) > 0 {
		Note(w, "cells beyond the limits of their column%s: counted as the limit", byColumn(m.Limited))
	}
}

// byColumn lists counts by column, in parentheses.
func byColumn(counts map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", escape.Quote(name), counts[name]))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// Counts returns the counts of predictions as a line of text.
func Counts(c model.TableCounts) string {
	rows := "rows"
	if c.Rows == 1 {
		rows = "row"
	}
	return fmt.Sprintf("%d %s predicted; %d outside the training range, %d that no rule covers, %d with a limited prediction", c.Rows, rows,
		c.OutOfRange, c.Uncovered, c.Limited)
}

// Parts reports what was found in the data to train on.
func Parts(w io.Writer, s *data.Source, parts *data.Parts) {
	Tables(w, s, parts)
	Missing(w, parts.Train.Missing)
	for _, leak := range config.LeakNotes(data.Leaks(parts.Train), func(data.Leak) bool { return false }) {
		Note(w, "%s", leak)
	}
	for _, odd := range data.OddTarget(parts.Train) {
		Note(w, "%s. init proposes what to do about it", odd)
	}
	if parts.Test != nil && (s.TestPath != "" || parts.Test.Missing.First != "") {
		by := &model.Model{Training: model.Training{Samples: parts.Train.Len()}}
		by.ImputeMeans, by.Schema = parts.Train.Missing.Policy == "mean", parts.Train.Schema
		Strange(w, by, parts.Test.Missing)
	}
}

func Missing(w io.Writer, m data.Missing) {
	Limited(w, m)
	own := ""
	if m.Own > 0 {
		own = fmt.Sprintf("; values that rules may name, or that count as the mean if that says nothing of the target: %d", m.Own)
	}
	if m.Cells > 0 {
		Note(w, "missing values: %d; rows dropped: %d; values filled with the training mean: %d%s", m.Cells, m.Dropped, m.Imputed, own)
	}
}

// Result reports what was found in training, and how it ended.
func Result(w io.Writer, o tskgraph.Recipe, result *tskgraph.Result) {
	switch names := result.Model.Dropped(); len(names) {
	case 0:
	case 1:
		Note(w, "feature %s is constant in the training part and was left out", escape.Quote(names[0]))
	default:
		Note(w, "%d features are constant in the training part and were left out: %s", len(names), escape.List(names))
	}
	if k, got := o.Model.PCA, len(result.Model.Components); k > 0 && got == 0 {
		Note(w, "data.pca is %d, but there are no more features than that: they are used without principal components", k)
	} else if got < k {
		Note(w, "data.pca is %d, but the features have only %d components that vary", k, got)
	}
	noteStart(w, result)
	noteIdle(w, result)
	if result.OddGrades != "" {
		Note(w, "%s", result.OddGrades)
	}
	if begun, all := max(1, len(result.Members)), o.Train.Members; begun < all {
		Note(w, "training had begun for %d of the committee's %d members: the model consists of these", begun, all)
	}
	for _, member := range result.Members {
		noteStopped(w, member.Training)
		notePruned(w, member.Prune)
	}
	if result.Leader != nil {
		Note(w, "training interrupted: %s", result.Kept())
	} else if len(result.Members) == 0 {
		noteStopped(w, result.Training)
		notePruned(w, result.Prune)
	}
}

// notePruned reports that pruning left too few rules for a fuzzy model.
func notePruned(w io.Writer, rounds []tskgraph.PruneRound) {
	if n := len(rounds); n > 0 && rounds[0].Before > 1 && rounds[n-1].After == 1 {
		Note(w, "pruning left one rule, which is one linear formula: a higher prune.theta or a lower prune.gamma keeps more")
	}
}

// noteIdle reports the rules that were removed because they decide nothing.
func noteIdle(w io.Writer, result *tskgraph.Result) {
	if n := result.Idle; n > 0 {
		Note(w, "rules removed that were the strongest for no training sample: %d", n)
	}
}

// noteStart reports what the initialiser found, for each member of a committee.
func noteStart(w io.Writer, result *tskgraph.Result) {
	if result.StartNotes != "" {
		Note(w, "start: %s", result.StartNotes)
	}
	if result.Teaching != nil {
		Note(w, "%v", result.Teaching)
	}
	for k, member := range result.Members {
		if member.StartNotes != "" {
			Note(w, "member %d: start: %s", k+1, member.StartNotes)
		}
	}
}

func noteStopped(w io.Writer, tr optim.Result) {
	switch tr.Stopped {
	case optim.StoppedPatience:
		Note(w, "stopped at iteration %d: no better validation error since iteration %d, which is kept", tr.Iterations, tr.Best)
	case optim.StoppedDiverged, optim.StoppedInterrupted, optim.StoppedFailed:
		Note(w, "training %s after iteration %d; %s", tr.Stopped, tr.Iterations,
			cmp.Or(tr.Kept(), fmt.Sprintf("the model of iteration %d is kept", tr.Best)))
	default:
		if kept := tr.Kept(); kept != "" {
			Note(w, "%s", kept)
		}
	}
}

// Calibration reports a calibration part that is too small.
func Calibration(w io.Writer, s *report.Summary) {
	if s != nil && s.SamplesCalibration > 0 && s.Interval == nil {
		Note(w, "%d calibration samples are too few for a 90%% prediction interval, which needs 9", s.SamplesCalibration)
	}
}

// Warn writes what to mind about the model: that its rules should not be read one by one, and that it is no better than a baseline.
func Warn(w io.Writer, s *report.Summary) {
	if text := s.Readability.Remark(); text != "" {
		fmt.Fprintln(w, text)
	}
	WarnOf(w, s.Verdict)
}

// WarnOf writes a warning if the model is no better than a baseline.
func WarnOf(w io.Writer, v *baseline.Verdict) {
	if text := v.Warning(); text != "" {
		fmt.Fprintf(w, "WARNING: %s\n", text)
	}
}

// Exit codes of commands.
const (
	ExitFailed      = 1   // training diverged, verify found a wrong gradient, a file could not be written, ...
	ExitUsage       = 2   // usage or configuration
	ExitData        = 3   // an error in a table
	ExitModel       = 4   // an error in a model file or a checkpoint
	ExitInterrupted = 130 // SIGINT or SIGTERM
)

// usageError is an error in the command line, or in the arguments of a call.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error in the command line.
func Usage(err error) error { return usageError{err} }

// Usagef returns an error in the command line, with a text as of fmt.Errorf.
func Usagef(format string, a ...any) error { return usageError{fmt.Errorf(format, a...)} }

// ExitCode returns the exit code of a command that ends with an error, by the errors that it wraps, and the kind of the error:
// failed, interrupted, usage, config, data or model; 0 and no kind for nil.
func ExitCode(err error) (code int, kind string) {
	var (
		usage    usageError
		settings *config.Error
		option   *tskgraph.RecipeError
		key      *data.KeyError
		table    *data.Error
		changed  *tskgraph.ChangedError
		rules    *byhand.Error
	)
	switch {
	case err == nil:
		return 0, ""
	case errors.Is(err, context.Canceled):
		return ExitInterrupted, "interrupted"
	case errors.As(err, &changed) && dataChanged(changed):
		return ExitData, "data"
	case errors.As(err, &usage):
		return ExitUsage, "usage"
	case errors.As(err, &changed), errors.As(err, &settings), errors.As(err, &option), errors.As(err, &key), errors.As(err, &rules):
		return ExitUsage, "config"
	case errors.As(err, &table):
		return ExitData, "data"
	case errors.Is(err, model.ErrFile), errors.Is(err, tskgraph.ErrCheckpoint):
		return ExitModel, "model"
	}
	return ExitFailed, "failed"
}

// FilePrefix is the prefix of the names of files in what a run depends on, see runs.Identity.
const FilePrefix = "file "

// dataChanged reports whether a checkpoint differs from a run by its data alone.
func dataChanged(e *tskgraph.ChangedError) bool {
	return !slices.ContainsFunc(e.Changes, func(c checkpoint.Change) bool {
		return !strings.HasPrefix(c.Name, FilePrefix) && !strings.HasSuffix(c.Name, " part")
	})
}
