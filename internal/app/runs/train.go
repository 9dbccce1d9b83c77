package runs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// Train trains a new run from its start, or a resumed one from its checkpoint. It writes the configuration and the parts,
// metrics and checkpoints during training, then model and summary.
//
// A training that ends early, by its context or because it diverged, still writes the best model so far, and returns result
// and summary with the error; so does one whose context ends while the model is measured on all rows of a large table. A
// run that can be resumed keeps its checkpoint, see [Run.Resumable]; the directory of a new run that failed to start is
// removed. For a resumed run with changed data or configuration the error is a *tskgraph.ChangedError.
func (r *Run) Train(ctx context.Context, j Job) (result *tskgraph.Result, summary *report.Summary, err error) {
	if err := r.begin(j); err != nil {
		return nil, nil, err
	}
	trainErr, err := r.record(j.Training, func(run tskgraph.Run, rec *recorder) (err error) {
		run.Resume, run.Test, run.OnCheckpoint = r.resume, j.Parts.Test, rec.checkpoint
		if j.Train != nil {
			result, err = j.Train(ctx, run, j.Parts.Train, j.Parts.Validation)
			return err
		}
		result, err = run.Train(ctx, j.Parts.Train, j.Parts.Validation)
		return err
	})
	if err == nil && j.Training.Recipe.Train.Members > 1 {
		err = sortMetrics(r.dir)
	}
	switch {
	case err != nil:
		return nil, nil, errors.Join(trainErr, err)
	case result == nil && (r.resume != nil || ctx.Err() != nil):
		return nil, nil, trainErr
	case result == nil: // failed to start
		return nil, nil, errors.Join(trainErr, r.Discard())
	}
	summary, ended, err := j.measured(ctx, r, result.Model, result.Training, nil)
	if trainErr = cmp.Or(trainErr, ended); err == nil {
		summary.Race, summary.Prune, summary.Kept = result.Race, result.Prune, result.Kept()
		err = r.writeResult(result.Model, summary)
	}
	if err != nil {
		return result, nil, errors.Join(trainErr, err)
	}
	if trainErr == nil || errors.Is(trainErr, optim.ErrDiverged) {
		err = r.dir.Remove(CheckpointFile)
	}
	return result, summary, errors.Join(trainErr, err)
}

// begin writes configuration and parts of a new run, or checks that those of a resumed one have not changed.
func (r *Run) begin(j Job) error {
	if r.resume == nil {
		if err := errors.Join(r.Write(ConfigFile, j.Config), j.writeParts(r.path)); err != nil {
			return errors.Join(err, r.Discard())
		}
		r.begun = true
		return nil
	}
	if changes := r.resume.Differences(j.Training.Identity); len(changes) > 0 {
		return fmt.Errorf("%s: %w", r.path, &tskgraph.ChangedError{Changes: changes})
	}
	if err := cutMetrics(r.dir, r.resume); err != nil {
		return err
	}
	r.begun = true
	if r.resume.Racing() {
		r.note(fmt.Sprintf("%s resumes in the race of settings", r.path))
	} else {
		r.note(fmt.Sprintf("%s resumes after iteration %d", r.path, r.Iterations()))
	}
	return nil
}

// record calls train with a run whose iterations go to the metrics, and with a recorder for checkpoints. The second error
// is about the metrics.
func (r *Run) record(run tskgraph.Run, train func(tskgraph.Run, *recorder) error) (trainErr, err error) {
	rec, err := newRecorder(r.dir, r.note)
	if err != nil {
		return nil, err
	}
	callers := run.OnIteration
	run.OnIteration = func(m optim.Metrics) error {
		if callers != nil {
			if err := callers(m); err != nil {
				return err
			}
		}
		return rec.metrics.write(m)
	}
	trainErr = train(run, rec)
	return trainErr, rec.close()
}

func (r *Run) writeResult(m *model.Model, s *report.Summary) error {
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		return err
	}
	if err := r.dir.Write(model.FileName, b.Bytes(), 0o644); err != nil {
		return err
	}
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return r.Write(SummaryFile, append(out, '\n'))
}
