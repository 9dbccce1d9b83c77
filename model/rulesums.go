package model

import (
	"context"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
	"github.com/tskgraph/tskgraph/internal/base/weighted"
	"github.com/tskgraph/tskgraph/rules"
)

// ruleSums holds sums over covered samples, with errors of a single target in the unit of
// score.
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
	return &ruleSums{score: score, decides: make([]int, R), firing: make([]float64, R), output: make([]float64, R*len(score.values))}
}

// sumRules returns the sums over a data set. The result does not depend on the number of
// processors.
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
	score, R := newScoring(m, d, unit), m.RuleBase.Rules()
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
	w, J := weighted.At(s.score.data.Weights, n), len(f.values)
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
			s.output[r*J+j] += float64(w * level * ((says - s.score.values[j].Mean) / s.score.units[j]))
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

// negligible is the share of the target's training range below which a difference counts as
// a rounding error.
const negligible = 1e-9

// beyond is the share of the target's training range by which what a rule says on average lies outside it, if it is more
// than an error of a model that predicts the end of the range.
const beyond = 1e-3

// readability returns the figures. Without covered samples, the quotients are nil.
func (s *ruleSums) readability() Readability {
	whole, alone := s.score.Figure(s.whole/s.weight, 1), s.score.Figure(s.alone/s.weight, 1)
	J := len(s.output) / len(s.firing)
	out := 0
	for r, firing := range s.firing {
		outside := false
		for j, sum := range s.output[r*J : (r+1)*J] {
			of, unit := s.score.values[j].Target, s.score.units[j]
			v, slack := sum/firing, float64(beyond*((of.Max-of.Min)/unit))+negligible
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
	if others := s.score.Schema.Others; len(others) > 0 {
		of.Targets = 1 + len(others)
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
