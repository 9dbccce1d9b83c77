// Package model holds trained models: a rulebase together with the preprocessing
// that maps the units of a table to its inputs. A model predicts, explains its
// predictions, and is saved as a file.
//
//	m, err := model.Load("model.json")
//	p, err := m.Predict(x) // x [N][M], in the order of m.Schema.Features()
//
// A program that only loads a model and predicts does not link Gorgonia. Besides the
// standard library, it links the formula parser.
package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/rules"
)

// Model predicts a target from features in their own units, either with one rulebase
// or, as a committee, as the mean of its members' predictions. Methods without an error result require a model that
// [Model.Validate] accepts.
type Model struct {
	Preprocessing
	RuleBase    *rules.RuleBase // over the scaled used features; nil for a committee
	Training    Training
	Rules       []RuleSummary // [R]; nil for a committee
	Members     []*Model      // of a committee, see NewCommittee; nil for a single model
	Neighbours  *Neighbours   // correct the predictions of the rules or members; nil: none
	Calibration *Calibration  // of prediction intervals; nil without them
}

// Training records how a model was trained.
type Training struct {
	Samples    int                `json:"samples"`          // of the training part
	Sample     int                `json:"sample,omitempty"` // of these, the random ones that Sampled returns; 0: all
	Iterations int                `json:"iterations"`       // after which the parameters were taken
	Seed       uint64             `json:"seed"`
	Engine     string             `json:"engine"`
	Options    map[string]string  `json:"options"`  // recipe values, by configuration key
	Versions   map[string]string  `json:"versions"` // of tskgraph, Go and Gorgonia
	Metrics    map[string]float64 `json:"metrics"`  // for example rmse_train, in the target's unit
}

// SetSamples sets Samples and Sample to those of the weighed training part.
func (t *Training) SetSamples(train *data.Dataset) {
	if t.Samples, t.Sample = train.Total(), 0; train.Len() < t.Samples {
		t.Sample = train.Len()
	}
}

// Sampled returns the number of training samples of which quantiles of features and summaries of rules are.
func (t Training) Sampled() int {
	if t.Sample > 0 {
		return t.Sample
	}
	return t.Samples
}

// RuleSummary describes the activity of a rule on the training part.
type RuleSummary struct {
	Share   float64 `json:"share"`   // weighted mean normalised firing level; the shares of all rules sum to at most 1
	Samples int     `json:"samples"` // for which its firing level is the highest
}

// New combines a rulebase with its preprocessing and summarises the rules over the
// training samples x [N][M], in the order of the schema's features, with weights [N]
// (nil: all one). Weights of another number are an error. If ctx ends, New returns its error.
func New(ctx context.Context, p Preprocessing, rb *rules.RuleBase, x [][]float64, weights []float64, t Training) (*Model, error) {
	m := &Model{Preprocessing: p, RuleBase: rb, Training: t}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if weights != nil && len(weights) != len(x) {
		return nil, fmt.Errorf("%w: %d weights of %d samples", ErrInvalid, len(weights), len(x))
	}
	m.Rules = make([]RuleSummary, rb.Rules())
	total := weighted.Sum(weights, len(x))
	blocks := make([]error, parallel.Blocks(len(x), blockRows))
	summaries := make([][]RuleSummary, len(blocks))
	ended := parallel.Until(ctx, len(x), blockRows, func(block, start, end int) {
		scaled, err := p.scale(x[start:end], start)
		if err != nil {
			blocks[block] = err
			return
		}
		summaries[block] = summarise(rb.FiringLevels(scaled, nil), weights[min(start, len(weights)):], total)
	})
	if ended != nil {
		return nil, ended
	}
	for block, err := range blocks {
		if err != nil {
			return nil, err
		}
		for r, s := range summaries[block] {
			m.Rules[r].Share += s.Share
			m.Rules[r].Samples += s.Samples
		}
	}
	return m, nil
}

// summarise returns the summaries [R] of the rules over some of the samples, from their
// normalised firing levels [N][R] and weights; total is the sum of all weights.
func summarise(levels [][]float64, weights []float64, total float64) []RuleSummary {
	summaries := make([]RuleSummary, len(levels[0]))
	for n, f := range levels {
		w := weighted.At(weights, n)
		strongest := 0
		for r, level := range f {
			summaries[r].Share += w * level / total
			if level > f[strongest] {
				strongest = r
			}
		}
		if f[strongest] > 0 {
			summaries[strongest].Samples++
		}
	}
	return summaries
}

// blockRows is the number of samples that a goroutine processes at a time.
const blockRows = 1024

