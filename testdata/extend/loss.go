package main

import (
	"math"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// LogCosh is about half the squared error of small errors and the absolute error of large ones, without a kink:
//
//	L(y, t) = log cosh(y - t)
type LogCosh struct{}

func init() { loss.Register(LogCosh{}) }

// Name returns "logcosh".
func (LogCosh) Name() string { return "logcosh" }

// Value computes the formula above.
func (LogCosh) Value(y, t float64) float64 { return logCosh(y - t) }

// Gradient returns tanh(y - t).
func (LogCosh) Gradient(y, t float64) float64 { return math.Tanh(y - t) }

// Expr states the formula on terms.
func (LogCosh) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return logCoshTerm(b, b.Sub(y, t))
}

// Link returns the identity: predictions are the outputs.
func (LogCosh) Link() loss.Link { return loss.Identity() }

// Metric returns the mean loss.
func (LogCosh) Metric() loss.Metric {
	return loss.Metric{Name: "mean log-cosh loss", Of: func(sum, weight float64) float64 { return sum / weight }}
}

// logCosh returns log cosh z = |z| + log(1 + e^(-2|z|)) - log 2, without overflow.
func logCosh(z float64) float64 {
	z = math.Abs(z)
	return z + math.Log1p(math.Exp(-2*z)) - math.Ln2
}

// logCoshTerm states logCosh on terms.
func logCoshTerm(b membership.Builder, z membership.Term) membership.Term {
	z = b.Abs(z)
	tail := b.Log(b.Add(b.Const(1), b.Exp(b.Mul(b.Const(-2), z))))
	return b.Sub(b.Add(z, tail), b.Const(math.Ln2))
}
