package model

import (
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/rules"
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
//	OutOfRange    share of the rules with a mean of y_r, weighted by w f_r, outside the target's training range by
//	              more than a thousandth of it
//
// If several rules are equally strong, to a relative difference of 1e-9, the sample is decided by none of them: the strongest rule's
// error is the largest of theirs, and the sample makes none of them busy. Samples that no rule covers are left out and counted. With a
// [Response], y_r is the response to the outputs of rule r alone. Of several values, disagreement is the root of the sum of their
// squares, of targets in standard deviations, over that of what they predict, which of a class is one or zero; a rule is out of range if
// one of its values is. Both RMSEs are at least 1e-9 of the target's training range, so that rounding errors of an exact model have no
// ratio. The rule of a model that has only one is never idle.
//
// Rules of pages are those that people read: of factors, or of several levels, the rules that a page's rule became are one, which says the
// mean of what they say by their levels; of several pages a rule of each is one.
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
	OutOfRange   float64  `json:"out_of_range"`

	// Tied is the share of the covered samples, of those that Idle is counted on, that none decides since several rules are equally strong.
	Tied float64 `json:"tied,omitempty"`

	// Agreement is the share of the samples for which the strongest rule's class is the model's; nil for numbers.
	Agreement *float64 `json:"agreement,omitempty"`
}

// Readable reports whether the rules can be read one by one: the fidelity is at most [MaxFidelity], no rule is idle or out of range.
func (r Readability) Readable() bool {
	return r.Fidelity != nil && *r.Fidelity <= MaxFidelity && r.Idle == 0 && r.OutOfRange == 0
}

