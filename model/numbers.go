package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// number is one number by the identity link.
type number struct{ *Preprocessing }

func (k number) check() error { return nil }
func (k number) outputs() int { return 1 }
func (k number) scaled() bool { return true }
func (k number) chosen() bool { return false }
func (k number) sets() bool   { return false }

func (k number) values() []Value {
	return []Value{valueOf(k.Schema.Target, k.Schema.TargetUnit, k.Target)}
}

// valueOf returns a value that predicts a target.
func valueOf(name, unit string, t Target) Value {
	return Value{Name: name, Short: name, Key: name, Title: name, Unit: unit, Target: t, Uncovered: t.Mean, Column: name + "_predicted",
		Origin: t.Mean, Factor: t.Scaling()}
}

func (k number) respond(link loss.Link, dst, y []float64) { link.Response(dst, y) }

func (k number) observed(d *data.Dataset, n, _ int) float64 { return d.Y[n] }

func (k number) output(int) (Preprocessing, bool) { return *k.Preprocessing, true }

func (k number) change(of func(t *Target) error) error { return of(&k.Preprocessing.Target) }

func (k number) predictions(r responses) Predictions { return predictionsAt(r, 0) }

func (k number) criterion(of Criterion) Criterion { // also of an output of other rules, see Model.Output
	if of.Name == mae.Name {
		return of
	}
	return rmse
}

func (k number) measured(Criterion) (what, unit string) { return k.Schema.Target, k.Schema.TargetUnit }

func (k number) measure(of Criterion, p Predictions, d *data.Dataset) Metrics {
	e := MeasureValues(p.Values, d.Y, d.Weights)
	if of.Name == mae.Name {
		e.Loss = e.MAE
	}
	return e
}

func (k number) residual(Criterion) (minimum, power float64) { return 0, 0 }

func (k number) score(_ Criterion, p Predictions, d *data.Dataset, n int) float64 {
	return math.Abs(d.Y[n] - p.Values[n])
}

func (k number) intervals(_ Criterion, p Predictions, score float64) (low, high [][]float64) {
	return around(p.Values, func(int) float64 { return score })
}

// around returns the bounds of intervals about values.
func around(values []float64, half func(n int) float64) (low, high [][]float64) {
	low, high = newRows(1, len(values)), newRows(1, len(values))
	for n, v := range values {
		low[0][n], high[0][n] = v-half(n), v+half(n)
	}
	return low, high
}

func (k number) words() Words { return Words{Kind: "number", Constant: "training mean"} }

// counts are counts or costs, positive numbers by the log link.
type counts struct{ number }

func (k counts) scaled() bool { return false }

func (k counts) check() error {
	if !(k.Target.Mean > 0) || k.Target.Min < 0 {
		return fmt.Errorf("link: log, but the target has mean %v and min %v", k.Target.Mean, k.Target.Min)
	}
	return nil
}

func (k counts) values() []Value {
	all := k.number.values()
	all[0].Origin, all[0].Factor = 0, k.Target.Mean
	return all
}

// leastOfMean is the least share of the mean in the range of a logarithm.
const leastOfMean = 0.01

// output returns the preprocessing of the logarithm. Its range is that of the values of at least a hundredth of the mean.
func (k counts) output(int) (Preprocessing, bool) {
	p, t := alone(k.Preprocessing), k.Target
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
	p.Target, p.Schema.Target, p.Schema.TargetUnit = log, "log("+p.Schema.Target+")", ""
	return p, false
}

// alone returns a preprocessing of one number.
func alone(p *Preprocessing) Preprocessing {
	one := *p
	one.Schema.Classes, one.Schema.Others, one.Response = nil, nil, Response{}
	return one
}

func (k counts) criterion(of Criterion) Criterion {
	if of.Name == gamma.Name {
		return of
	}
	return poisson
}

func (k counts) measured(of Criterion) (what, unit string) {
	if of.Name == gamma.Name {
		return k.Schema.Target, ""
	}
	return k.number.measured(of)
}

