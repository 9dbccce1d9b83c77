package main

import (
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/escape"
	"github.com/tskgraph/tskgraph/optim"
)

func (t *training) noteMissing(m data.Missing) {
	if m.Cells > 0 {
		t.note("missing values: %d; rows dropped: %d; values filled with the training mean: %d", m.Cells, m.Dropped, m.Imputed)
	}
}

// noteShared says how many test samples training has seen.
func (t *training) noteShared(parts *data.Parts) {
	if parts.Test == nil {
		return
	}
	if n := parts.Test.Shared(parts.Train); n > 0 {
		t.note("test samples that equal a training sample: %d of %d, which flatters the test error: remove repeated rows, or name what they share (data.group)", n, parts.Test.Len())
	}
}

// noteCommas says which columns of a table were read with decimal commas.
func noteCommas(w io.Writer, table string, columns []string) {
	if len(columns) > 0 {
		fmt.Fprintf(w, "note: %s: numbers with a decimal comma in %s\n", escape.Text(table), escape.List(columns))
	}
}

// noteWeightless says how many rows of a table do not count.
func noteWeightless(w io.Writer, table string, d *data.Dataset) {
	if d.Weightless > 0 {
		fmt.Fprintf(w, "note: %s: rows of weight zero in %s: %d; they are left out\n", escape.Text(table), escape.Quote(d.Schema.Weight), d.Weightless)
	}
}

// noteTables says what was found in the tables of the parts.
func noteTables(w io.Writer, s *data.Source, parts *data.Parts) {
	noteCommas(w, s.Path, parts.Train.Commas)
	noteWeightless(w, s.Path, parts.Train)
	if s.TestPath != "" {
		noteCommas(w, s.TestPath, parts.Test.Commas)
		noteWeightless(w, s.TestPath, parts.Test)
	}
}

func (t *training) noteResult(result *tskgraph.Result) {
	switch names := result.Model.Dropped(); len(names) {
	case 0:
	case 1:
		t.note("feature %s is constant in the training part and was left out", escape.Quote(names[0]))
	default:
		t.note("%d features are constant in the training part and were left out: %s", len(names), escape.List(names))
	}
	if k, got := t.config.Options.Model.PCA, len(result.Model.Components); k > 0 && got == 0 {
		t.note("data.pca is %d, and there are no more features than that: they are used as they are", k)
	} else if got < k {
		t.note("data.pca is %d, but the features have only %d components that vary", k, got)
	}
	t.noteStart(result)
	if result.OddGrades != "" {
		t.note("%s", result.OddGrades)
	}
	if begun, all := max(1, len(result.Members)), t.config.Options.Train.Members; begun < all {
		t.note("%d of the committee's %d members had begun: the model is made of them", begun, all)
	}
	for _, member := range result.Members {
		t.noteStopped(member.Training)
		t.notePruned(member.Prune)
	}
	if len(result.Members) == 0 {
		t.noteStopped(result.Training)
		t.notePruned(result.Prune)
	}
}

// notePruned tells when pruning went too far to leave a fuzzy model.
func (t *training) notePruned(rounds []tskgraph.PruneRound) {
	if n := len(rounds); n > 0 && rounds[0].Before > 1 && rounds[n-1].After == 1 {
		t.note("pruning left one rule, which is one linear formula: a higher prune.theta or a lower prune.gamma leaves more")
	}
}

// noteStart tells what the initialiser met, for a committee member by member.
func (t *training) noteStart(result *tskgraph.Result) {
	if result.Start != nil && result.Start.Notes() != "" {
		t.note("start: %s", result.Start.Notes())
	}
	for k, member := range result.Members {
		if notes := member.Start.Notes(); notes != "" {
			t.note("member %d: start: %s", k+1, notes)
		}
	}
}

func (t *training) noteStopped(tr optim.Result) {
	switch tr.Stopped {
	case optim.StoppedPatience:
		t.note("stopped at iteration %d: no better validation RMSE since iteration %d, which is kept", tr.Iterations, tr.Best)
	case optim.StoppedDiverged, optim.StoppedInterrupted, optim.StoppedFailed:
		t.note("training %s after iteration %d; the model of iteration %d is kept", tr.Stopped, tr.Iterations, tr.Best)
	}
}
