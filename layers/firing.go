package layers

import (
	"math"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
	"gorgonia.org/gorgonia"
)

// FiringLevels is [Membership], [Join] and [Weights] in one node [B,R], for shapes that are
// [Fusable] with the t-norm of the rulebase: weights of the rules, for [inference.TSK] their
// firing levels f_r(x_n), or the logarithms of these in log space. Its gradient is the closed
// form.
//
// mask [B,R] and least are those of [Head]: firing levels of dropped rules need not be
// computed.
func FiringLevels(b *Builder, rb *rules.RuleBase, x, mask *gorgonia.Node, params []*gorgonia.Node, least float64) *gorgonia.Node {
	if b.err != nil {
		return nil
	}
	B, M, R := x.Shape()[0], x.Shape()[1], params[0].Shape()[1]
	k := weighted(firingKernel(rb, B, M, R, least), inference.OrTSK(rb.Defuzzification), B, M, R, rb.LogSpace())
	f := newOp("firing levels", B, R)
	f.run = func(in [][]float64) { k.forward(f.cells, in[0], in[1], in[2:]) }
	f.wrt = make([]bool, 2+len(params))
	for i := range params {
		f.wrt[2+i] = true
	}
	f.diff = func(b *Builder, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
		return firingGradients(b, k, in, out, grad)
	}
	return b.apply(f, append([]node{x, mask}, params...)...)
}

// firingGradients makes one node that computes the gradients by all parameters. Its value
// is the gradient by the first; a part node holds each of the others.
func firingGradients(b *Builder, k firing, in gorgonia.Nodes, out, grad node) gorgonia.Nodes {
	x, params := in[0], in[2:]
	M, R := params[0].Shape()[0], params[0].Shape()[1]
	grads := make([]*op, len(params))
	cells := make([][]float64, len(grads))
	for j := range grads {
		grads[j] = newOp("gradient by "+params[j].Name(), M, R)
		cells[j] = grads[j].cells
	}
	grads[0].run = func(in [][]float64) { k.backward(cells, in[0], in[1], in[2], in[3:]) }
	nodes := make(gorgonia.Nodes, len(in))
	all := b.apply(grads[0], append(gorgonia.Nodes{grad, out, x}, params...)...)
	nodes[2] = all
	for j := 1; j < len(grads); j++ {
		nodes[2+j] = b.part(grads[j], all)
	}
	return nodes
}

// firing computes firing levels with parameters p, [M,R] each. backward follows forward
// on the same x and p, and overwrites g with the gradients from grad [B,R], the gradient
// by f.
type firing interface {
	forward(f, x, mask []float64, p [][]float64)
	backward(g [][]float64, grad, f, x []float64, p [][]float64)
}

// Fusable reports whether the fused layers support a shape with a t-norm: the shape must have
// a closed form of its derivative, in log space of the logarithm.
func Fusable(shape membership.Function, t inference.TNorm) bool {
	if (&rules.RuleBase{Shape: shape, TNorm: t}).LogSpace() {
		_, ok := shape.(membership.LogGradients)
		return ok
	}
	_, ok := shape.(membership.Gradients)
	return ok
}

// firingKernel returns the kernel of a rulebase. For the product, two shapes have kernels of their own, by type: a name may be
// that of another shape, which is not registered.
func firingKernel(rb *rules.RuleBase, B, M, R int, least float64) firing {
	norm := inference.OrProduct(rb.TNorm)
	if norm == (inference.Product{}) {
		switch rb.Shape.(type) {
		case membership.Gaussian:
			return &gaussianFiring{newSized(B, M, R)}
		case membership.Trapezoid:
			return &trapezoidFiring{newSized(B, M, R), make([]float64, B*R)}
		}
	}
	return newAnyFiring(rb.Shape, norm, rb.LogSpace(), B, M, R, least)
}

// sized are the sizes of a kernel and its scratch memory.
type sized struct {
	B, M, R int
	scratch kernel.Scratch
}

func newSized(B, M, R int) sized {
	s := sized{B: B, M: M, R: R}
	s.scratch.Size(B, M, R)
	return s
}

type gaussianFiring struct{ sized }

func (k *gaussianFiring) forward(z, x, _ []float64, p [][]float64) {
	kernel.GaussianForward(z, x, p[0], p[1], k.B, k.M, k.R, &k.scratch)
}

func (k *gaussianFiring) backward(g [][]float64, grad, _, x []float64, p [][]float64) {
	kernel.GaussianBackward(g[0], g[1], grad, x, p[0], p[1], k.B, k.M, k.R, &k.scratch)
}

type trapezoidFiring struct {
	sized
	v []float64 // dL/dlog f, [B,R]
}

func (k *trapezoidFiring) forward(f, x, _ []float64, p [][]float64) {
	kernel.TrapezoidForward(f, x, p[0], p[1], p[2], p[3], k.B, k.M, k.R, &k.scratch)
}

func (k *trapezoidFiring) backward(g [][]float64, grad, f, x []float64, p [][]float64) {
	for i, v := range grad {
		k.v[i] = v * f[i]
	}
	kernel.TrapezoidBackward(g[0], g[1], g[2], g[3], k.v, x, p[0], p[1], p[2], p[3], k.B, k.M, k.R, &k.scratch)
}

// gaussianRoot is a gaussianFiring with the weights of [inference.HTSK]: the logarithm of a firing level over M is that of spreads
// sqrt(M) times as wide.
type gaussianRoot struct {
	gaussianFiring
	root float64   // sqrt(M)
	wide []float64 // the spreads times root
}

func (k *gaussianRoot) forward(w, x, mask []float64, p [][]float64) {
	for i, sigma := range p[1] {
		k.wide[i] = sigma * k.root
	}
	k.gaussianFiring.forward(w, x, mask, [][]float64{p[0], k.wide})
}

func (k *gaussianRoot) backward(g [][]float64, grad, w, x []float64, p [][]float64) {
	k.gaussianFiring.backward(g, grad, w, x, [][]float64{p[0], k.wide})
	for i := range g[1] {
		g[1][i] *= k.root
	}
}

// weightedFiring computes the weights of rules from the firing levels that another kernel
// computes, or the logarithms of both if logs.
type weightedFiring struct {
	firing
	by   inference.Defuzzification
	M    int
	logs bool

	levels  []float64 // firing levels, [B,R]
	byLevel []float64 // gradient by these
}

// weighted returns a kernel of weights, or k itself for [inference.TSK], whose weights are
// the firing levels.
func weighted(k firing, by inference.Defuzzification, B, M, R int, logs bool) firing {
	g, gaussian := k.(*gaussianFiring)
	switch {
	case by == inference.TSK{}:
		return k
	case by == inference.HTSK{} && gaussian:
		return &gaussianRoot{*g, math.Sqrt(float64(M)), make([]float64, M*R)}
	}
	return &weightedFiring{k, by, M, logs, make([]float64, B*R), make([]float64, B*R)}
}

func (k *weightedFiring) forward(w, x, mask []float64, p [][]float64) {
	k.firing.forward(k.levels, x, mask, p)
	copy(w, k.levels)
	inference.Weigh(k.by, w, k.M, k.logs)
}

// backward skips rules without a gradient: half of them under DropRule.
func (k *weightedFiring) backward(g [][]float64, grad, _, x []float64, p [][]float64) {
	for i, d := range grad {
		if d != 0 {
			d *= inference.WeightGradient(k.by, k.levels[i], k.M, k.logs)
		}
		k.byLevel[i] = d
	}
	k.firing.backward(g, k.byLevel, k.levels, x, p)
}
