// Package graph trains a rulebase as a Gorgonia graph.
//
// A [Network] is one rulebase under training: [New] builds the graph from the
// layers of package layers, [Network.Evaluate] runs it forward and backward on a
// mini-batch, a solver updates [Network.Params] in place, and
// [Network.RuleBase] returns the result. Only one goroutine at a time may use a
// network; different networks may run concurrently.
package graph

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	// Gorgonia needs this to start on current Go releases.
	_ "go4.org/unsafe/assume-no-moving-gc"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// ErrGraph is wrapped by every error of building or running a graph.
var ErrGraph = errors.New("graph")

// Network is the graph of a rulebase: its loss on a mini-batch and the gradients. [New] and [FromNodes] return one; the zero
// Network cannot be used.
type Network struct {
	base    *rules.RuleBase // shape and spread floor; its parameters are those before training
	options Options
	own     Layers          // nil: those of the engine
	params  []*tensor.Dense // see toTensors

	trainable   []gorgonia.ValueGrad // params, or their logarithms, with their gradients
	logs        []*logarithm         // the logarithms among trainable
	raw         []*parameter         // params
	slopes      *parameter           // among raw
	antecedents [][]float64          // live elements of the antecedents
	trained     [][]float64          // live elements of the antecedents, or of their logarithms, that are trained
	project     func(p [][]float64)
	signs       []int      // [C M], of the rows of the slopes, see rules.RuleBase.Signs; nil: none
	stretches   []stretch  // of the curves, which are the last parameter; nil: none
	ties        *ties      // nil: none
	norm        *batchNorm // nil: none

	net *net
	vm  gorgonia.VM

	forward   *net // for Predict, with the same parameters; built at first use
	forwardVM gorgonia.VM
}

// New builds the network of a copy of the rulebase.
func New(rb *rules.RuleBase, o Options) (*Network, error) { return newNetwork(rb, o, nil) }

// newNetwork builds the network of a copy of the rulebase, with the layers of an engine, or those of own.
func newNetwork(rb *rules.RuleBase, o Options, own Layers) (n *Network, err error) {
	defer recovered(&err)
	if err := rb.Validate(); err != nil {
		return nil, err
	}
	if o, err = o.complete(rb, own); err != nil {
		return nil, err
	}
	n = &Network{
		base: rb.Clone(), options: o, own: own, params: toTensors(rb),
		project: rules.Projection(rb.Shape, rb.SpreadFloor),
	}
	for j := range rb.Antecedents {
		n.antecedents = append(n.antecedents, n.params[j].Float64s())
	}
	n.trained = slices.Clone(n.antecedents)
	if o.BatchNorm != nil {
		n.norm = newBatchNorm(*o.BatchNorm)
	}
	if n.net, err = newNet(o, rb, n.params, n.norm, own, func(net *net) error { return net.addLoss(o) }); err != nil {
		return nil, err
	}
	if n.vm, err = n.net.start(); err != nil {
		return nil, err
	}
	var gradients []*output
	n.ties, gradients = newTies(rb, n.net.gradients, n.params)
	for i, name := range paramNames(rb) {
		p := &parameter{name: name, value: n.params[i], gradient: gradients[i]}
		n.raw = append(n.raw, p)
		switch {
		case o.LogSpreads && i < len(rb.Antecedents) && rb.Shape.Params()[i].Kind == membership.Spread:
			n.logs = append(n.logs, newLogarithm(p, rb.SpreadFloor))
			n.trainable = append(n.trainable, n.logs[len(n.logs)-1])
			n.trained[i] = n.logs[len(n.logs)-1].value.Float64s()
		case name != "slope" || !o.Constant:
			n.trainable = append(n.trainable, p)
		}
		if name == "slope" {
			n.slopes = p
		}
	}
	if n.norm != nil {
		n.trainable = append(n.trainable, n.norm.trainable(gradients[len(n.raw):])...)
	}
	constrain(n, rb)
	return n, nil
}

// Engine returns the engine in use: never "auto".
func (n *Network) Engine() string { return n.options.Engine }

// Params returns the trainable parameters: antecedents in the order of the shape's
// parameters, then biases, then slopes (not with Constant), then the values of curves, then
// scale and shift of the batch normalisation. With LogSpreads, spreads are
// replaced by their logarithms, such as "log sigma". Values and gradients are live; a
// change of a logarithm takes effect at the next Project. The caller must not change the
// slice. The gradient of a shared parameter ([rules.RuleBase.Shared]) is, in every copy, the
// sum over all copies. The gradient of a parameter that [rules.Kept] marks is zero.
func (n *Network) Params() []gorgonia.ValueGrad { return n.trainable }

// RuleBase returns the rulebase with the current parameters. Its consequents contain the batch
// normalisation.
func (n *Network) RuleBase() *rules.RuleBase {
	rb := n.unfolded()
	if n.norm != nil {
		n.norm.fold(rb)
	}
	return rb
}

// unfolded returns the rulebase without the batch normalisation.
func (n *Network) unfolded() *rules.RuleBase {
	n.takeLogs()
	rb := n.base.Clone()
	rb.Parameters = fromTensors(n.params, len(rb.Antecedents))
	return rb
}

