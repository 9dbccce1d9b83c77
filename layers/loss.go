package layers

import (
	"gorgonia.org/gorgonia"

	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
)

// Loss returns the data part of the loss, a scalar: the weighted sum of l over the
// covered samples. prediction, target, weight and covered are [B,1].
func Loss(b *Builder, l loss.Loss, prediction, target, weight, covered node) node {
	if b.err != nil {
		return nil
	}
	each := l.Expr(b, prediction, target).(node)
	return b.sum(b.binary(gorgonia.HadamardProd, each, b.binary(gorgonia.HadamardProd, weight, covered)))
}

// Penalties returns the sum of the penalties, a scalar, of the slopes [M,R] and the
// normalised firing levels [B,R], or nil if there are none.
func Penalties(b *Builder, penalties []penalty.Penalty, slopes, levels node) (sum node) {
	for _, part := range []struct {
		penalty.Part
		v node
	}{{penalty.OnSlopes, slopes}, {penalty.OnLevels, levels}} {
		for _, p := range penalty.Of(part.Part, penalties) {
			if b.err != nil {
				return nil
			}
			term := p.Expr(b, part.v, part.v.Shape()[1]).(node)
			if sum != nil {
				term = b.binary(gorgonia.Add, sum, term)
			}
			sum = term
		}
	}
	return sum
}
