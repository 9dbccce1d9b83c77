package words

import (
	"math"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// ModelOn describes a model with its rules on the samples of the training part. It sets the
// quantiles of a model of an older file that lacks them.
func ModelOn(m *model.Model, samples *data.Dataset) (Description, error) {
	samples, err := samples.Weighed()
	if err != nil {
		return Description{}, err
	}
	for _, one := range append([]*model.Model{m}, m.Members...) {
		if !one.HasQuantiles() {
			one.MeasureQuantiles(samples.X, samples.Weights)
		}
	}
	if err := m.CheckFeatures(samples); err != nil {
		return Description{}, err
	}
	d := describeWith(m, distinctValues(samples))
	return d, observe(&d, m, samples)
}

// observe sets Local of each rule and the measures of Interpretability that need samples.
// Means are weighted if the samples have weights. d is the description of m.
func observe(d *Description, m *model.Model, samples *data.Dataset) error {
	for k := range d.Members {
		if err := observe(&d.Members[k], m.Members[k], samples); err != nil {
			return err
		}
	}
	if m.Committee() {
		return nil
	}
	if m.Pages != nil {
		return observePage(d, m, samples)
	}
	samples, err := samples.Weighed()
	if err != nil {
		return err
	}
	scaled, err := m.Scale(samples.X)
	if err != nil {
		return err
	}
	predicted, err := m.WithoutNeighbours().Predict(samples.X)
	if err != nil {
		return err
	}
	sums, overlap, covered, err := sumUp(d, m, samples, scaled, predicted)
	if err != nil {
		return err
	}
	for r, o := range sums {
		d.Rules[r].Local = o.local(d.Response)
		if !math.IsInf(o.nearest, -1) && len(d.Rules[r].If) > 0 {
			e := example(m, samples, o.row)
			e.Predicted, e.Firing = predicted.Values[o.row], o.firing
			if !d.Response.IsZero() {
				e.Response = responseOf(predicted, o.row)
			}
			d.Rules[r].Local.Nearest = e
		}
	}
	if d.Interpretability != nil {
		markOtherwise(d, m, samples, scaled)
		if d.Tree != nil {
			if d.noTree = d.Tree.measure(m, scaled, d.Rules, d.Response); d.noTree != nil {
				d.Tree = nil
			}
		}
		n := numeric.WeightSum(samples.Weights, len(scaled))
		overlap, covered = overlap/n, covered/n
		d.Interpretability.Overlap, d.Interpretability.Coverage = &overlap, &covered
	}
	return nil
}

// sumUp returns the sums of each rule over the samples and, weighted, the sums of the effective
// number of rules and of the samples that meet a rule's conditions.
func sumUp(d *Description, m *model.Model, samples *data.Dataset, scaled [][]float64, predicted model.Predictions) (sums []ruleSums,
	overlap, covered float64, err error) {
	sums = make([]ruleSums, len(d.Rules))
	for r := range sums {
		sums[r].nearest = math.Inf(-1)
	}
	says, err := newSaying(m, d.Response)
	if err != nil {
		return nil, 0, 0, err
	}
	for start := 0; start < len(scaled); start += observeRows {
		block := scaled[start:min(start+observeRows, len(scaled))]
		fits := logFirings(m.RuleBase, block)
		for i, f := range m.RuleBase.FiringLevels(block, nil) {
			n := start + i
			w, of := numeric.WeightAt(samples.Weights, n), d.Response.judge(predicted, samples, n)
			overlap += float64(w * sharing(f))
			if d.anyMeets(samples.X[n], true) {
				covered += w
			}
			says.at(scaled[n])
			for r, level := range f {
				o := &sums[r]
				o.add(float64(w*level), says.of(r))
				if fits[r][i] > o.nearest {
					o.nearest, o.row, o.firing = fits[r][i], n, level
				}
			}
			if r := strongestOf(f); r >= 0 {
				sums[r].judge(w, of)
			}
		}
	}
	return sums, overlap, covered, nil
}

// logFirings returns the logarithms [R][N] of the firing levels, not normalised, of the samples x [N][M].
func logFirings(rb *rules.RuleBase, x [][]float64) [][]float64 {
	column, grades := make([]float64, len(x)), make([]float64, len(x))
	p := make([]float64, len(rb.Antecedents))
	levels := make([][]float64, rb.Rules())
	for r := range levels {
		levels[r] = make([]float64, len(x))
	}
	for m := range rb.Features() {
		for n, row := range x {
			column[n] = rb.IfPart(row)[m]
		}
		for r, level := range levels {
			logGrades(rb.Shape, rb.Function(p, r, m), grades, column)
			joinLogs(rb.TNorm, level, grades)
		}
	}
	return levels
}

// sharing returns the effective number of rules of a sample: one over the sum of the squared firing levels.
func sharing(f []float64) float64 {
	squares := 0.0
	for _, level := range f {
		squares += float64(level * level)
	}
	if !(squares > 0) {
		return 0
	}
	return 1 / squares
}

// ruleSums has sums of a rule over samples.
type ruleSums struct {
	weight  float64   // sum of the weighted firing levels
	outputs []float64 // [J] sums of these times what the rule says
	samples int       // for which it has the largest firing level
	size    float64   // of these: sum of the weights
	errors  []float64 // of these: roots of the weighted sums of squared errors, see judge

	nearest float64 // the largest of the rule's log firing levels
	row     int     // the sample with it
	firing  float64 // the normalised level there
}

// add adds what a rule says on a sample with a weighted firing level.
func (o *ruleSums) add(firing float64, says []float64) {
	if o.outputs == nil {
		o.outputs = make([]float64, len(says))
	}
	if firing > 0 {
		o.weight += firing
		for j, v := range says {
			o.outputs[j] += float64(firing * v)
		}
	}
}

// judge adds the errors of a sample for which the rule has the largest firing level.
func (o *ruleSums) judge(w float64, errors []float64) {
	if o.errors == nil {
		o.errors = make([]float64, len(errors))
	}
	o.samples++
	o.size += w
	for j, e := range errors {
		o.errors[j] = math.Hypot(o.errors[j], math.Sqrt(w)*e) // the sum of squares could overflow
	}
}

// local returns what the sums say of the rule.
func (o *ruleSums) local(r *Response) *Local {
	l := &Local{Samples: o.samples}
	if o.weight > 0 {
		for j := range o.outputs {
			o.outputs[j] /= o.weight
		}
		if r.IsZero() {
			l.Output = numeric.OrNil(o.outputs[0])
		} else if numeric.Finite(o.outputs...) {
			l.Response = o.outputs
		}
	}
	if o.samples == 0 {
		return l
	}
	for j := range o.errors {
		o.errors[j] /= math.Sqrt(o.size)
	}
	if numeric.Finite(o.errors...) {
		r.found(l, o.errors)
	}
	return l
}

// saying evaluates the response to what each rule says alone.
type saying struct {
	m       *model.Model
	respond func(dst, y []float64)
	outputs []float64 // [C R]
	y, says []float64 // [C], [R J]
}

func newSaying(m *model.Model, r *Response) (*saying, error) {
	R, C := m.RuleBase.Rules(), m.OutputCount()
	respond, err := m.Responder()
	return &saying{m, respond, make([]float64, C*R), make([]float64, C), make([]float64, R*len(r.Values))}, err
}

// at evaluates the rules on a scaled sample.
func (s *saying) at(scaled []float64) {
	s.m.RuleBase.Outputs(s.outputs, scaled)
	for r := range s.m.RuleBase.Rules() {
		for c := range s.y {
			s.y[c] = s.outputs[c*s.m.RuleBase.Rules()+r]
		}
		s.respond(s.of(r), s.y)
	}
}

// of returns what rule r says.
func (s *saying) of(r int) []float64 {
	J := len(s.says) / s.m.RuleBase.Rules()
	return s.says[r*J : (r+1)*J]
}

// mostlyShare is the share of the samples for which OTHERWISE must be true.
const mostlyShare = 0.9

// markOtherwise sets Otherwise of the rule without conditions in words that decides where no other rule's conditions hold, and only there,
// for most of the samples: it is strongest for most samples that meet the conditions of no rule, and most samples for which it is strongest
// are such. A rule that fires fully everywhere is not one: it always counts.
func markOtherwise(d *Description, m *model.Model, samples *data.Dataset, scaled [][]float64) {
	wordless := false
	for _, r := range d.Rules {
		wordless = wordless || len(r.Words) == 0
	}
	if !wordless || len(d.Rules) < 2 {
		return
	}
	left := 0                                                                    // samples that meet the conditions of no rule
	decided, decidedLeft := make([]int, len(d.Rules)), make([]int, len(d.Rules)) // samples for which each rule is strongest
	eachFiring(m.RuleBase, scaled, func(n int, f []float64) {
		free := !d.anyMeets(samples.X[n], false)
		if free {
			left++
		}
		if r := strongestOf(f); r >= 0 {
			decided[r]++
			if free {
				decidedLeft[r]++
			}
		}
	})
	mostly := func(some, all int) bool { return all > 0 && float64(some) >= mostlyShare*float64(all) }
	for r := range d.Rules {
		d.Rules[r].Otherwise = len(d.Rules[r].Words) == 0 && mostly(decidedLeft[r], left) && mostly(decidedLeft[r], decided[r])
	}
}

// anyMeets reports whether a sample meets the conditions of some rule; wordless: rules without conditions in words count.
func (d *Description) anyMeets(x []float64, wordless bool) bool {
	for i := range d.Rules {
		if r := &d.Rules[i]; (wordless || len(r.Words) > 0) && r.meets(x) {
			return true
		}
	}
	return false
}
