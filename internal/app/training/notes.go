package training

import (
	"cmp"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/predicting"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/optim"
)

// NoteParts reports what was found in the data to train on.
func NoteParts(w io.Writer, s *data.Source, parts *data.Parts) {
	predicting.NoteTables(w, s, parts)
	NoteMissing(w, parts.Train.Missing)
	for _, leak := range config.LeakNotes(data.Leaks(parts.Train), func(data.Leak) bool { return false }) {
		predicting.Note(w, "%s", leak)
	}
	if parts.Test != nil {
		predicting.NoteStrange(w, parts.Train.Missing.Policy == "mean", parts.Test.Missing)
	}
}

func NoteMissing(w io.Writer, m data.Missing) {
	if m.Cells > 0 {
		predicting.Note(w, "missing values: %d; rows dropped: %d; values filled with the training mean: %d", m.Cells, m.Dropped, m.Imputed)
	}
}

// NoteResult reports what was found in training, and how it ended.
func NoteResult(w io.Writer, o tskgraph.Recipe, result *tskgraph.Result) {
	switch names := result.Model.Dropped(); len(names) {
	case 0:
	case 1:
		predicting.Note(w, "feature %s is constant in the training part and was left out", escape.Quote(names[0]))
	default:
		predicting.Note(w, "%d features are constant in the training part and were left out: %s", len(names), escape.List(names))
	}
	if k, got := o.Model.PCA, len(result.Model.Components); k > 0 && got == 0 {
		predicting.Note(w, "data.pca is %d, but there are no more features than that: they are used without principal components", k)
	} else if got < k {
		predicting.Note(w, "data.pca is %d, but the features have only %d components that vary", k, got)
	}
	noteStart(w, result)
	noteIdle(w, result)
	if result.OddGrades != "" {
		predicting.Note(w, "%s", result.OddGrades)
	}
	if begun, all := max(1, len(result.Members)), o.Train.Members; begun < all {
		predicting.Note(w, "training had begun for %d of the committee's %d members: the model consists of these", begun, all)
	}
	for _, member := range result.Members {
		noteStopped(w, member.Training)
		notePruned(w, member.Prune)
	}
	if result.Leader != nil {
		predicting.Note(w, "training interrupted: %s", result.Kept())
	} else if len(result.Members) == 0 {
		noteStopped(w, result.Training)
		notePruned(w, result.Prune)
	}
}

// notePruned reports that pruning left too few rules for a fuzzy model.
func notePruned(w io.Writer, rounds []tskgraph.PruneRound) {
	if n := len(rounds); n > 0 && rounds[0].Before > 1 && rounds[n-1].After == 1 {
		predicting.Note(w, "pruning left one rule, which is one linear formula: a higher prune.theta or a lower prune.gamma keeps more")
	}
}

// noteIdle reports the rules that were removed because they decide nothing.
func noteIdle(w io.Writer, result *tskgraph.Result) {
	if n := result.Idle; n > 0 {
		predicting.Note(w, "rules removed that were the strongest for no training sample: %d", n)
	}
}

// noteStart reports what the initialiser found, for each member of a committee.
func noteStart(w io.Writer, result *tskgraph.Result) {
	if result.StartNotes != "" {
		predicting.Note(w, "start: %s", result.StartNotes)
	}
	for k, member := range result.Members {
		if member.StartNotes != "" {
			predicting.Note(w, "member %d: start: %s", k+1, member.StartNotes)
		}
	}
}

func noteStopped(w io.Writer, tr optim.Result) {
	switch tr.Stopped {
	case optim.StoppedPatience:
		predicting.Note(w, "stopped at iteration %d: no better validation error since iteration %d, which is kept", tr.Iterations, tr.Best)
	case optim.StoppedDiverged, optim.StoppedInterrupted, optim.StoppedFailed:
		predicting.Note(w, "training %s after iteration %d; %s", tr.Stopped, tr.Iterations, cmp.Or(tr.Kept(), fmt.Sprintf("the model of iteration %d is kept", tr.Best)))
	default:
		if kept := tr.Kept(); kept != "" {
			predicting.Note(w, "%s", kept)
		}
	}
}

// NoteCalibration reports a calibration part that is too small.
func NoteCalibration(w io.Writer, s *report.Summary) {
	if s != nil && s.SamplesCalibration > 0 && s.Interval == nil {
		predicting.Note(w, "%d calibration samples are too few for a 90%% prediction interval, which needs 9", s.SamplesCalibration)
	}
}
