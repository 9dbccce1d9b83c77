package verify

import (
	"math"
	"slices"

	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
)

// lossMutants have a wrong loss: mistakes that apply to every loss and penalty, then the
// mutants of the registered ones.
func lossMutants() []mutant {
	with := func(wrong string, build func(*layers.Builder, *nodes)) mutant {
		return inLayer(wrong, "loss", build)
	}
	mutants := []mutant{
		with("mean, not sum, of the batch", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.data = times(b, 1/float64(n.X.Shape()[0]), n.data)
		}),
		with("sample weights ignored", func(b *layers.Builder, n *nodes) {
			n.Weight = ones(b, n.Weight)
			n.addLoss(b)
		}),
		with("target has the wrong sign", func(b *layers.Builder, n *nodes) {
			n.Target = b.Neg(n.Target).(*gorgonia.Node)
			n.addLoss(b)
		}),
		with("penalty missing", func(b *layers.Builder, n *nodes) {
			n.penalties = nil
			n.addLoss(b)
		}),
		with("penalty added twice", func(b *layers.Builder, n *nodes) {
			n.penalties = slices.Concat(n.penalties, n.penalties)
			n.addLoss(b)
		}),
		with("bias penalised", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			for _, p := range penalty.Of(penalty.OnSlopes, n.penalties) {
				n.penalty = b.Add(n.penalty, p.Expr(b, n.Bias, n.Bias.Shape()[1])).(*gorgonia.Node)
			}
		}),
		with("penalty of the levels before normalisation", func(b *layers.Builder, n *nodes) {
			n.level = n.kept
			n.addLoss(b)
		}),
		with("sample weights ignored in penalties", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.Weight = ones(b, n.Weight)
			n.addPenalty(b)
		}),
		with("bias missing in penalties", func(b *layers.Builder, n *nodes) {
			n.addLoss(b)
			n.outputs = n.consequents(b, times(b, 0, n.Bias))
			n.addPenalty(b)
		}),
	}
	return slices.Concat(mutants, mutantsOfLosses(), mutantsOfPenalties())
}

// A wrong expression of a loss: of one output, and of all.
type (
	wrongOutput struct {
		loss.OfOutput
		expr func(b membership.Builder, y, t membership.Term) membership.Term
	}
	wrongOutputs struct {
		loss.OfOutputs
		expr func(b loss.Builder, y, t loss.Term, C int) loss.Term
	}
)

func (w wrongOutput) Expr(b membership.Builder, y, t membership.Term) membership.Term {
	return w.expr(b, y, t)
}

func (w wrongOutputs) Expr(b loss.Builder, y, t loss.Term, C int) loss.Term {
	return w.expr(b, y, t, C)
}