// Committee reports whether the model is a committee, with Members instead of rules
// of its own.
func (m *Model) Committee() bool { return len(m.Members) > 0 }

// WithoutNeighbours returns the model without its neighbours, which predicts by rules alone, and
// without its calibration, which is of both. It is the model itself if it has no neighbours.
func (m *Model) WithoutNeighbours() *Model {
	if m == nil || m.Neighbours == nil {
		return m
	}
	alone := *m
	alone.Neighbours, alone.Calibration = nil, nil
	return &alone
}

// Criterion returns the criterion of a valid model, by its train.loss in Training.Options or, in
// a model without it, by its link.
func (m *Model) Criterion() Criterion {
	c, _ := criterionOf(m) // Validate checks the loss
	return c
}

// Measure compares predictions of the model with the targets of a data set, of its own samples if it
// has a Whole. Weights must be positive.
func (m *Model) Measure(p Predictions, d *data.Dataset) Metrics {
	e := m.kind().measure(m, p, d)
	e.Uncovered, e.OutOfRange, e.Limited = p.Uncovered, p.OutOfRange, p.Limited
	return e
}

// MeasureBy measures other predictions than those of the model, of the same response, on a data
// set as [Model.Evaluate] does. The function predict gets blocks of samples of positive weight; predictions of another number
// of samples or values are an error.
func (m *Model) MeasureBy(ctx context.Context, d *data.Dataset, predict func(block *data.Dataset) (Predictions, error)) (Metrics, error) {
	return measureBy(ctx, m, d, predict)
}

// MeasureMean measures predicting for every sample of a data set what one gets that no rule
// covers: the training mean, the training quantiles, or the shares of the classes. Its errors
// are those of [Model.Evaluate].
func (m *Model) MeasureMean(ctx context.Context, d *data.Dataset) (Metrics, error) {
	return m.MeasureBy(ctx, d, func(block *data.Dataset) (Predictions, error) {
		row := m.Uncovered()
		r := newResponses(len(row), block.Len())
		for n := range block.Len() {
			r.set(n, row)
		}
		return m.kind().predictions(r), nil
	})
}

// Validate checks that the model, or every member of a committee, can predict: it has
// rules, the sizes of their parameters match each other and the preprocessing, and its loss is known. An
// untrained model is an error that wraps [ErrInvalid]. Predicting calls Validate; saving
// also checks the values.
func (m *Model) Validate() error {
	if m == nil {
		return fmt.Errorf("%w: nil model", ErrInvalid)
	}
	if m.Neighbours != nil && !m.Number() {
		return fmt.Errorf("%w: neighbours correct one target with the identity link: set model.neighbours: none", ErrInvalid)
	}
	if m.Neighbours != nil && !prepared(m.Neighbours, m.Preprocessing) {
		return fmt.Errorf("%w: its neighbours were not fitted to it: use FitNeighbours", ErrInvalid)
	}
	if _, err := criterionOf(m); err != nil {
		return fmt.Errorf("%w: training.options: %w", ErrInvalid, err)
	}
	if !m.Committee() {
		return checkRules(m)
	}
	for k, member := range m.Members {
		if member == nil {
			return fmt.Errorf("%w: members[%d] is missing", ErrInvalid, k)
		}
		if err := checkRules(member); err != nil {
			return fmt.Errorf("members[%d]: %w", k, err)
		}
		if got, want := len(member.Features), len(m.Features); got != want {
			return fmt.Errorf("%w: members[%d] has %d features, the committee %d", ErrInvalid, k, got, want)
		}
		if !member.Response.same(m.Response) {
			return fmt.Errorf("%w: members[%d] has another response than the committee", ErrInvalid, k)
		}
	}
	return nil
}

// Encode writes the model as JSON. The same model gives the same bytes.
func (m *Model) Encode(w io.Writer) error {
	c, err := checkedContent(m)
	if err != nil {
		return fmt.Errorf("model: not saved: %w", err)
	}
	inner, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("model: not saved: %w", err)
	}
	out, err := json.MarshalIndent(envelope{format, c.version(), checksum(inner), inner}, "", " ")
	if err == nil {
		_, err = io.Copy(io.Discard, &bounded{in: bytes.NewReader(out)}) // the file can be read back
	}
	if err != nil {
		return fmt.Errorf("model: not saved: %w", err)
	}
	_, err = w.Write(append(out, '\n'))
	return err
}

// Save writes the model to a file atomically.
func (m *Model) Save(path string) error {
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil {
		return err
	}
	return safefile.Write(path, b.Bytes(), 0o644)
}
