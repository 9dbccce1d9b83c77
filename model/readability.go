package model

import (
	"context"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// MaxFidelity is the largest [Readability.Fidelity] of rules that can be read one by one.
const MaxFidelity = 1.15

// Readability says whether the rules of a model can be read one by one. On samples (x, y) of
// weight w, with the normalised firing levels f_r, the prediction p, which may be limited, and
// what rule r says, y_r, which is not limited (p is without [Neighbours]: it is what the rules say together):
//
//	Fidelity      RMSE of the strongest rule's y_r over the RMSE of p; of other losses than squared, their [Criterion]
//	Disagreement  root of the weighted mean of sum_r f_r (y_r - p)^2, over the standard deviation of y (divisor n-1)
//	Idle          share of the rules that are alone the strongest for no sample
//	OutOfRange    share of the rules with a mean of y_r, weighted by w f_r, outside the target's training range by more than a thousandth of it
//
// If several rules are equally strong, to a relative difference of 1e-9, the sample is
// decided by none of them: the strongest rule's error is the largest of theirs, and the
// sample makes none of them busy. Samples that no rule covers are left out and counted.
// With a [Response], y_r is the response to the outputs of rule r alone. Of several values,
// disagreement is the root of the sum of their squares, of targets in standard deviations, over
// that of what they predict, which of a class is one or zero; a rule is out of range if one of
// its values is.
// Both RMSEs are at least 1e-9 of the target's training range, so that rounding errors of
// an exact model have no ratio. The rule of a model that has only one is never idle.
//
// For a committee, fidelity and disagreement are means over its members, each against its
// own predictions, and so is Tied; Idle and OutOfRange are shares of the rules of all members, Uncovered is a sum.
type Readability struct {
	Samples      int      `json:"samples"`           // of the data set
	Uncovered    int      `json:"uncovered_points"`  // of these, left out
	Members      int      `json:"members,omitempty"` // of a committee
	Targets      int      `json:"targets,omitempty"` // number of several
	Rules        int      `json:"rules"`
	Fidelity     *float64 `json:"fidelity"`     // null if not finite, or without covered samples
	Disagreement *float64 `json:"disagreement"` // null as well if the target is constant
	Idle         float64  `json:"idle"`
	Tied         float64  `json:"tied,omitempty"` // share of the covered samples, of those that Idle is counted on, that none decides since several rules are equally strong
	OutOfRange   float64  `json:"out_of_range"`

	// Agreement is the share of the samples for which the strongest rule's class is the
	// model's; nil for numbers.
	Agreement *float64 `json:"agreement,omitempty"`
}

// Readable reports whether the rules can be read one by one: the fidelity is at most
// [MaxFidelity], no rule is idle or out of range.
func (r Readability) Readable() bool {
	return r.Fidelity != nil && *r.Fidelity <= MaxFidelity && r.Idle == 0 && r.OutOfRange == 0
}

// MeasureReadability measures the rules on the samples of a data set and, if training is not
// nil, counts the idle rules on those of the training part, since a smaller part may by chance
// hold no sample of a rule. Its errors are those of [Model.Evaluate].
func MeasureReadability(ctx context.Context, m *Model, d, training *data.Dataset) (Readability, error) {
	if err := m.Validate(); err != nil {
		return Readability{}, err
	}
	if m.Committee() {
		return readabilityOfMembers(ctx, m, d, training)
	}
	sums, err := sumRules(ctx, m, d)
	if err != nil {
		return Readability{}, err
	}
	r := sums.readability()
	if training != nil {
		if sums, err = sumRules(ctx, m, training); err != nil {
			return Readability{}, err
		}
		r.Idle, r.Tied = sums.idle(), sums.tied()
	}
	return r, nil
}

func readabilityOfMembers(ctx context.Context, m *Model, d, training *data.Dataset) (Readability, error) {
	members := make([]Readability, len(m.Members))
	for k, member := range m.Members {
		var err error
		if members[k], err = MeasureReadability(ctx, member, d, training); err != nil {
			return Readability{}, err
		}
	}
	mean := MeanReadability(members)
	mean.Members = len(members)
	return mean, nil
}

// MeanReadability returns the figures of several models, at least one: the mean fidelity and
// disagreement, the shares of all rules together, the sums of Rules and Uncovered, and the
// Samples of the first.
func MeanReadability(all []Readability) Readability {
	mean := Readability{Samples: all[0].Samples, Targets: all[0].Targets}
	fidelity, disagreement, agreement := 0.0, 0.0, 0.0
	for _, r := range all {
		mean.Uncovered += r.Uncovered
		mean.Rules += r.Rules
		fidelity += numeric.OrNaN(r.Fidelity) / float64(len(all))
		disagreement += numeric.OrNaN(r.Disagreement) / float64(len(all))
		agreement += numeric.OrNaN(r.Agreement) / float64(len(all))
		mean.Idle += float64(r.Idle * float64(r.Rules))
		mean.Tied += r.Tied / float64(len(all))
		mean.OutOfRange += float64(r.OutOfRange * float64(r.Rules))
	}
	mean.Idle /= float64(mean.Rules)
	mean.OutOfRange /= float64(mean.Rules)
	mean.Fidelity, mean.Disagreement, mean.Agreement = numeric.OrNil(fidelity), numeric.OrNil(disagreement), numeric.OrNil(agreement)
	return mean
}
