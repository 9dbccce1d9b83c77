package model

import (
	"errors"
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/numeric"
	"github.com/tskgraph/tskgraph/internal/parallel"
	"github.com/tskgraph/tskgraph/internal/weighted"
	"github.com/tskgraph/tskgraph/rules"
)

// SquaredErrors returns the squared errors [N] of a single model on a weighed data set (see
// [data.Dataset.Weighed]), and those of the strongest rule read alone, see [Readability]: NaN
// for a sample that no rule covers. Errors are divided by unit, their squares multiplied by
// the weights. Both come from one forward pass. A committee is an error.
func SquaredErrors(m *Model, d *data.Dataset, unit float64) (whole, alone []float64, err error) {
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	if m.Committee() {
		return nil, nil, errors.New("model: a committee has no strongest rule: only its members have rules")
	}
	whole, alone = make([]float64, d.Len()), make([]float64, d.Len())
	err = fireBlocks(m, d, func(_, start int, f fired) {
		var which []int
		for i, p := range f.values {
			n := start + i
			w, e := weighted.At(d.Weights, n), (p-d.Y[n])/unit
			whole[n], alone[n] = w*(e*e), math.NaN()
			if which = rules.Strongest(f.levels[i], which[:0]); len(which) > 0 {
				e = farthest(f.says[i], which, d.Y[n]) / unit
				alone[n] = w * (e * e)
			}
		}
	})
	return whole, alone, err
}

// fireBlocks evaluates the rules on blocks of the samples, in any order, and calls do with
// the number of each block and that of its first sample.
func fireBlocks(m *Model, d *data.Dataset, do func(block, start int, f fired)) error {
	errs := make([]error, parallel.Blocks(d.Len(), blockRows))
	parallel.For(d.Len(), blockRows, func(block, start, end int) {
		f, err := fire(m, d.X[start:end], start)
		if errs[block] = err; err == nil {
			do(block, start, f)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// farthest returns the largest distance to the target y of what the given rules say.
func farthest(says []float64, which []int, y float64) float64 {
	d := 0.0
	for _, r := range which {
		d = max(d, math.Abs(says[r]-y))
	}
	return d
}

// ruleSums holds sums over covered samples; errors and outputs are in the given unit.
type ruleSums struct {
	unit, sd               float64 // in the target's unit; sd is the target's
	samples, uncovered     int
	weight                 float64   // of the covered samples
	whole, alone, disagree float64   // weighted squares: errors of the model, of the strongest rule; disagreement
	decides                []int     // [R], samples for which the rule alone is strongest
	firing, output         []float64 // [R], weighted firing levels, and these times the output minus the target's mean
	which                  []int     // scratch of add
}

func newRuleSums(R int, unit float64) *ruleSums {
	return &ruleSums{unit: unit, decides: make([]int, R), firing: make([]float64, R), output: make([]float64, R)}
}

// sumRules returns the sums over a data set. The result does not depend on the number of
// processors.
func sumRules(m *Model, d *data.Dataset) (*ruleSums, error) {
	d, err := measurable(m.Preprocessing, d)
	if err != nil {
		return nil, err
	}
	d = m.Fill(d)
	unit := m.Target.Max - m.Target.Min
	if unit == 0 {
		unit = 1
	}
	all := newRuleSums(m.RuleBase.Rules(), unit)
	blocks := make([]*ruleSums, parallel.Blocks(d.Len(), blockRows))
	err = fireBlocks(m, d, func(block, start int, f fired) {
		s := newRuleSums(m.RuleBase.Rules(), unit)
		for i := range f.values {
			s.add(f, i, d.Y[start+i], weighted.At(d.Weights, start+i), m.Target.Mean)
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
	_, all.sd, _, _ = moments(d.Y, d.Weights)
	return all, nil
}

// add adds sample i of f with its target and weight.
func (s *ruleSums) add(f fired, i int, y, w, mean float64) {
	s.which = rules.Strongest(f.levels[i], s.which[:0])
	which := s.which
	if len(which) == 0 {
		s.uncovered++
		return
	}
	s.weight += w
	e := (f.values[i] - y) / s.unit
	s.whole += float64(w * (e * e))
	e = farthest(f.says[i], which, y) / s.unit
	s.alone += float64(w * (e * e))
	if len(which) == 1 {
		s.decides[which[0]]++
	}
	for r, level := range f.levels[i] {
		if level == 0 {
			continue
		}
		says := f.says[i][r]
		d := (says - f.values[i]) / s.unit
		s.disagree += float64(w * level * (d * d))
		s.firing[r] += float64(w * level)
		s.output[r] += float64(w * level * ((says - mean) / s.unit))
	}
}

// merge adds the sums of other samples.
func (s *ruleSums) merge(o *ruleSums) {
	s.uncovered += o.uncovered
	s.weight += o.weight
	s.whole += o.whole
	s.alone += o.alone
	s.disagree += o.disagree
	for r := range s.decides {
		s.decides[r] += o.decides[r]
		s.firing[r] += o.firing[r]
		s.output[r] += o.output[r]
	}
}

// negligible is the share of the target's training range below which a difference counts as
// a rounding error.
const negligible = 1e-9

// readability returns the figures. Without covered samples, the quotients are nil.
func (s *ruleSums) readability(t Target) Readability {
	whole, alone := math.Sqrt(s.whole/s.weight), math.Sqrt(s.alone/s.weight)
	out := 0
	for r, firing := range s.firing {
		mean := s.output[r] / firing
		low, high := (t.Min-t.Mean)/s.unit, (t.Max-t.Mean)/s.unit
		if firing > 0 && !(mean >= low-negligible && mean <= high+negligible) {
			out++
		}
	}
	return Readability{
		Samples: s.samples, Uncovered: s.uncovered, Rules: len(s.decides),
		Fidelity:     numeric.OrNil(max(alone, negligible) / max(whole, negligible)),
		Disagreement: numeric.OrNil(math.Sqrt(s.disagree/s.weight) * (s.unit / s.sd)),
		Idle:         s.idle(),
		OutOfRange:   float64(out) / float64(len(s.firing)),
	}
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
