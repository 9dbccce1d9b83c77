// Package graph turns a rulebase into a Gorgonia graph, runs it, and turns it
// back.
//
// A [Network] is one rulebase under training: [New] builds the graph from the
// layers of package layers, [Network.Evaluate] runs it forward and backward on a
// mini-batch, a solver updates [Network.Params] in place, and
// [Network.RuleBase] reads the result. A network is used by one goroutine at a
// time; different networks may run at the same time.
package graph

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	// Gorgonia needs this to start on current Go releases.
	_ "go4.org/unsafe/assume-no-moving-gc"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrGraph is wrapped by every error that comes from building or running a
// graph.
var ErrGraph = errors.New("graph")

// Options of a network.
type Options struct {
	Engine string // one of Engines, or auto
	Batch  int    // B, the number of samples of a mini-batch, at least 1

	Loss      loss.Loss         // nil: squared; its link must be the identity
	Penalties []penalty.Penalty // added to the loss

	// TwoParts says that rows of x are [2M]: the features as antecedents see them, then
	// as consequents do.
	TwoParts bool

	// LogSpreads trains spreads (parameters of kind membership.Spread) as their
	// logarithms, so that a step changes them by a factor.
	LogSpreads bool

	// Constant leaves the slopes as they are: with slopes of zero, a zero-order TSK
	// system.
	Constant bool
}

// checkLoss refuses what the network cannot minimise.
func (o Options) checkLoss() error {
	if link := o.Loss.Link().Name; link != loss.Identity().Name {
		return fmt.Errorf("%w: the loss %s has the link %s: only %s is possible, since a rulebase predicts without a link", ErrGraph, o.Loss.Name(), link, loss.Identity().Name)
	}
	for i, p := range o.Penalties {
		if p == nil {
			return fmt.Errorf("%w: penalty %d is nil", ErrGraph, i)
		}
		if w := p.Weight(); !(w >= 0) {
			return fmt.Errorf("%w: penalty %s: weight %v: must not be negative", ErrGraph, p.Name(), w)
		}
	}
	return nil
}

// Network is the graph of a rulebase: its loss on a mini-batch and the gradients.
type Network struct {
	base    *rules.RuleBase // shape and spread floor; its parameters are stale
	options Options
	params  []*tensor.Dense // antecedents [M,R] each, biases [1,R], slopes [M,R]

	trainable   []gorgonia.ValueGrad // params, or their logarithms, with their gradients
	logs        []*logarithm         // those of them that are logarithms
	raw         []*parameter         // params
	antecedents [][]float64          // live elements of the antecedents
	project     func(p [][]float64)
	ties        *ties // nil: none

	net *net
	vm  gorgonia.VM

	forward   *net // predicts, with the same parameters; built when first needed
	forwardVM gorgonia.VM
}

// New builds the network of a rulebase. The rulebase is copied, not kept.
func New(rb *rules.RuleBase, o Options) (n *Network, err error) {
	defer recovered(&err)
	if err := rb.Validate(); err != nil {
		return nil, err
	}
	if o.Engine, err = Engine(o.Engine, rb.Shape); err != nil {
		return nil, err
	}
	if o.Batch < 1 {
		return nil, fmt.Errorf("%w: batch size %d: at least 1 is needed", ErrGraph, o.Batch)
	}
	o.Loss = loss.OrSquared(o.Loss)
	if err := o.checkLoss(); err != nil {
		return nil, err
	}
	n = &Network{
		base: rb.Clone(), options: o, params: toTensors(rb),
		project: rules.Projection(rb.Shape, rb.SpreadFloor),
	}
	for j := range rb.Antecedents {
		n.antecedents = append(n.antecedents, n.params[j].Float64s())
	}
	layers.Building.Lock()
	defer layers.Building.Unlock()
	n.net = newNet(o, rb.Shape, n.params)
	if err := n.net.addLoss(o); err != nil {
		return nil, err
	}
	if n.vm, err = n.net.start(); err != nil {
		return nil, err
	}
	gradients := n.net.gradients
	if n.ties = newTies(rb); n.ties != nil {
		gradients = n.ties.intercept(gradients, n.params)
	}
	for i, name := range paramNames(rb.Shape) {
		p := &parameter{name, n.params[i], gradients[i]}
		n.raw = append(n.raw, p)
		switch {
		case o.LogSpreads && i < len(rb.Antecedents) && rb.Shape.Params()[i].Kind == membership.Spread:
			n.logs = append(n.logs, newLogarithm(p, rb.SpreadFloor))
			n.trainable = append(n.trainable, n.logs[len(n.logs)-1])
		case name != "slope" || !o.Constant:
			n.trainable = append(n.trainable, p)
		}
	}
	return n, nil
}

