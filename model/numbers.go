package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// oneNumber is one number by the identity link.
type oneNumber struct{ *objective }

func (k oneNumber) check() error  { return nil }
func (k oneNumber) field() string { return "" }
func (k oneNumber) outputs() int  { return 1 }
func (k oneNumber) scaled() bool  { return true }
func (k oneNumber) chosen() bool  { return false }
func (k oneNumber) sets() bool    { return false }

func (k oneNumber) fit(o Response, l loss.Loss, train *data.Dataset) error {
	if train.Others == nil {
		return nil
	}
	return severalTargets{k}.fit(o, l, train)
}

func (k oneNumber) values() []Value {
	return []Value{valueOf(k.Schema.Target, k.Schema.TargetUnit, k.Target)}
}

// valueOf returns a value that predicts a target.
func valueOf(name, unit string, t Target) Value {
	return Value{Name: name, Short: name, Key: name, Title: name, Unit: unit, Target: t, Uncovered: t.Mean, Column: name + "_predicted",
		weight: 1, Origin: t.Mean, Factor: t.Scaling()}
}

func (k oneNumber) respond(link loss.Link, dst, y []float64) { link.Response(dst, y) }

func (k oneNumber) observed(d *data.Dataset, n, _ int) float64 { return d.Y[n] }

func (k oneNumber) output(int) (objective, bool) { return *k.objective, true }

func (k oneNumber) change(of func(t *Target) error) error { return of(&k.Target) }

func (k oneNumber) predictions(r responses) Predictions { return predictionsAt(r, 0) }

func (k oneNumber) criterion(of Criterion) Criterion { // also of an output of other rules, see Model.Output
	if of.Name == mae.Name {
		return of
	}
	return rmse
}

func (k oneNumber) measured(Criterion) (what, unit string) {
	return k.Schema.Target, k.Schema.TargetUnit
}

func (k oneNumber) measure(of Criterion, p Predictions, d *data.Dataset) Metrics {
	e := MeasureValues(p.Values, d.Y, d.Weights)
	if of.Name == mae.Name {
		e.Loss = e.MAE
	}
	return e
}

func (k oneNumber) residual(Criterion) (minimum, power float64) { return 0, 0 }

func (k oneNumber) off(_ Criterion, p Predictions, d *data.Dataset, n int) (below, above float64) {
	above = (d.Y[n] - p.Values[n]) / p.scale(n)
	return -above, above
}

func (k oneNumber) intervals(_ Criterion, p Predictions, score float64) (low, high [][]float64) {
	return around(p.Values, func(n int) float64 { return float64(score * p.scale(n)) })
}

// around returns the bounds of intervals about values.
func around(values []float64, half func(n int) float64) (low, high [][]float64) {
	low, high = newRows(1, len(values)), newRows(1, len(values))
	for n, v := range values {
		low[0][n], high[0][n] = v-half(n), v+half(n)
	}
	return low, high
}

func (k oneNumber) words() Words { return Words{Kind: "number", Constant: "training mean"} }

// oneCount are counts or costs, positive numbers by the log link.
type oneCount struct{ oneNumber }

func (k oneCount) scaled() bool { return false }

func (k oneCount) fit(_ Response, l loss.Loss, _ *data.Dataset) error {
	if of, ok := l.(loss.Tweedie); ok {
		k.Response.Power = of.Power
	}
	if !(k.Target.Mean > 0) {
		return tableError("%s is zero in the whole training part: the loss %s needs values above it", escape.Quote(k.Schema.Target), l.Name())
	}
	return nil
}

func (k oneCount) check() error {
	if !(k.Target.Mean > 0) || k.Target.Min < 0 {
		return fmt.Errorf("link: log, but the target has mean %v and min %v", k.Target.Mean, k.Target.Min)
	}
	if p := k.Response.Power; p != 0 && !(p > 1 && p < 2) {
		return fmt.Errorf("power: %v: must lie between 1 and 2", p)
	}
	return nil
}