// wrongOf returns a loss with a typical mistake in its expression; of one that is not listed, half of it.
func wrongOf(of loss.Loss) (wrong string, l loss.Loss) {
	expr := func(wrong string, e func(b membership.Builder, y, t membership.Term) membership.Term) (string, loss.Loss) {
		return wrong, wrongOutput{of.(loss.OfOutput), e}
	}
	switch l := of.(type) {
	case loss.Squared:
		return expr("1/2 missing", func(b membership.Builder, y, t membership.Term) membership.Term { return b.Square(b.Sub(y, t)) })
	case loss.Huber:
		return expr("clipped, not linear, above delta", func(b membership.Builder, y, t membership.Term) membership.Term {
			return b.Mul(b.Const(0.5), b.Square(b.Min(b.Abs(b.Sub(y, t)), b.Const(l.Delta))))
		})
	case loss.Logistic:
		return expr("logit of the first class", func(b membership.Builder, y,
			t membership.Term) membership.Term {
			return l.Expr(b, b.Neg(y), t)
		})
	case loss.Poisson:
		return expr("identity for the log link", func(b membership.Builder, y, t membership.Term) membership.Term {
			return b.Sub(b.Sub(y, t), b.Mul(t, b.Sub(y, logOf(b, t))))
		})
	case loss.Gamma:
		return expr("exponential clipped, not linear", func(b membership.Builder, y, t membership.Term) membership.Term {
			v := b.Sub(logOf(b, t), y)
			return b.Sub(b.Sub(b.Exp(b.Min(v, b.Const(loss.MaxLog))), b.Const(1)), v)
		})
	case loss.Quantile:
		return "sides of the quantiles swapped", wrongOutputs{l,
			func(b loss.Builder, y, t loss.Term, C int) loss.Term { return l.Expr(b, t, y, C) }}
	case loss.Softmax:
		return "the last class left out", wrongOutputs{l, func(b loss.Builder, y, t loss.Term, C int) loss.Term {
			counted := slices.Repeat([]float64{1}, C)
			counted[C-1] = 0
			s := b.Sub(y, b.RowMax(y))
			sum := b.Mul(b.Const(float64(C)), b.RowMeans(b.Mul(b.Exp(s), b.Row(counted, y))))
			return b.Mul(t, b.Sub(b.Log(sum), s))
		}}
	case loss.OfOutputs: // a sum over outputs, too
		return "half the loss", wrongOutputs{l, func(b loss.Builder, y, t loss.Term,
			C int) loss.Term {
			return b.Mul(b.Const(0.5), l.Expr(b, y, t, C))
		}}
	}
	return expr("half the loss", func(b membership.Builder, y, t membership.Term) membership.Term {
		return b.Mul(b.Const(0.5), of.(loss.OfOutput).Expr(b, y, t))
	})
}

// logOf returns log t on terms, finite for t = 0.
func logOf(b membership.Builder, t membership.Term) membership.Term {
	return b.Log(b.Max(t, b.Const(math.SmallestNonzeroFloat64)))
}

// mutantsOfLosses returns a mutant of every registered loss.
func mutantsOfLosses() []mutant {
	var mutants []mutant
	for _, right := range loss.All() {
		wrong, _ := wrongOf(right)
		mutants = append(mutants, mutant{wrong, "loss " + right.Name(), limited{
			altered{autodiff, func(p *problem) { _, p.Loss = wrongOf(p.Loss) }},
			func(p *problem) bool { return p.Loss.Name() == right.Name() },
		}})
	}
	return mutants
}

// A wrong expression of a penalty: of a matrix, and of samples.
type (
	wrongMatrix struct {
		penalty.OfMatrix
		expr func(b penalty.Builder, v penalty.Term, R int) penalty.Term
	}
	wrongSamples struct {
		penalty.OfSamples
		expr func(b penalty.Builder, s penalty.SampleTerms) penalty.Term
	}
)

func (w wrongMatrix) Expr(b penalty.Builder, v penalty.Term, R int) penalty.Term {
	return w.expr(b, v, R)
}

func (w wrongSamples) Expr(b penalty.Builder, s penalty.SampleTerms) penalty.Term {
	return w.expr(b, s)
}