// Engine returns the engine in use: never "auto".
func (n *Network) Engine() string { return n.options.Engine }

// Params returns the trainable parameters: antecedents in the order of the
// shape's parameters, then biases, then slopes (not with Constant). With LogSpreads
// spreads are their logarithms, and named so: "log sigma". Values and gradients are
// live; a change of a logarithm has effect from the next Project on. The slice is the
// network's own. Where membership functions are tied ([rules.RuleBase.Tie]) every
// copy has the gradient of them all, the sum.
func (n *Network) Params() []gorgonia.ValueGrad { return n.trainable }

// RuleBase returns the rulebase with the present parameters.
func (n *Network) RuleBase() *rules.RuleBase {
	n.takeLogs()
	rb := n.base.Clone()
	rb.Parameters = fromTensors(n.params, len(rb.Antecedents))
	return rb
}

// Parameters returns a copy of the present parameters as they lie in the graph, without
// looking at logarithms that may have changed since the last Project.
func (n *Network) Parameters() rules.Parameters { return fromTensors(n.params, len(n.antecedents)) }

// Flatten makes membership functions one everywhere, see rules.RuleBase.Flatten.
func (n *Network) Flatten(places []rules.Antecedent) {
	rb := n.RuleBase()
	for _, a := range places {
		rb.Flatten(a.Rule, a.Feature)
	}
	for i, t := range toTensors(rb) {
		copy(n.params[i].Float64s(), t.Float64s())
	}
	for _, l := range n.logs {
		l.put()
	}
}

// SetConsequents replaces the consequents, [R][M+1], bias first.
func (n *Network) SetConsequents(w [][]float64) {
	k := len(n.base.Antecedents)
	for i, t := range []*tensor.Dense{transposed(w, 0, 1), transposed(w, 1, len(w[0]))} {
		copy(n.params[k+i].Float64s(), t.Float64s())
	}
}

// Gradients returns the gradients that the last Evaluate left, by the spreads
// themselves.
func (n *Network) Gradients() (rules.Parameters, error) {
	grads := make([]*tensor.Dense, len(n.raw))
	for i, p := range n.raw {
		v, err := p.Grad()
		if err != nil {
			return rules.Parameters{}, err
		}
		grads[i] = v.(*tensor.Dense)
	}
	return fromTensors(grads, len(n.base.Antecedents)), nil
}

// Project moves the parameters back into their domain after an update: spreads
// to the floor or above, then the shape's own constraints.
func (n *Network) Project() {
	n.takeLogs()
	n.project(n.antecedents)
}

// takeLogs gives the spreads the values that their logarithms say.
func (n *Network) takeLogs() {
	for _, l := range n.logs {
		l.take()
	}
}

// Close releases what the graph's machines hold. The network cannot be used
// after it.
func (n *Network) Close() error {
	if n.forwardVM != nil {
		n.forwardVM.Close()
	}
	return n.vm.Close()
}

// recovered turns a panic of Gorgonia into an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: gorgonia: %v", ErrGraph, r)
	}
}