func (k oneCount) values() []Value {
	all := k.oneNumber.values()
	all[0].Origin, all[0].Factor, all[0].power = 0, k.Target.Mean, k.Response.Power
	return all
}

// leastOfMean is the least share of the mean in the range of a logarithm.
const leastOfMean = 0.01

// output is the logarithm. Its range is that of the values of at least a hundredth of the mean.
func (k oneCount) output(int) (objective, bool) {
	one, t := k.alone(), k.Target
	log := Target{Mean: math.Log(t.Mean), Min: math.Log(max(t.Min, leastOfMean*t.Mean)), Max: math.Log(t.Max)}
	low, high := t.Limits()
	if low > 0 {
		low = min(log.Mean, math.Log(low))
		log.Low = &low
	}
	if !math.IsInf(high, 1) {
		high = max(log.Mean, math.Log(high))
		log.High = &high
	}
	one.Target, one.Schema.Target, one.Schema.TargetUnit = log, "log("+one.Schema.Target+")", ""
	return one, false
}

func (k oneCount) criterion(of Criterion) Criterion {
	switch {
	case k.Response.Power != 0:
		return tweedie
	case of.Name == gamma.Name:
		return of
	}
	return poisson
}

func (k oneCount) measured(of Criterion) (what, unit string) {
	if of.Name == gamma.Name || of.Name == tweedie.Name {
		return k.Schema.Target, ""
	}
	return k.oneNumber.measured(of)
}

func (k oneCount) measure(of Criterion, p Predictions, d *data.Dataset) Metrics {
	e, losses, s := MeasureValues(p.Values, d.Y, d.Weights), make([]float64, d.Len()), newScoring(k, of, d, 1)
	for n, v := range p.Values {
		losses[n] = of.of(s, []float64{v}, n)
	}
	e.Loss = numeric.WeightedMean(losses, d.Weights)
	e.Deviance = numeric.OrNil(e.Loss)
	return e
}

// residual is the root of the variance function.
func (k oneCount) residual(of Criterion) (minimum, power float64) {
	switch of.Name {
	case gamma.Name:
		power = 1
	case tweedie.Name:
		power = k.Response.Power / 2
	default:
		power = 0.5
	}
	return least * k.Target.Mean, power
}

// unit returns the unit of the residuals of a prediction, see [ResidualUnit].
func (k oneCount) unit(of Criterion, prediction float64) float64 {
	minimum, power := k.residual(of)
	mu := max(prediction, minimum)
	switch power {
	case 1:
		return mu
	case 0.5:
		return math.Sqrt(mu)
	}
	return math.Pow(mu, power)
}

func (k oneCount) off(of Criterion, p Predictions, d *data.Dataset, n int) (below, above float64) {
	above = (d.Y[n] - p.Values[n]) / float64(p.scale(n)*k.unit(of, p.Values[n]))
	return -above, above
}

func (k oneCount) intervals(of Criterion, p Predictions, score float64) (low, high [][]float64) {
	low, high = around(p.Values, func(n int) float64 { return float64(score * float64(p.scale(n)*k.unit(of, p.Values[n]))) })
	for n, v := range low[0] {
		low[0][n] = max(0, v)
	}
	return low, high
}

func (k oneCount) words() Words { return Words{Kind: "count", Constant: "training mean"} }

// severalTargets are several targets by the identity link.
type severalTargets struct{ oneNumber }

func (k severalTargets) field() string { return "targets" }
func (k severalTargets) outputs() int  { return len(k.Response.Targets) }

func (k severalTargets) fit(o Response, _ loss.Loss, train *data.Dataset) error {
	k.Response.Weights = slices.Clone(o.Weights)
	for c := range train.Schema.Targets() {
		t, err := fitTarget(train, c)
		if err != nil {
			return err
		}
		t.SD = targetMoments(train, c).SD
		k.Response.Targets = append(k.Response.Targets, t)
	}
	k.Target = k.Response.Targets[0]
	return nil
}

