// Package loss provides the losses that training minimises, one file each.
//
// A loss L(y, t) is the cost of an output y of a model for the target t. Training
// minimises its weighted sum over the samples of a mini-batch,
//
//	sum_n weight_n L(y(x_n), t_n)
//
// plus penalties. A loss is a type that implements [Loss]: value, derivative, and the
// value as an expression on terms, from which the autodiff engine builds its graph. The
// fused engine and the closed form use the derivative, finite differences the value.
//
// To add a loss, write one file like squared.go: a type with its methods, and a call of
// [Register] in an init function. The conformance test of this package and package verify
// test all registered losses.
package loss

import (
	"github.com/tskgraph/tskgraph/internal/registry"
	"github.com/tskgraph/tskgraph/membership"
)

// Loss is a loss function. Implementations must be safe for concurrent use.
type Loss interface {
	// Name is the name of the loss, such as "squared".
	Name() string

	// Value returns L(y, t), at least 0.
	Value(y, t float64) float64

	// Gradient returns dL/dy, at a kink zero or one of the one-sided derivatives.
	Gradient(y, t float64) float64

	// Expr returns L(y, t) as an expression on terms of one common shape.
	Expr(b membership.Builder, y, t membership.Term) membership.Term

	// Link returns the link between the mean of the target and y.
	Link() Link

	// Metric returns the figure that reports show for the loss.
	Metric() Metric

	// Mutant returns the loss with a mistake in Expr, which package verify must catch, and
	// a description of the mistake.
	Mutant() (wrong string, l Loss)
}

// Kinked is implemented by losses that are not smooth.
type Kinked interface {
	// Kinks returns the errors y - t at which a derivative of any order jumps.
	Kinks() []float64
}

// Link is the link function g of a generalised linear model: y = g(mean of the target).
type Link struct {
	Name           string
	Apply, Inverse func(v float64) float64 // g and its inverse
}

// Identity returns the link y = v.
func Identity() Link {
	same := func(v float64) float64 { return v }
	return Link{"identity", same, same}
}

// Metric computes a figure from the loss of weighted samples.
type Metric struct {
	Name string

	// Of returns the figure from the weighted sum of the losses and the sum of the
	// weights, which is greater than 0.
	Of func(sum, weight float64) float64
}

var known = registry.New[Loss]("loss", "loss")

// Register registers a loss by its name, in the init function of the loss's file. It
// panics if the name is registered already.
func Register(l Loss) { known.Register(l) }

// Lookup returns the loss registered under name.
func Lookup(name string) (Loss, error) { return known.Lookup(name) }

// Names returns the names of all losses, sorted.
func Names() []string { return known.Names() }

// All returns all losses, sorted by name.
func All() []Loss { return known.All() }

// OrSquared returns l, or the squared loss for nil.
func OrSquared(l Loss) Loss {
	if l == nil {
		return Squared{}
	}
	return l
}
