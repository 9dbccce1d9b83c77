package main

import (
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/membership"
)

// Sharp normalises the squares of the firing levels, so that the rules that fire most count more:
//
//	fbar_r = f_r^2 / sum_i f_i^2
type Sharp struct{}

func init() { inference.RegisterDefuzzification(Sharp{}) }

// Name returns "sharp".
func (Sharp) Name() string { return "sharp" }

// Meaning describes the weight of a rule.
func (Sharp) Meaning(firing string, _ int) string { return "the square of " + firing }

// LogWeight returns log f^2 = 2z for z = log f.
func (Sharp) LogWeight(z float64, _ int) float64 { return 2 * z }

// Gradient returns 2.
func (Sharp) Gradient(float64, int) float64 { return 2 }

// Expr states 2z on terms.
func (Sharp) Expr(b membership.Builder, z membership.Term, _ int) membership.Term {
	return b.Mul(b.Const(2), z)
}
