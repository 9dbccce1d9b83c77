package runs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/certify"
	"github.com/tskgraph/tskgraph/data"
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
	summary, err = r.produce(ctx, j, nil, func(run tskgraph.Run, rec *recorder) (_ *product, err error) {
		run.Resume, run.Test, run.OnCheckpoint = r.resume, j.Parts.Test, rec.checkpoint
		train := run.Train
		if j.Train != nil {
			train = func(ctx context.Context, train, validation *data.Dataset) (*tskgraph.Result, error) {
				return j.Train(ctx, run, train, validation)
			}
		}
		if result, err = train(ctx, j.Parts.Train, j.Parts.Validation); result == nil {
			return nil, err
		}
		return &product{result.Model, result.Training, func(s *report.Summary) error {
			s.Race, s.Teacher, s.Prune, s.Kept = result.Race, result.Teaching, result.Prune, result.Kept()
			return nil
		}}, err
	})
	if summary != nil && (err == nil || errors.Is(err, optim.ErrDiverged)) {
		err = errors.Join(err, r.dir.Remove(CheckpointFile))
	}
	return result, summary, err
}

// product is what a training or a pruning has made.
type product struct {
	model    *model.Model
	training optim.Result
	complete func(*report.Summary) error // the summary of the model
}

// produce records a training or, of a saved model, a pruning, and writes the model and the summary that it returns. The directory of a new
// run that failed to start is removed.
func (r *Run) produce(ctx context.Context, j Job, saved *Saved, train func(tskgraph.Run, *recorder) (*product, error)) (
	s *report.Summary, err error,
) {
	if err := r.begin(j); err != nil {
		return nil, err
	}
	var p *product
	trainErr, err := r.record(j.Training, func(run tskgraph.Run, rec *recorder) (err error) {
		p, err = train(run, rec)
		return err
	})
	if err == nil && j.Training.Recipe.Train.Members > 1 {
		err = sortMetrics(r.dir)
	}
	switch {
	case err != nil:
		return nil, errors.Join(trainErr, err)
	case p == nil && (r.resume != nil || saved == nil && ctx.Err() != nil):
		return nil, trainErr
	case p == nil:
		return nil, errors.Join(trainErr, r.Discard())
	case p.model == nil: // none was chosen
		return nil, trainErr
	}
	s, ended, err := j.measured(ctx, r, p.model, p.training, saved)
	if trainErr = cmp.Or(trainErr, ended); err == nil {
		if err = r.provePromises(ctx, p.model); err == nil {
			err = errors.Join(p.complete(s), r.writeResult(p.model, s))
		}
	}
	if err != nil {
		return nil, errors.Join(trainErr, err)
	}
	return s, trainErr
}

// provingTime is how long a training tries to prove what its configuration promises.
const provingTime = 10 * time.Second

// provePromises proves the directions that a configuration promises of a model before it is saved, and writes the certificate, from which
// the page on the run says what is proved. One that is refuted is an error with the rows that refute it; one that is open is a note.
func (r *Run) provePromises(ctx context.Context, m *model.Model) error {
	promises, err := certify.Promises(m)
	if err != nil {
		return err
	}
	promises = slices.DeleteFunc(promises, func(c certify.Claim) bool { return c.Kind != certify.Monotone }) // limits hold by construction
	if len(promises) == 0 {
		return nil
	}
	limited, stop := context.WithTimeout(context.WithoutCancel(ctx), provingTime)
	defer stop()
	c, err := certify.Prove(limited, m, certify.Options{Promises: promises, Only: true})
	if err != nil {
		r.note(fmt.Sprintf("what the configuration promises is not proved: %v", err))
		return nil
	}
	for _, claim := range c.Claims {
		switch claim.Status {
		case certify.Refuted:
			return fmt.Errorf("a promise of the configuration is broken: %s, but not between these rows:\n%s", claim,
				strings.TrimSuffix(certify.CSV(c.Domain, claim.Rows), "\n"))
		case certify.Open:
			r.note(fmt.Sprintf("promised, but neither proved nor refuted within %v: %s: try \"tskgraph certify\" with a larger --budget",
				provingTime, claim))
		default:
			r.note(fmt.Sprintf("proved: %s", claim))
		}
	}
	var file bytes.Buffer
	return errors.Join(c.Encode(&file), r.Write(certify.FileName, file.Bytes()))
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
