package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/metric"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/loss"
)

// severalQuantiles are quantiles of the target by the ordered link.
type severalQuantiles struct{ oneNumber }

// maxQuantiles is the largest number of quantiles.
const maxQuantiles = 100

func (k severalQuantiles) check() error {
	r := k.Response
	if n := len(r.Quantiles); n > maxQuantiles || len(r.TrainingQuantiles) != n {
		return fmt.Errorf("quantiles: %d, and %d training_quantiles: want the same number, from 1 to %d", n,
			len(r.TrainingQuantiles), maxQuantiles)
	}
	for c, q := range r.Quantiles {
		if !(q > 0 && q < 1) || c > 0 && q <= r.Quantiles[c-1] {
			return fmt.Errorf("quantiles[%d]: %v: must lie between 0 and 1, and increase", c, q)
		}
		if v := r.TrainingQuantiles[c]; !numeric.Finite(v) || c > 0 && v < r.TrainingQuantiles[c-1] {
			return fmt.Errorf("training_quantiles[%d]: %v: must be finite and not decrease", c, v)
		}
	}
	return nil
}

func (k severalQuantiles) field() string { return "quantiles" }

func (k severalQuantiles) fit(o Response, _ loss.Loss, train *data.Dataset) error {
	k.Response.Quantiles = slices.Clone(o.Quantiles)
	sorted := numeric.SortedByValue(train.Y, train.Weights)
	for _, q := range o.Quantiles {
		at := int(math.Ceil(float64(q*float64(len(sorted))))) - 1
		k.Response.TrainingQuantiles = append(k.Response.TrainingQuantiles, sorted[at])
	}
	return nil
}

func (k severalQuantiles) outputs() int { return len(k.Response.Quantiles) }
func (k severalQuantiles) chosen() bool { return len(k.Response.Quantiles) > 1 }

func (k severalQuantiles) values() []Value {
	var all []Value
	for c, q := range k.Response.Quantiles {
		v := valueOf(k.Schema.Target, k.Schema.TargetUnit, k.Target)
		v.Level, v.Uncovered, v.ending = q, k.Response.TrainingQuantiles[c], "_q"+levelName(q)
		v.Short = "median"
		if q != 0.5 {
			v.Short = strconv.FormatFloat(float64(100*q), 'g', 4, 64) + "% quantile"
		}
		v.Title = v.Short + " of " + v.Name
		if k.chosen() {
			v.Column = v.Name + v.ending
		}
		v.Key = v.Column
		all = append(all, v)
	}
	return all
}

func (k severalQuantiles) output(c int) (objective, bool) {
	one := k.alone()
	one.Schema.Target = k.values()[c].Title
	return one, false
}

func (k severalQuantiles) predictions(r responses) Predictions { return predictionsAt(r, k.median()) }

// median returns the index of the level nearest to 1/2, the first of equally near ones.
func (k severalQuantiles) median() int {
	at := 0
	for c, q := range k.Response.Quantiles {
		if math.Abs(q-0.5) < math.Abs(k.Response.Quantiles[at]-0.5) {
			at = c
		}
	}
	return at
}

func (k severalQuantiles) criterion(Criterion) Criterion { return pinball }

func (k severalQuantiles) measure(_ Criterion, p Predictions, d *data.Dataset) Metrics {
	e := MeasureValues(p.Values, d.Y, d.Weights)
	for c, values := range p.All() {
		losses := make([]float64, d.Len())
		for n, y := range d.Y {
			losses[n] = pinballLoss(k.Response.Quantiles[c], y-values[n])
		}
		e.Pinball = append(e.Pinball, numeric.WeightedMean(losses, d.Weights))
	}
	e.Loss = numeric.WeightedMean(e.Pinball, nil)
	return e
}

func (k severalQuantiles) off(_ Criterion, p Predictions, d *data.Dataset, n int) (below, above float64) {
	all, y := p.All(), d.Y[n]
	return all[0][n] - y, y - all[len(all)-1][n]
}

func (k severalQuantiles) intervals(_ Criterion, p Predictions, score float64) (low, high [][]float64) {
	all := p.All()
	low, high = around(all[0], func(int) float64 { return score })
	for n, v := range all[len(all)-1] {
		high[0][n] = v + score
	}
	return low, high
}

func (k severalQuantiles) words() Words {
	return Words{Kind: "quantiles", Start: k.median(), Constant: "training quantiles", Plural: true}
}

// severalClasses are the probabilities of classes by the softmax link.
type severalClasses struct{ oneNumber }

func (k severalClasses) field() string { return "classes" }
func (k severalClasses) outputs() int  { return len(k.Response.Classes) }
func (k severalClasses) scaled() bool  { return false }
func (k severalClasses) chosen() bool  { return true }
func (k severalClasses) sets() bool    { return true }

func (k severalClasses) fit(_ Response, _ loss.Loss, train *data.Dataset) error {
	if train.Schema.Classes == nil {
		return nil // New says that the link has no classes
	}
	k.Response.Classes = classShares(train)
	return nil
}