// wrongPenaltyOf returns a penalty with a typical mistake in its expression; of one that is not listed, half of it.
func wrongPenaltyOf(of penalty.Penalty) (wrong string, p penalty.Penalty) {
	switch p := of.(type) {
	case penalty.Slopes:
		if p.ToMean {
			return "slopes pulled to zero, not to their mean", penalty.Slopes{Lambda: p.Lambda}
		}
		return "1/2 missing", penalty.Slopes{Lambda: 2 * p.Lambda}
	case penalty.Uniform:
		return "firing pulled to zero, not to 1/R", wrongMatrix{p, func(b penalty.Builder, levels penalty.Term, R int) penalty.Term {
			return b.Mul(b.Const(p.Lambda*float64(R)), b.Sum(b.Square(b.ColumnMeans(levels))))
		}}
	case penalty.Curves:
		return "curves pulled to zero, not to their mean", wrongMatrix{p, func(b penalty.Builder, v penalty.Term, C int) penalty.Term {
			return b.Add(p.Expr(b, v, C), b.Mul(b.Const(p.Deviation), b.Sum(b.Square(b.RowMeans(v)))))
		}}
	case penalty.Agreement:
		return "mean of the rules, not the prediction", wrongSamples{p, func(b penalty.Builder, s penalty.SampleTerms) penalty.Term {
			sum := b.Const(0)
			for _, outputs := range s.Outputs {
				sum = b.Add(b.Mul(b.Const(p.Alpha/2), b.Mul(s.Levels, b.Square(b.Sub(outputs, b.RowMeans(outputs))))), sum)
			}
			return sum
		}}
	case penalty.LossAgreement:
		return "mean of the rules, not the prediction", wrongSamples{p, func(b penalty.Builder, s penalty.SampleTerms) penalty.Term {
			var means []penalty.Term
			for _, outputs := range s.Outputs {
				means = append(means, b.RowMeans(outputs))
			}
			of := func(outputs []penalty.Term) penalty.Term {
				return b.Rows(p.Loss.Expr(b, b.Columns(outputs), b.Columns(s.Targets), len(outputs)), s.R)
			}
			return b.Mul(b.Const(p.Alpha), b.Mul(s.Levels, b.Sub(of(s.Outputs), of(means))))
		}}
	case penalty.OfMatrix:
		return "half the penalty", wrongMatrix{p, func(b penalty.Builder, v penalty.Term, R int) penalty.Term {
			return b.Mul(b.Const(0.5), p.Expr(b, v, R))
		}}
	}
	samples := of.(penalty.OfSamples)
	return "half the penalty", wrongSamples{samples, func(b penalty.Builder, s penalty.SampleTerms) penalty.Term {
		return b.Mul(b.Const(0.5), samples.Expr(b, s))
	}}
}

// mutantsOfPenalties returns a mutant of every registered penalty, and one without the
// penalty.
func mutantsOfPenalties() []mutant {
	var mutants []mutant
	for _, right := range penalty.All() {
		named := func(p penalty.Penalty) bool { return p.Name() == right.Name() }
		wrong, _ := wrongPenaltyOf(right)
		mutants = append(mutants,
			mutant{wrong, "penalty " + right.Name(), altered{autodiff, func(p *problem) {
				p.Penalties = slices.Clone(p.Penalties)
				for i, of := range p.Penalties {
					if named(of) {
						_, p.Penalties[i] = wrongPenaltyOf(of)
					}
				}
			}}},
			mutant{"missing", "penalty " + right.Name(), altered{autodiff, func(p *problem) {
				p.Penalties = slices.DeleteFunc(slices.Clone(p.Penalties), named)
			}}})
	}
	return mutants
}

// outputMutants have mistakes that only several outputs show.
func outputMutants() []mutant {
	several := func(wrong, in string, r route) mutant {
		return mutant{wrong, in, limited{r, func(p *problem) bool { return p.RuleBase.OutputCount() > 1 }}}
	}
	return []mutant{
		several("outputs in the wrong order", "layer weighted sum", assembly{replaced: "weighted sum", by: func(b *layers.Builder, n *nodes) {
			slices.Reverse(n.outputs)
			n.prediction = n.weightedSum(b, n.level)
			slices.Reverse(n.outputs)
		}}),
		several("curves of the first output in all", "layer curves", assembly{replaced: "curves", by: func(b *layers.Builder, n *nodes) {
			if n.Curve != nil {
				first := layers.OfOutput(b, n.Curve, 0, n.C)
				n.outputs = n.each(func(c int) *gorgonia.Node { return layers.Curves(b, n.outputs[c], n.Z, first, n.knots) })
			}
		}}),
		several("weights of the targets ignored", "loss", altered{autodiff, func(p *problem) {
			if l, err := loss.Lookup(p.Loss.Name()); err == nil {
				p.Loss = l
			}
		}}),
		{"agreement of the squared loss", "penalty agreement", limited{altered{autodiff, func(p *problem) {
			p.Penalties = slices.Clone(p.Penalties)
			for i, of := range p.Penalties {
				if a, ok := of.(penalty.LossAgreement); ok {
					p.Penalties[i] = penalty.Agreement{Alpha: a.Alpha}
				}
			}
		}}, func(p *problem) bool { return p.Loss.Name() != loss.Squared{}.Name() }}},
	}
}
