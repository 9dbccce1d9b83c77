package ensemble

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/model"
)

// Outcome is the result of a trial.
type Outcome struct {
	Losses, Alone []float64    // on the held-out samples, see [model.HeldOutLosses]
	Failed        string       // error of a training that diverged; then all else is nil
	Model         *model.Model // nil from a checkpoint; of another process, with summaries of its rules on the training samples
}

// outcomeForm is the form of an outcome in JSON, which keeps the bits of the losses.
type outcomeForm struct {
	checkpoint.Job
	Model json.RawMessage `json:"model,omitempty"`
}

// MarshalJSON writes one object, for the process that runs the race.
func (o Outcome) MarshalJSON() ([]byte, error) {
	form := outcomeForm{Job: checkpoint.Job{Done: true, Losses: o.Losses, Alone: o.Alone, Failed: o.Failed}}
	if o.Model != nil {
		var b bytes.Buffer
		if err := o.Model.Encode(&b); err != nil {
			return nil, err
		}
		form.Model = b.Bytes()
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (o *Outcome) UnmarshalJSON(text []byte) error {
	var form outcomeForm
	if err := json.Unmarshal(text, &form); err != nil {
		return err
	}
	*o = Outcome{Losses: form.Losses, Alone: form.Alone, Failed: form.Failed}
	if form.Model == nil {
		return nil
	}
	m, err := model.Decode(bytes.NewReader(form.Model))
	if err != nil {
		return fmt.Errorf("model of a trial: %w", err)
	}
	o.Model = m
	return nil
}

// check returns an error that wraps kind unless the outcome has the losses of N samples.
func (o Outcome) check(N int, kind error) error {
	if o.Failed == "" && (len(o.Losses) != N || len(o.Alone) != N) {
		return fmt.Errorf("%w: %d and %d losses on %d held-out samples", kind, len(o.Losses), len(o.Alone), N)
	}
	return nil
}