func (k severalClasses) check() error {
	sum := 0.0
	for i, c := range k.Response.Classes {
		if c.Name != k.Schema.Classes[i] {
			return fmt.Errorf("classes[%d].name: %s; the schema has %s", i, escape.Quote(c.Name), escape.Quote(k.Schema.Classes[i]))
		}
		if !(c.Share >= 0 && c.Share <= 1) {
			return fmt.Errorf("classes[%d].share: %v: must lie between 0 and 1", i, c.Share)
		}
		sum += c.Share
	}
	if math.Abs(sum-1) > 1e-6 {
		return fmt.Errorf("classes: the shares sum to %v, not to 1", sum)
	}
	return nil
}

func (k severalClasses) values() []Value {
	low, high, all := 0.0, 1.0, make([]Value, len(k.Response.Classes))
	for i, c := range k.Response.Classes {
		ending := "_probability_" + c.Name
		all[i] = Value{
			Name: c.Name, Short: c.Name, Key: c.Name, Title: "probability of " + c.Name, Target: Target{Max: 1, Low: &low, High: &high},
			Uncovered: c.Share, Scale: 1,
			Column: k.Schema.Target + ending, ending: ending, Factor: 1,
		}
	}
	return all
}

// observed is one for the class of the sample, else zero.
func (k severalClasses) observed(d *data.Dataset, n, j int) float64 {
	if int(d.Y[n]) == j {
		return 1
	}
	return 0
}

// mostLogit is the logit of 99%, the end of the range of outputs whose response is a probability.
var mostLogit = math.Log(99)

func (k severalClasses) output(c int) (objective, bool) {
	return k.scores("score of " + k.Response.Classes[c].Name), false
}

// scores returns the objective of an output without a unit.
func (k severalClasses) scores(name string) objective {
	one := k.alone()
	one.Target, one.Schema.Target, one.Schema.TargetUnit = Target{Min: -mostLogit, Max: mostLogit}, name, ""
	return one
}

func (k severalClasses) change(func(t *Target) error) error { return nil }

// predictions has the index of the most probable class as the value.
func (k severalClasses) predictions(r responses) Predictions {
	p := Predictions{Values: make([]float64, len(r.how)), Outputs: r.values, Spreads: r.spread}
	if r.spread != nil {
		p.Spread = make([]float64, len(r.how))
	}
	for n := range p.Values {
		most := metric.MostProbable(r.values, n)
		p.Values[n] = float64(most)
		if r.spread != nil {
			p.Spread[n] = r.spread[most][n]
		}
	}
	return p
}

func (k severalClasses) criterion(Criterion) Criterion { return logLoss }

func (k severalClasses) measured(Criterion) (what, unit string) { return k.Schema.Target, "" }

func (k severalClasses) measure(_ Criterion, p Predictions, d *data.Dataset) Metrics {
	of := metric.MeasureClasses(p.Outputs, d.Y, d.Weights)
	return Metrics{Samples: d.Len(), Weighted: d.Weights != nil, Classes: &of, Loss: of.LogLoss}
}

func (k severalClasses) off(_ Criterion, p Predictions, d *data.Dataset, n int) (below, above float64) {
	of := 1 - p.Outputs[int(d.Y[n])][n]
	return of, of
}

func (k severalClasses) words() Words {
	return Words{Kind: "classes", Constant: "class shares", Plural: true}
}

// twoClasses are the probabilities of two classes by the logit link, whose only output is for the second.
type twoClasses struct{ severalClasses }

func (k twoClasses) outputs() int { return 1 }

func (k twoClasses) check() error {
	if n := len(k.Response.Classes); n != 2 {
		return fmt.Errorf("classes: %d; the logit link is for two", n)
	}
	return k.severalClasses.check()
}

func (k twoClasses) respond(link loss.Link, dst, y []float64) {
	link.Response(dst[1:], y)
	y[0] = -y[0]
	link.Response(dst[:1], y)
}

func (k twoClasses) output(int) (objective, bool) {
	return k.scores("log odds of " + k.Response.Classes[1].Name), false
}

func (k twoClasses) words() Words {
	w := k.severalClasses.words()
	w.Kind, w.Start = "two classes", 1
	return w
}

// classShares returns the classes of the schema with their weighted shares of the samples.
func classShares(d *data.Dataset) []Class {
	classes := make([]Class, len(d.Schema.Classes))
	for k, name := range d.Schema.Classes {
		classes[k].Name = name
	}
	if d.Whole != nil {
		weights := d.Whole.ClassWeights()
		total := numeric.WeightSum(weights, len(weights))
		for k, w := range weights {
			classes[k].Share = w / total
		}
		return classes
	}
	total := numeric.WeightSum(d.Weights, d.Len())
	for n, y := range d.Y {
		share := &classes[int(y)].Share
		*share = min(1, *share+numeric.WeightAt(d.Weights, n)/total) // rounded, that of the only class may exceed 1
	}
	return classes
}