// Parameters returns a copy of the current parameters in the graph. It ignores changes of
// logarithms since the last Project.
func (n *Network) Parameters() rules.Parameters { return fromTensors(n.params, len(n.antecedents)) }

// Flatten sets membership functions to one everywhere, see [rules.RuleBase.Flatten]. A rule or feature out of range is an error, and
// nothing is set.
func (n *Network) Flatten(places []rules.Antecedent) error {
	rb := n.unfolded()
	for _, a := range places {
		if R, M := rb.Rules(), rb.Features(); a.Rule < 0 || a.Rule >= R || a.Feature < 0 || a.Feature >= M {
			return fmt.Errorf("%w: no rule %d with feature %d: there are %d rules over %d features, numbered from 0", ErrGraph, a.Rule,
				a.Feature, R, M)
		}
		rb.Flatten(a.Rule, a.Feature)
	}
	for i, t := range toTensors(rb) {
		copy(n.params[i].Float64s(), t.Float64s())
	}
	for _, l := range n.logs {
		l.fromParameter()
	}
	if n.ties != nil {
		n.ties.group(rb) // a flat function shares no border
	}
	return nil
}

// HoldZeroSlopes excludes the slopes that are zero now, besides those that are kept, from training:
// their gradient is zero, so that they stay zero with every solver whose state starts now.
func (n *Network) HoldZeroSlopes() { n.slopes.holdZeros() }

// SetConsequents replaces the consequents, [R][C(M+1)], see [rules.Parameters]. Other sizes, and values that
// are not finite, are an error, and nothing is replaced.
func (n *Network) SetConsequents(w [][]float64) error {
	C, M, k := n.base.OutputCount(), n.base.Features(), len(n.base.Antecedents)
	if len(w) != n.base.Rules() {
		return fmt.Errorf("%w: consequents of %d rules, want %d", ErrGraph, len(w), n.base.Rules())
	}
	for r, row := range w {
		if len(row) != C*(M+1) || !numeric.Finite(row...) {
			return fmt.Errorf("%w: consequents of rule %d are %v: want %d finite values", ErrGraph, r, row, C*(M+1))
		}
	}
	for i, t := range consequents(rules.Parameters{Antecedents: n.base.Antecedents, Consequents: w}) {
		copy(n.params[k+i].Float64s(), t.Float64s())
	}
	return nil
}

// Gradients returns the gradients of the last Evaluate, by the spreads, not by their
// logarithms.
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

// Project projects the parameters onto their domain after an update: copies of a shared
// parameter to the first of them, spreads to the floor or above, then the shape's own
// constraints; slopes of the wrong sign to zero; curves of features with signs to monotone ones; what is kept, or
// excluded by rules.RuleBase.Without, to its values.
func (n *Network) Project() {
	if n.ties != nil {
		n.ties.unite(n.trained)
	}
	n.takeLogs()
	n.project(n.antecedents)
	projectSigns(n.slopes.value.Float64s(), n.signs)
	projectCurves(n.params[len(n.params)-1], n.stretches)
	restore(n.raw)
}

// takeLogs computes the spreads that are not kept from their logarithms.
func (n *Network) takeLogs() {
	for _, l := range n.logs {
		l.toParameter()
		l.of.restore()
	}
}

// Others returns a copy of what training changes besides [Network.Parameters]: the spreads'
// logarithms, one slice for each parameter that LogSpreads trains as a logarithm, then scale and
// shift of the batch normalisation; nil without either.
func (n *Network) Others() [][]float64 {
	var values [][]float64
	for _, t := range n.others() {
		values = append(values, slices.Clone(t.Float64s()))
	}
	return values
}

// SetOthers sets them to the result of an earlier Others. The network must have been built
// with the parameters of the same state.
func (n *Network) SetOthers(values [][]float64) error { return setOthers(n.others(), values) }

// others returns the tensors of Others.
func (n *Network) others() []*tensor.Dense {
	var all []*tensor.Dense
	for _, l := range n.logs {
		all = append(all, l.value)
	}
	if n.norm != nil {
		all = append(all, n.norm.scale, n.norm.shift)
	}
	return all
}

// WriteDOT writes the network, from its inputs and parameters to the loss, as a graph in
// the DOT language: a cluster per layer, data flowing downwards, shapes on the edges.
// Gradients are omitted.
func (n *Network) WriteDOT(w io.Writer) error { return writeDOT(w, n.net) }

// Close releases the resources of the graph's machines. Evaluate and Predict are then errors.
func (n *Network) Close() error {
	if n.vm == nil {
		return nil
	}
	err := n.vm.Close()
	if n.forwardVM != nil {
		err = errors.Join(err, n.forwardVM.Close())
	}
	n.vm, n.forwardVM = nil, nil
	return err
}

var errClosed = fmt.Errorf("%w: the network is closed", ErrGraph)

// recovered converts a panic of Gorgonia to an error.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: gorgonia: %v", ErrGraph, r)
	}
}