func (k counts) measure(of Criterion, p Predictions, d *data.Dataset) Metrics {
	e, losses, s := MeasureValues(p.Values, d.Y, d.Weights), make([]float64, d.Len()), newScoring(k.Preprocessing, of, d, 1)
	for n, v := range p.Values {
		losses[n] = of.of(s, []float64{v}, n)
	}
	e.Loss = numeric.WeightedMean(losses, d.Weights)
	e.Deviance = numeric.OrNil(e.Loss)
	return e
}

// residual is the root of the variance function.
func (k counts) residual(of Criterion) (minimum, power float64) {
	if of.Name == gamma.Name {
		return least * k.Target.Mean, 1
	}
	return least * k.Target.Mean, 0.5
}

// unit returns the unit of the residuals of a prediction, see [ResidualUnit].
func (k counts) unit(of Criterion, prediction float64) float64 {
	minimum, power := k.residual(of)
	mu := max(prediction, minimum)
	if power == 1 {
		return mu
	}
	return math.Sqrt(mu)
}

func (k counts) score(of Criterion, p Predictions, d *data.Dataset, n int) float64 {
	return math.Abs(d.Y[n]-p.Values[n]) / k.unit(of, p.Values[n])
}

func (k counts) intervals(of Criterion, p Predictions, score float64) (low, high [][]float64) {
	low, high = around(p.Values, func(n int) float64 { return float64(score * k.unit(of, p.Values[n])) })
	for n, v := range low[0] {
		low[0][n] = max(0, v)
	}
	return low, high
}

func (k counts) words() Words { return Words{Kind: "count", Constant: "training mean"} }

// targets are several targets by the identity link.
type targets struct{ number }

func (k targets) outputs() int { return len(k.Response.Targets) }

func (k targets) check() error {
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

func (k targets) values() []Value {
	var all []Value
	for c, t := range k.Response.Targets {
		name, unit := k.Schema.Target, k.Schema.TargetUnit
		if c > 0 {
			name, unit = k.Schema.Others[c-1].Name, k.Schema.Others[c-1].Unit
		}
		v := valueOf(name, unit, t)
		v.Scale, v.ending = t.Scaling(), "_"+name
		all = append(all, v)
	}
	return all
}

func (k targets) observed(d *data.Dataset, n, j int) float64 {
	if j == 0 {
		return d.Y[n]
	}
	return d.Others[j-1][n]
}

func (k targets) output(c int) (Preprocessing, bool) {
	p, v := alone(k.Preprocessing), k.values()[c]
	p.Target, p.Schema.Target, p.Schema.TargetUnit = v.Target, v.Name, v.Unit
	return p, false
}

// change does not change a Response that others share.
func (k targets) change(of func(t *Target) error) error {
	all := slices.Clone(k.Response.Targets)
	for c := range all {
		if err := of(&all[c]); err != nil {
			return err
		}
	}
	k.Preprocessing.Response.Targets, k.Preprocessing.Target = all, all[0]
	return nil
}

func (k targets) measured(Criterion) (what, unit string) { return "all targets", "standard deviations" }

// measure returns the errors of the targets, each and together.
func (k targets) measure(of Criterion, p Predictions, d *data.Dataset) Metrics {
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

func (k targets) score(_ Criterion, p Predictions, d *data.Dataset, n int) float64 {
	worst := 0.0
	for c, t := range k.Response.Targets {
		worst = max(worst, math.Abs(k.observed(d, n, c)-p.Outputs[c][n])/t.Scaling())
	}
	return worst
}

func (k targets) intervals(_ Criterion, p Predictions, score float64) (low, high [][]float64) {
	for c, t := range k.Response.Targets {
		l, h := around(p.Outputs[c], func(int) float64 { return float64(score * t.Scaling()) })
		low, high = append(low, l...), append(high, h...)
	}
	return low, high
}

func (k targets) words() Words {
	return Words{Kind: "targets", Constant: "training means", Plural: true}
}
