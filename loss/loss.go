// Package loss provides the losses that training minimises, one file each.
//
// A loss L(y, t) is the cost of the outputs y of a model for the targets t. Training
// minimises its weighted sum over the samples of a mini-batch,
//
//	sum_n weight_n L(y(x_n), t_n)
//
// plus penalties. A model has C outputs. Most losses are functions of one output
// ([OfOutput]), and with several outputs their weighted sum is minimised, see [Joint].
// Others are functions of all outputs together ([OfOutputs]). A loss is a type with value,
// derivative, and the value as an expression on terms, from which the autodiff engine
// builds its graph. The fused engine and the closed form use the derivative, finite
// differences the value.
//
// To add a loss, write one file like squared.go, or huber.go if it has parameters: a type with its methods, and a call
// of [Register] in an init function. Its name and parameters become a choice and keys of config.yaml. Package losstest
// tests it, here and in other modules; package verify tests all registered losses.
//
// Methods do not check their arguments: slices of lengths that do not match and nil losses panic, as an index of a slice out of range does.
package loss

import (
	"slices"

	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Loss is a loss function: an [OfOutput] or an [OfOutputs]. Implementations must be safe
// for concurrent use.
type Loss interface {
	// Name is the name of the loss, such as "squared".
	Name() string

	// Link returns the link of the outputs to predictions.
	Link() Link

	// Metric returns the figure that reports show for the loss. Models are compared by the
	// figure of this name, if package model has it, such as MAE, or by that of the link, such as RMSE for the
	// identity.
	Metric() Metric
}

// OfOutput is a loss L(y, t) of one output y and its target t.
type OfOutput interface {
	Loss

	// Value returns L(y, t), at least 0.
	Value(y, t float64) float64

	// Gradient returns dL/dy, at a kink zero or one of the one-sided derivatives.
	Gradient(y, t float64) float64

	// Expr returns L(y, t) as an expression on terms of one common shape.
	Expr(b membership.Builder, y, t membership.Term) membership.Term
}

// OfOutputs is a loss L(y, t) of all outputs y [C] and targets t [C] of a sample.
type OfOutputs interface {
	Loss

	// Value returns L(y, t), at least 0.
	Value(y, t []float64) float64

	// Gradient writes dL/dy [C] to dst, at a kink zero or one of the one-sided derivatives.
	// It does not allocate.
	Gradient(dst, y, t []float64)

	// Expr returns terms [B,C], of which row n sums to L of sample n, as an expression on
	// the terms y and t [B,C].
	Expr(b Builder, y, t Term, C int) Term
}

// Term is a value in an expression, see [membership.Term].
type Term = membership.Term

// Builder builds expressions on terms.
type Builder interface {
	membership.Builder

	// RowMeans returns the mean of every row of v [B,C], repeated along the row: [B,C].
	RowMeans(v Term) Term

	// RowMax returns the largest element of every row of v [B,C], repeated along the row.
	RowMax(v Term) Term

	// Row returns a constant row [C], repeated to the shape of like [B,C].
	Row(row []float64, like Term) Term
}

// Kinked is implemented by losses that are not smooth.
type Kinked interface {
	// Kinks returns the values of an output at which a derivative of any order jumps, for
	// its target t.
	Kinks(t float64) []float64
}

// Bounded is implemented by losses that are not defined for every target.
type Bounded interface {
	// Targets returns the targets for which the loss is defined.
	Targets() *interval.Interval
}

// Varying is implemented by losses with the log link whose unit deviance is homogeneous: for a target t and a mean mu of an exposure e,
//
//	L(log(e mu), e t) = e^(2-p) L(log mu, t)
//
// so that training on the rate t with the weight e^(2-p) is training on the target e t with the offset log e of the output.
type Varying interface {
	// Variance returns p, the power of the mean that the variance of the target grows with.
	Variance() float64
}

// OrSquared returns l, or the squared loss for nil.
func OrSquared(l Loss) Loss {
	if l == nil {
		return Squared{}
	}
	return l
}

// Param is a parameter of a loss, and the key train.NAME of config.yaml: its name, meaning, limits, default, and how to set it.
type Param = registry.Param[Loss]

// Values are parameters of losses by name. A parameter that is absent has its default.
type Values = registry.Values

var known = registry.NewParametric[Loss]("loss", "loss")

// Register registers a loss by its name with its parameters, in the init function of the loss's file. It panics if the
// name of the loss or of a parameter is registered already.
func Register(l Loss, params ...Param) { known.Register(l, params...) }

// Params returns the parameters of all losses, in the order of the losses' names.
func Params() []Param { return known.Params() }

// Lookup returns the loss registered under name, its parameters at their defaults.
func Lookup(name string) (Loss, error) { return With(name, nil) }

// With returns the loss registered under name with values of its parameters; those of other losses are ignored.
func With(name string, v Values) (Loss, error) { return known.With(name, v) }

// Names returns the names of all losses, sorted.
func Names() []string { return known.Names() }

// All returns all losses, sorted by name, their parameters at their defaults.
func All() (all []Loss) {
	for _, name := range known.Names() {
		l, _ := known.With(name, nil) // a registered name
		all = append(all, l)
	}
	return all
}

// Joint returns a loss as a function of all outputs: an OfOutputs as it is, and of an
// OfOutput the sum over the outputs,
//
//	L(y, t) = sum_c weight_c L(y_c, t_c)
//
// with weights [C]; nil: all one.
func Joint(l Loss, weights []float64) OfOutputs {
	if all, ok := l.(OfOutputs); ok {
		return all
	}
	return &sum{l.(OfOutput), weights}
}

// sum is an OfOutput summed over the outputs.
type sum struct {
	OfOutput
	weights []float64 // [C]; nil: all one
}

func (s *sum) weight(c int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[c]
}

// of returns the sum of the weights of C outputs.
func (s *sum) of(C int) float64 {
	total := 0.0
	for c := range C {
		total += s.weight(c)
	}
	return total
}

func (s *sum) Value(y, t []float64) float64 {
	total := 0.0
	for c, v := range y {
		total += float64(s.weight(c) * s.OfOutput.Value(v, t[c]))
	}
	return total
}

func (s *sum) Gradient(dst, y, t []float64) {
	for c, v := range y {
		dst[c] = s.weight(c) * s.OfOutput.Gradient(v, t[c])
	}
}

func (s *sum) Expr(b Builder, y, t Term, _ int) Term {
	each := s.OfOutput.Expr(b, y, t)
	if s.weights == nil {
		return each
	}
	return b.Mul(each, b.Row(slices.Clone(s.weights), y))
}

// Kinks returns those of the loss of one output.
func (s *sum) Kinks(t float64) []float64 {
	if l, ok := s.OfOutput.(Kinked); ok {
		return l.Kinks(t)
	}
	return nil
}

// Metric computes a figure from the loss of weighted samples.
type Metric struct {
	Name string

	// Scaled tells that the figure has the unit of the errors: errors twice as large double it.
	Scaled bool

	// Of returns the figure from the weighted sum of the losses and the sum of the
	// weights, which is greater than 0.
	Of func(sum, weight float64) float64
}

// MetricOf returns the metric of a loss of C outputs: where it is a sum over the outputs, the
// metric of their weighted mean.
func MetricOf(l Loss, C int) Metric {
	m, outputs := l.Metric(), 1.0
	switch l := l.(type) {
	case *sum:
		outputs = l.of(C)
	case OfOutput:
		outputs = float64(C)
	}
	if outputs == 1 {
		return m
	}
	return Metric{m.Name, m.Scaled, func(sum, weight float64) float64 { return m.Of(sum, weight*outputs) }}
}

// mean returns the metric sum / weight.
func mean(name string, scaled bool) Metric {
	return Metric{name, scaled, func(sum, weight float64) float64 { return sum / weight }}
}

// deviance returns the mean deviance of a loss that is half the unit deviance.
func deviance(name string, scaled bool) Metric {
	return Metric{name, scaled, func(sum, weight float64) float64 { return 2 * (sum / weight) }}
}