func (k severalTargets) check() error {
	r := k.Response
	if !reflect.DeepEqual(r.Targets[0], k.Target) {
		return errors.New("targets[0]: differs from target")
	}
	for c, t := range r.Targets {
		if err := t.check(); err != nil {
			return fmt.Errorf("targets[%d]: %w", c, err)
		}
	}
	if r.Weights != nil && len(r.Weights) != len(r.Targets) {
		return fmt.Errorf("weights: %d of %d targets", len(r.Weights), len(r.Targets))
	}
	for c, w := range r.Weights {
		if !(w > 0) || !numeric.Finite(w) {
			return fmt.Errorf("weights[%d]: %v: must be positive and finite", c, w)
		}
	}
	return nil
}

func (k severalTargets) values() []Value {
	var all []Value
	for c, t := range k.Response.Targets {
		name, unit := k.Schema.Target, k.Schema.TargetUnit
		if c > 0 {
			name, unit = k.Schema.Others[c-1].Name, k.Schema.Others[c-1].Unit
		}
		v := valueOf(name, unit, t)
		v.Scale, v.weight, v.ending = t.Scaling(), numeric.WeightAt(k.Response.Weights, c), "_"+name
		all = append(all, v)
	}
	return all
}

func (k severalTargets) observed(d *data.Dataset, n, j int) float64 {
	if j == 0 {
		return d.Y[n]
	}
	return d.Others[j-1][n]
}

func (k severalTargets) output(c int) (objective, bool) {
	one, v := k.alone(), k.values()[c]
	one.Target, one.Schema.Target, one.Schema.TargetUnit = v.Target, v.Name, v.Unit
	return one, false
}

// change does not change a Response that others share.
func (k severalTargets) change(of func(t *Target) error) error {
	all := slices.Clone(k.Response.Targets)
	for c := range all {
		if err := of(&all[c]); err != nil {
			return err
		}
	}
	k.Response.Targets, k.Target = all, all[0]
	return nil
}

func (k severalTargets) measured(Criterion) (what, unit string) {
	return "all targets", "standard deviations"
}

// measure returns the errors of the targets, each and together.
func (k severalTargets) measure(of Criterion, p Predictions, d *data.Dataset) Metrics {
	e := Metrics{Samples: d.Len(), Weighted: d.Weights != nil}
	squares, total := 0.0, 0.0
	for c, t := range k.Response.Targets {
		one := d.Target(c)
		of := MeasureValues(p.Outputs[c], one.Y, one.Weights)
		of.Target = one.Schema.Target
		e.Targets = append(e.Targets, of)
		w, z := numeric.WeightAt(k.Response.Weights, c), of.RMSE/t.Scaling()
		total += w
		squares += float64(w * (z * z))
		e.MAE += float64(w * (of.MAE / t.Scaling()))
		e.R2 += float64(w * of.R2)
	}
	e.RMSE = math.Sqrt(squares / total)
	e.MAE /= total
	e.R2 /= total
	e.Loss = e.RMSE
	if of.Name == mae.Name {
		e.Loss = e.MAE
	}
	return e
}

func (k severalTargets) off(_ Criterion, p Predictions, d *data.Dataset, n int) (below, above float64) {
	below, above = math.Inf(-1), math.Inf(-1)
	for c, t := range k.Response.Targets {
		off := (k.observed(d, n, c) - p.Outputs[c][n]) / t.Scaling()
		below, above = max(below, -off), max(above, off)
	}
	return below, above
}

func (k severalTargets) intervals(_ Criterion, p Predictions, score float64) (low, high [][]float64) {
	for c, t := range k.Response.Targets {
		l, h := around(p.Outputs[c], func(int) float64 { return float64(score * t.Scaling()) })
		low, high = append(low, l...), append(high, h...)
	}
	return low, high
}

func (k severalTargets) words() Words {
	return Words{Kind: "targets", Constant: "training means", Plural: true}
}
