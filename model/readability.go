package model

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
)

// MaxFidelity is the largest [Readability.Fidelity] of rules that can be read one by one.
const MaxFidelity = 1.15

// Readability says whether the rules of a model can be read one by one. On samples (x, y) of
// weight w, with the normalised firing levels f_r, the prediction p, which may be limited, and
// what rule r says, y_r, which is not limited:
//
//	Fidelity      RMSE of the strongest rule's y_r over the RMSE of p
//	Disagreement  root of the weighted mean of sum_r f_r (y_r - p)^2, over the standard deviation of y (divisor n-1)
//	Idle          share of the rules that are strongest for no sample
//	OutOfRange    share of the rules with a mean of y_r, weighted by w f_r, outside the target's training range
//
// If several rules are equally strong, to a relative difference of 1e-9, the sample is
// decided by none of them: the strongest rule's error is the largest of theirs, and the
// sample makes none of them busy. Samples that no rule covers are left out and counted.
// Both RMSEs are at least 1e-9 of the target's training range, so that rounding errors of
// an exact model have no ratio. The rule of a model that has only one is never idle.
//
// For a committee, the figures are means over its members, each against its own
// predictions; Rules and Uncovered are sums.
type Readability struct {
	Samples      int      `json:"samples"`           // of the data set
	Uncovered    int      `json:"uncovered_points"`  // of these, left out
	Members      int      `json:"members,omitempty"` // of a committee
	Rules        int      `json:"rules"`
	Fidelity     *float64 `json:"fidelity"`     // null if not finite, or without covered samples
	Disagreement *float64 `json:"disagreement"` // null as well if the target is constant
	Idle         float64  `json:"idle"`
	OutOfRange   float64  `json:"out_of_range"`
}

// Readable reports whether the rules can be read one by one: the fidelity is at most
// [MaxFidelity], no rule is idle or out of range.
func (r Readability) Readable() bool {
	return r.Fidelity != nil && *r.Fidelity <= MaxFidelity && r.Idle == 0 && r.OutOfRange == 0
}

// MeasureReadability measures the rules on the samples of a data set and, if training is not
// nil, counts the idle rules on those of the training part, since a smaller part may by chance
// hold no sample of a rule. Its errors are those of [Model.Evaluate].
func MeasureReadability(m *Model, d, training *data.Dataset) (Readability, error) {
	if err := m.Validate(); err != nil {
		return Readability{}, err
	}
	if m.Committee() {
		return meanReadability(m.Members, d, training)
	}
	sums, err := sumRules(m, d)
	if err != nil {
		return Readability{}, err
	}
	r := sums.readability(m.Target)
	if training != nil {
		if sums, err = sumRules(m, training); err != nil {
			return Readability{}, err
		}
		r.Idle = sums.idle()
	}
	return r, nil
}

// meanReadability returns the mean of the figures of the members of a committee.
func meanReadability(members []*Model, d, training *data.Dataset) (Readability, error) {
	mean := Readability{Members: len(members)}
	fidelity, disagreement, idle, out := 0.0, 0.0, 0.0, 0.0
	for _, member := range members {
		r, err := MeasureReadability(member, d, training)
		if err != nil {
			return r, err
		}
		mean.Samples = r.Samples
		mean.Uncovered += r.Uncovered
		mean.Rules += r.Rules
		fidelity += orNaN(r.Fidelity) / float64(len(members))
		disagreement += orNaN(r.Disagreement) / float64(len(members))
		idle += float64(r.Idle * float64(r.Rules))
		out += float64(r.OutOfRange * float64(r.Rules))
	}
	mean.Fidelity, mean.Disagreement = numeric.OrNil(fidelity), numeric.OrNil(disagreement)
	mean.Idle, mean.OutOfRange = idle/float64(mean.Rules), out/float64(mean.Rules)
	return mean, nil
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