// MeasureReadability measures the rules on the samples of a data set and, if training is not nil, counts the idle rules on those of the
// training part, since a smaller part may by chance hold no sample of a rule. Its errors are those of [Model.Evaluate].
func MeasureReadability(ctx context.Context, m *Model, d, training *data.Dataset) (Readability, error) {
	if err := m.Validate(); err != nil {
		return Readability{}, err
	}
	if m.Committee() {
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
	sums, err := sumRules(ctx, m, d)
	if err != nil {
		return Readability{}, err
	}
	r := sums.readability()
	if n := len(m.Schema.Targets()); n > 1 {
		r.Targets = n
	}
	if training != nil {
		if sums, err = sumRules(ctx, m, training); err != nil {
			return Readability{}, err
		}
		r.Idle, r.Tied = sums.idle(), sums.tied()
	}
	return r, nil
}

// MeanReadability returns the figures of several models, at least one: the mean fidelity and disagreement, the shares of all rules
// together, the sums of Rules and Uncovered, and the Samples of the first.
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

// ruleSums holds sums over covered samples, with errors of a single target in the unit of score.
type ruleSums struct {
	score                  scoring
	sd                     float64 // of what the response predicts, in units; of several values the root of the sum of squares
	samples, uncovered     int
	weight                 float64   // of the covered samples
	whole, alone, disagree float64   // weighted losses: of the model, of the strongest rule; squares of the disagreement
	agree                  float64   // weight of the samples whose class is the same by the strongest rule
	decides                []int     // [R], samples for which the rule alone is strongest
	firing, output         []float64 // [R], weighted firing levels; [R J], these times the response minus its mean
	which                  []int     // scratch of add
}

func newRuleSums(score scoring, R int) *ruleSums {
	return &ruleSums{score: score, decides: make([]int, R), firing: make([]float64, R), output: make([]float64, R*len(score.all))}
}

// sumRules returns the sums over a data set. The result does not depend on the number of processors.
func sumRules(ctx context.Context, m *Model, d *data.Dataset) (*ruleSums, error) {
	d, err := measurable(m.Preprocessing, d)
	if err != nil {
		return nil, err
	}
	d = m.Fill(d)
	unit := m.Target.Max - m.Target.Min
	if unit == 0 {
		unit = 1
	}
	_, R := m.pageGroups()
	score := newScoring(m.kind(), m.Criterion(), d, unit)
	all := newRuleSums(score, R)
	blocks := make([]*ruleSums, parallel.Blocks(d.Len(), blockRows))
	err = fireBlocks(ctx, m, d, func(block, start int, f fired) {
		s := newRuleSums(score, R)
		for i := range f.how {
			s.add(f, i, start+i)
		}
		blocks[block] = s
	})
	if err != nil {
		return nil, err
	}
	for _, s := range blocks {
		all.merge(s)
	}
	all.samples = d.Len()
	all.sd = score.deviation()
	return all, nil
}

// add adds sample i of f, which is sample n of the data set.
func (s *ruleSums) add(f fired, i, n int) {
	s.which = rules.Strongest(f.levels[i], s.which[:0])
	which := s.which
	if len(which) == 0 {
		s.uncovered++
		return
	}
	w, J := numeric.WeightAt(s.score.data.Weights, n), len(f.values)
	s.weight += w
	s.whole += float64(w * s.score.whole(f, i, n))
	s.alone += float64(w * s.score.alone(f, i, n, which))
	if len(which) == 1 {
		s.decides[which[0]]++
	}
	if s.score.Name == logLoss.Name && sameClass(f, i, which) {
		s.agree += w
	}
	for r, level := range f.levels[i] {
		if level == 0 {
			continue
		}
		s.firing[r] += float64(w * level)
		for j, says := range f.says[i][r*J : (r+1)*J] {
			d := (says - f.values[j][i]) / s.score.units[j]
			s.disagree += float64(w * level * (d * d))
			s.output[r*J+j] += float64(w * level * ((says - s.score.all[j].Mean) / s.score.units[j]))
		}
	}
}

// sameClass reports whether the given rules say that the same value of the response is the
// largest, of classes the most probable one, as the model does.
func sameClass(f fired, i int, which []int) bool {
	J, most := len(f.values), metric.MostProbable(f.values, i)
	return !slices.ContainsFunc(which, func(r int) bool {
		return slices.Index(f.says[i][r*J:(r+1)*J], slices.Max(f.says[i][r*J:(r+1)*J])) != most
	})
}

// merge adds the sums of other samples.
func (s *ruleSums) merge(o *ruleSums) {
	s.uncovered += o.uncovered
	s.weight += o.weight
	s.whole += o.whole
	s.alone += o.alone
	s.disagree += o.disagree
	s.agree += o.agree
	for r := range s.decides {
		s.decides[r] += o.decides[r]
		s.firing[r] += o.firing[r]
	}
	for i := range s.output {
		s.output[i] += o.output[i]
	}
}

// negligible is the share of the target's training range below which a difference counts as a rounding error.
const negligible = 1e-9

// slackShare is the share of the target's training range by which what a rule says on average lies outside it, if it is more
// than an error of a model that predicts the end of the range.
const slackShare = 1e-3

// readability returns the figures. Without covered samples, the quotients are nil.
func (s *ruleSums) readability() Readability {
	whole, alone := s.score.Figure(s.whole/s.weight, 1), s.score.Figure(s.alone/s.weight, 1)
	J := len(s.output) / len(s.firing)
	out := 0
	for r, firing := range s.firing {
		outside := false
		for j, sum := range s.output[r*J : (r+1)*J] {
			of, unit := s.score.all[j].Target, s.score.units[j]
			v, slack := sum/firing, float64(slackShare*((of.Max-of.Min)/unit))+negligible
			outside = outside || !(v >= (of.Min-of.Mean)/unit-slack && v <= (of.Max-of.Mean)/unit+slack)
		}
		if firing > 0 && outside {
			out++
		}
	}
	of := Readability{
		Samples: s.samples, Uncovered: s.uncovered, Rules: len(s.decides),
		Fidelity:     numeric.OrNil(max(alone, negligible) / max(whole, negligible)),
		Disagreement: numeric.OrNil(math.Sqrt(s.disagree/s.weight) * (1 / s.sd)),
		Idle:         s.idle(),
		Tied:         s.tied(),
		OutOfRange:   float64(out) / float64(len(s.firing)),
	}
	if s.score.Name == logLoss.Name {
		of.Agreement = numeric.OrNil(s.agree / s.weight)
	}
	return of
}

// idle returns the share of the rules that decide no sample.
func (s *ruleSums) idle() float64 {
	idle := 0
	for _, n := range s.decides {
		if n == 0 {
			idle++
		}
	}
	return float64(idle) / float64(len(s.decides))
}

// tied returns the share of the covered samples that no rule decides.
func (s *ruleSums) tied() float64 {
	covered := s.samples - s.uncovered
	decided := 0
	for _, n := range s.decides {
		decided += n
	}
	return float64(covered-decided) / float64(max(1, covered))
}
