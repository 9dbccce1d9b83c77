package layers

import (
	"errors"
	"fmt"
	"sync"

	"gorgonia.org/gorgonia"
)

// building is locked while a graph is built and differentiated: all graphs of a program copy
// Gorgonia's constant nodes (such as the gradient 1 of the loss), and the first copy of one
// writes its hash. Graphs may run concurrently once they are built.
var building sync.Mutex

// Build calls build with a Builder of nodes in g, and returns the error of build, or else the first of the Builder; a
// panic, such as one of Gorgonia's, is an error, too. Only one build of a program runs at a time, since Gorgonia's graphs
// share nodes while they are built: differentiate within it, too ([gorgonia.Grad]), and do not call Build from it. Graphs
// that are built may run concurrently.
func Build(g *gorgonia.ExprGraph, build func(*Builder) error) (err error) {
	if g == nil {
		return errors.New("layers: the graph is nil")
	}
	building.Lock()
	defer building.Unlock()
	b := &Builder{graph: g}
	defer func() {
		switch r := recover(); {
		case r != nil && b.err != nil: // the nodes after the first error are nil
			err = b.err
		case r != nil:
			err = fmt.Errorf("layers: %v", r)
		case err == nil:
			err = b.err
		}
	}()
	return build(b)
}

// Inputs are the nodes that a network of a rulebase starts from: a mini-batch of B samples, and the parameters. Those that a
// layer does not use may be nil.
type Inputs struct {
	X              *gorgonia.Node   // features of the antecedents, [B,M]
	Z              *gorgonia.Node   // features of the consequents, [B,M]; X itself if they are the same
	Mask           *gorgonia.Node   // of DropRule, [B,R]
	Target, Weight *gorgonia.Node   // [B,C] and [B,1]
	Antecedents    []*gorgonia.Node // by parameter of the shape, [M,R] each
	Bias, Slope    *gorgonia.Node   // [C,R] and [C M,R], output by output
	Curve          *gorgonia.Node   // values of curves at the knots, [C Q,R] or [C Q,1], output by output; nil: no curves
}
