package graph

import (
	"fmt"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// Options are the options of a network.
type Options struct {
	Engine string // one of Engines, or auto; empty: auto
	Batch  int    // B, the number of samples of a mini-batch; 0: 64

	Loss      loss.Loss         // nil: squared
	Penalties []penalty.Penalty // added to the loss

	// TwoParts reports whether rows of x are [2M]: the features of the antecedents, then
	// those of the consequents.
	TwoParts bool

	// LogSpreads trains spreads (parameters of kind membership.Spread) as their
	// logarithms, so that a step changes them by a factor.
	LogSpreads bool

	// Constant excludes the slopes from training: with slopes of zero, the model is a
	// zero-order TSK system.
	Constant bool

	// RuleDropout is P of Rule Dropout; 0: none. The mask then discards rules after the
	// normalisation, see [layers.RuleDropout], not before it as DropRule does. BatchNorm, if
	// not nil, has the moments of the features of the consequents for batch normalisation.
	// Both need the engine autodiff.
	RuleDropout float64
	BatchNorm   *Moments
}

// complete returns the options with their defaults, or an error if a network of rb cannot have them.
func (o Options) complete(rb *rules.RuleBase, own Layers) (_ Options, err error) {
	if own != nil {
		o, err = forOwn(o)
	} else {
		o.Engine, err = Engine(o.Engine, rb.Shape, inference.OrProduct(rb.TNorm))
	}
	if err != nil {
		return o, err
	}
	if o.Loss = loss.OrSquared(o.Loss); o.Batch == 0 {
		o.Batch = 64
	}
	return o, o.check(rb)
}

// check returns an error if a network of rb cannot have the options.
func (o Options) check(rb *rules.RuleBase) error {
	if o.Batch < 1 {
		return fmt.Errorf("%w: batch size %d: must be at least 1", ErrGraph, o.Batch)
	}
	if err := o.checkLoss(); err != nil {
		return err
	}
	if err := o.checkStock(rb.Features()); err != nil {
		return err
	}
	return checkConstraints(o, rb)
}

// checkLoss returns an error if the network cannot minimise the loss or a penalty.
func (o Options) checkLoss() error {
	if _, one := o.Loss.(loss.OfOutput); !one {
		if _, all := o.Loss.(loss.OfOutputs); !all {
			return fmt.Errorf("%w: loss %s: implement loss.OfOutput or loss.OfOutputs", ErrGraph, o.Loss.Name())
		}
	}
	for i, p := range o.Penalties {
		if p == nil {
			return fmt.Errorf("%w: penalty %d is nil", ErrGraph, i)
		}
		if _, matrix := p.(penalty.OfMatrix); !matrix {
			if _, samples := p.(penalty.OfSamples); !samples {
				return fmt.Errorf("%w: penalty %s: implement penalty.OfMatrix or penalty.OfSamples", ErrGraph, p.Name())
			}
		}
		if w := p.Weight(); !(w >= 0) {
			return fmt.Errorf("%w: penalty %s: weight %v: must not be negative", ErrGraph, p.Name(), w)
		}
	}
	return nil
}
